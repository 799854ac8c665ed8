import { levels, type LevelValue, mapLevel } from "mull";

import { columns } from "../frame/columns.ts";
import type { RunCommand } from "../frame/command.ts";
import { exitCodes } from "../frame/exit-code.ts";
import { UsageError } from "../frame/usage-error.ts";
import { resolveRef } from "../session/resolve.ts";

export interface MapView {
  readonly model: string;
  readonly map: Readonly<Record<string, LevelValue>>;
}

export const run: RunCommand = async (given, io) => {
  if (given.words.length === 0) throw new UsageError("Which model? mull map MODEL…");
  const rows = given.words.map((ref) => {
    const { model } = resolveRef(ref);
    return {
      model: model.id,
      map: levels.map((level) => [level, mapLevel(model, level)] as const),
    };
  });
  if (given.has("json")) {
    const views = rows.map(({ model, map }): MapView => ({ model, map: Object.fromEntries(map) }));
    await io.out(`${JSON.stringify(views)}\n`);
  } else {
    const table = rows.map(({ model, map }) => [model, ...map.map(([, value]) => words(value))]);
    await io.out(columns(["model", ...levels], table));
  }
  return exitCodes.done;
};

function words(value: LevelValue): string {
  switch (value.kind) {
    case "none":
      return "–";
    case "budget":
      return value.tokens.toLocaleString("en-US");
    case "effort":
      return value.effort;
    case "level":
      return value.level;
    case "switch":
      return value.on ? "on" : "off";
    default:
      return value satisfies never;
  }
}

import { levels, type LevelValue } from "mull";

import { columns } from "../frame/columns.ts";
import type { RunCommand } from "../frame/command.ts";
import { exitCodes } from "../frame/exit-code.ts";
import { sentAt } from "../session/sent-at.ts";
import { readAsked } from "./plan.ts";

export interface MapView {
  readonly model: string;
  readonly map: Readonly<Record<string, LevelValue>>;
}

export const run: RunCommand = async (given, io) => {
  const views = (await readAsked(given, io)).map(({ target, levels: asked }): MapView => ({
    model: target.model.id,
    map: sentAt(target, asked),
  }));
  if (given.has("json")) await io.out(`${JSON.stringify(views)}\n`);
  else {
    const shown = levels.filter((level) => views.some(({ map }) => level in map));
    const table = views.map(({ model, map }) => [
      model,
      ...shown.map((level) => words(map[level])),
    ]);
    await io.out(columns(["model", ...shown], table, io));
  }
  return exitCodes.done;
};

function words(value: LevelValue | undefined): string {
  if (value === undefined) return "";
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

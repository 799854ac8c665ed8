import { findKey, providers, type Model } from "mull";

import { loadKeys } from "../config/keys.ts";
import { columns } from "../frame/columns.ts";
import type { RunCommand } from "../frame/command.ts";
import { exitCodes } from "../frame/exit-code.ts";
import { say } from "../frame/fold.ts";
import { didYouMean } from "../frame/nearest.ts";

export const run: RunCommand = async (given, io) => {
  const filter = (given.text("filter") ?? given.words[0] ?? "").toLowerCase();
  const env = loadKeys(io, () => undefined);
  const rows = providers.flatMap((provider) =>
    provider.models.map((model) => ({
      provider: provider.id,
      hasKey: provider.auth === "none" || findKey(provider, env) !== undefined,
      model,
    })),
  );
  const shown = rows.filter(({ provider, model }) =>
    [model.id, provider, model.wire, model.status, model.thinking.kind].some((word) =>
      word.includes(filter),
    ),
  );
  if (given.has("json")) await io.out(`${JSON.stringify(shown.map(({ model }) => model))}\n`);
  else if (shown.length === 0) {
    const meant = didYouMean(filter, [...new Set(rows.map(({ model }) => model.id))]);
    say(
      io,
      `No model has ${JSON.stringify(filter)} in it.${meant === undefined ? "" : ` ${meant}`}\n`,
    );
  } else {
    await io.out(
      columns(
        ["model", "provider", "thinking", "shows", "window", "$ in/out", "status"],
        shown.map(({ provider, hasKey, model }) => [
          model.id,
          hasKey ? provider : `${provider} (no key)`,
          thinkingWords(model),
          model.shows,
          model.window === undefined ? "" : short(model.window),
          model.price === undefined ? "" : `${model.price.input}/${model.price.output}`,
          statusWords(model),
        ]),
        io,
      ),
    );
  }
  return exitCodes.done;
};

function thinkingWords({ thinking }: Model): string {
  if (thinking.kind === "budget") return `${short(thinking.min)}–${short(thinking.max)} tokens`;
  if (thinking.kind === "effort") return thinking.efforts.join(" ");
  if (thinking.kind === "level") return thinking.levels.join(" ");
  return thinking.kind === "switch" ? "on off" : "–";
}

const statusWords = (model: Model): string =>
  model.successor === undefined || model.status === "current"
    ? model.status
    : `${model.status}, now ${model.successor}`;

const short = (tokens: number): string => {
  if (tokens >= 1_000_000) return `${Math.round(tokens / 100_000) / 10}M`;
  return tokens >= 10_000 ? `${Math.round(tokens / 1000)}k` : String(tokens);
};

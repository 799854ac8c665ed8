import { RootCommand, type Command as TabCommand } from "@bomb.sh/tab";
import { findKey, levels, providers } from "mull";

import { askOptions, commands } from "../commands.ts";
import { loadKeys } from "../config/keys.ts";
import type { OptionTable } from "../frame/command.ts";
import type { Io } from "../frame/io.ts";
import { wireNames } from "../frame/wire-names.ts";
import { captured } from "./captured.ts";

type Suggest = (complete: (value: string, description: string) => void) => void;

/** What may stand where the cursor is, one suggestion a line, as the shell scripts expect it. */
export function completions(words: readonly string[], io: Io): string {
  const root = new RootCommand();
  const models = modelSuggestions(io);
  addOptions(root, askOptions, models);
  for (const { name, summary, options, usage } of commands) {
    const command = root.command(name, summary);
    addOptions(command, options, models);
    if (/\bMODEL/.test(usage)) command.argument("model", models, true);
  }
  return captured(() => root.parse([...words]));
}

function addOptions(command: TabCommand, options: OptionTable, models: Suggest): void {
  for (const [name, { help, short, type }] of Object.entries(options)) {
    const suggest =
      type === "boolean" ? undefined : (suggestions.get(name) ?? valueOf(name, models));
    if (suggest === undefined && type === "boolean") command.option(name, help, short);
    else command.option(name, help, suggest ?? nothing, short);
  }
}

const nothing: Suggest = () => {};
const valueOf = (name: string, models: Suggest): Suggest | undefined =>
  ["model", "models", "from", "to"].includes(name) ? models : undefined;

const words =
  (list: readonly string[]): Suggest =>
  (complete) => {
    for (const word of list) complete(word, "");
  };

const suggestions: ReadonlyMap<string, Suggest> = new Map([
  ["level", words(levels)],
  ["levels", words(levels)],
  ["wire", words(wireNames)],
  ["provider", words(providers.map(({ id }) => id))],
  ["tool", words(["calculator", "searchWeb", "clock"])],
]);

/** Models of vendors that have a key come first. */
function modelSuggestions(io: Io): Suggest {
  return (complete) => {
    const env = loadKeys(io, () => undefined);
    const rows = providers.flatMap((provider) => {
      const hasKey = provider.auth === "none" || findKey(provider, env) !== undefined;
      return provider.models
        .filter(({ status }) => status === "current" || status === "preview")
        .map(({ id }) => ({ id, name: provider.name, hasKey }));
    });
    for (const { id, name, hasKey } of rows.toSorted(
      (a, b) => Number(b.hasKey) - Number(a.hasKey),
    )) {
      complete(id, hasKey ? name : `${name}, no key`);
    }
  };
}

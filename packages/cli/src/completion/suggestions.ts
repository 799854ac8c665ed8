import { findKey, levels, providers, type Provider } from "mull";

import { shells } from "../commands/completion.ts";
import { loadKeys } from "../config/keys.ts";
import { pathsOf } from "../config/paths.ts";
import { listConversations } from "../conversations/folder.ts";
import type { Io } from "../frame/io.ts";
import { toolNames } from "../frame/tool-names.ts";
import { wireNames } from "../frame/wire-names.ts";

export interface Suggestion {
  readonly value: string;
  readonly about: string;
}

/** Suggestions for a place and the text typed there so far. The shell itself suggests files. */
export type SuggestionSource =
  | "files"
  | ((typed: string, io: Io) => Promise<readonly Suggestion[]>);

const oneOf =
  (values: readonly string[]): SuggestionSource =>
  async () =>
    values.map((value) => ({ value, about: "" }));

/** Models of vendors with a key come first; after a whole name come its levels. */
const models: SuggestionSource = async (typed, io) => {
  const env = loadKeys(io, () => undefined);
  const hasKey = (provider: Provider): boolean =>
    provider.auth === "none" || findKey(provider, env) !== undefined;
  const said = (provider: Provider): string =>
    hasKey(provider) ? provider.name : `${provider.name}, no key`;
  const keyedFirst = providers.toSorted((a, b) => Number(hasKey(b)) - Number(hasKey(a)));
  const named = providers.find(({ id }) => typed.startsWith(`${id}:`));
  const start = named === undefined ? "" : `${named.id}:`;
  const rows = (named === undefined ? keyedFirst : [named]).flatMap((provider) =>
    provider.models
      .filter(({ status }) => status === "current" || status === "preview")
      .map(({ id }): Suggestion => ({ value: start + id, about: said(provider) })),
  );
  const prefixes =
    typed === "" || named !== undefined
      ? []
      : keyedFirst.map((provider) => ({ value: `${provider.id}:`, about: said(provider) }));
  return [...withLevels(onceEach(rows), typed), ...prefixes];
};

/** Two providers may serve one model: it is offered once. */
const onceEach = (rows: readonly Suggestion[]): readonly Suggestion[] =>
  [...new Map(rows.toReversed().map((row) => [row.value, row])).values()].toReversed();

function withLevels(rows: readonly Suggestion[], typed: string): readonly Suggestion[] {
  const [name = ""] = typed.split("/");
  const fitting = rows.filter(({ value }) => value.startsWith(name));
  const whole = fitting.length === 1 ? fitting : fitting.filter(({ value }) => value === name);
  return [
    ...fitting,
    ...whole.flatMap(({ value }) =>
      levels.map((level) => ({ value: `${value}/${level}`, about: "" })),
    ),
  ];
}

const conversations: SuggestionSource = async (_typed, io) =>
  (await listConversations(pathsOf(io).conversations)).map(({ name, changedAt }) => ({
    value: name,
    about: new Date(changedAt).toISOString().slice(0, 10),
  }));

/** `a,b`: what was named before the last comma stays. */
const severalOf =
  (kind: Exclude<SuggestionSource, "files">): SuggestionSource =>
  async (typed, io) => {
    const kept = typed.slice(0, typed.lastIndexOf(",") + 1);
    const found = await kind(typed.slice(kept.length), io);
    return found.map(({ value, about }) => ({ value: kept + value, about }));
  };

const providerIds = oneOf(providers.map(({ id }) => id));

/** Keyed by the placeholder that help shows. */
export const valueKinds: ReadonlyMap<string, SuggestionSource> = new Map<string, SuggestionSource>([
  ["REF", models],
  ["MODEL", models],
  ["MODEL[/LEVEL]", models],
  ["A,B", severalOf(models)],
  ["LEVEL", oneOf(levels)],
  ["L,L", severalOf(async () => levels.map((value) => ({ value, about: "" })))],
  ["WIRE", oneOf(wireNames)],
  ["ID", providerIds],
  ["PLACE", providerIds],
  ["TOOL", oneOf(toolNames)],
  ["NAME|ID", conversations],
  ["FILE", "files"],
  ["FILE.jsonl", "files"],
  ["FOLDER", "files"],
  ["SERVER", "files"],
  ["5m|1h", oneOf(["5m", "1h"])],
]);

type KindAt = (before: readonly string[]) => SuggestionSource | undefined;

const always =
  (kind: SuggestionSource): KindAt =>
  () =>
    kind;
const first =
  (kind: SuggestionSource): KindAt =>
  ({ length }) =>
    length === 0 ? kind : undefined;
const verb =
  (verbs: readonly string[], rest: ReadonlyMap<string, SuggestionSource>): KindAt =>
  ([word]) =>
    word === undefined ? oneOf(verbs) : rest.get(word);

/** The words of a command, by its name. */
export const wordKinds: ReadonlyMap<string, KindAt> = new Map<string, KindAt>([
  ["plan", always(models)],
  ["map", always(models)],
  ["encode", first(models)],
  ["decode", first("files")],
  ["lint", first("files")],
  ["send", first("files")],
  ["run", first(models)],
  ["record", first("files")],
  ["replay", first("files")],
  ["cost", first(conversations)],
  ["cache", first(conversations)],
  [
    "conversations",
    verb(
      ["list", "show", "export", "remove"],
      new Map(["show", "export", "remove"].map((word) => [word, conversations])),
    ),
  ],
  [
    "keys",
    verb(["list", "set", "remove"], new Map(["set", "remove"].map((word) => [word, providerIds]))),
  ],
  ["vcr", verb(["scan", "show"], new Map(["scan", "show"].map((word) => [word, "files"])))],
  ["completion", first(oneOf(shells))],
]);

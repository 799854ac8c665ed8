import { commands } from "../commands.ts";
import type { Io } from "../frame/io.ts";
import { placeOf, specOf, type CursorPlace } from "./place.ts";
import { valueKinds, wordKinds, type SuggestionSource, type Suggestion } from "./suggestions.ts";

/** Directives for the shells' scripts, after the suggestions. */
const directive = { filesToo: 0, noSpace: 2, noFiles: 4 } as const;

/** Suggestions for the place of the cursor, one on each line, as the shell scripts expect them. */
export async function completions(words: readonly string[], io: Io): Promise<string> {
  const typed = words.at(-1) ?? "";
  const place = placeOf(words.slice(0, -1));
  if (place.valueOf !== undefined) return offer(kindOf(place.valueOf), typed, io);
  if (typed.startsWith("--") && typed.includes("=")) return offerAssigned(typed, place, io);
  if (typed.startsWith("-")) return written(optionsOf(place), typed);
  if (place.command !== undefined)
    return offer(wordKinds.get(place.command.name)?.(place.words), typed, io);
  const names = commands.map(({ name, summary }) => ({ value: name, about: summary }));
  const isNamed = place.words.length === 0 || place.words.join(" ") === "help";
  return written(isNamed ? names : [], typed);
}

const kindOf = ({ value }: NonNullable<CursorPlace["valueOf"]>): SuggestionSource | undefined =>
  valueKinds.get(value ?? "");

const optionsOf = ({ options }: CursorPlace): readonly Suggestion[] =>
  Object.entries(options).map(([name, { help }]) => ({ value: `--${name}`, about: help }));

async function offer(kind: SuggestionSource | undefined, typed: string, io: Io): Promise<string> {
  if (kind === "files") return `:${directive.filesToo}\n`;
  return written((await kind?.(typed, io)) ?? [], typed);
}

/** `--level=hi`: the whole word is what the shell replaces. */
async function offerAssigned(typed: string, place: CursorPlace, io: Io): Promise<string> {
  const start = typed.slice(0, typed.indexOf("=") + 1);
  const spec = specOf(typed, place.options);
  const kind = spec === undefined ? undefined : kindOf(spec);
  if (kind === undefined || kind === "files") return offer(kind, typed, io);
  const found = await kind(typed.slice(start.length), io);
  return written(
    found.map(({ value, about }) => ({ value: start + value, about })),
    typed,
  );
}

/** No space after `openai:`, since the word continues. */
function written(list: readonly Suggestion[], typed: string): string {
  const fitting = list.filter(({ value }) => value.startsWith(typed));
  const goesOn = fitting.length === 1 && fitting[0]!.value.endsWith(":");
  return [
    ...fitting.map(({ value, about }) => (about === "" ? value : `${value}\t${about}`)),
    `:${directive.noFiles + (goesOn ? directive.noSpace : 0)}\n`,
  ].join("\n");
}

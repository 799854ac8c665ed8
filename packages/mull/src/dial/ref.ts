import { makersModel, findVendor } from "../catalogue/find-model.ts";
import { invalidArgument, wrongArgument, type MullError, requireObject } from "../types/error.ts";
import { type Level, levels } from "../types/level.ts";
import { isLevelWord, parseLevel } from "./level.ts";

/** A model ref taken apart: `[provider:]name[/level]`. */
export interface ModelRef {
  readonly provider?: string;
  readonly name: string;
  readonly level?: Level;
}

export interface ParseModelRefOptions {
  /** Provider ids besides the built-in ones. */
  readonly providers?: readonly string[];
}

const form = "[provider:]name[/level], e.g. claude-opus-5-5/high or openai:gpt-6-sol";

const unknownLevel = (word: string): MullError =>
  wrongArgument(`Unknown level ${JSON.stringify(word)}. Levels: ${levels.join(" ")}`, "level", {
    allowed: levels,
  });

const splitProvider = (ref: string, known: readonly string[]): readonly [string, string] => {
  const colon = ref.indexOf(":");
  const head = ref.slice(0, Math.max(colon, 0)).toLowerCase();
  return findVendor(head) !== undefined || known.includes(head)
    ? [head, ref.slice(colon + 1)]
    : ["", ref];
};

const splitLevel = (rest: string): readonly [string, string | undefined] => {
  const slash = rest.lastIndexOf("/");
  if (slash < 0) return [rest, undefined];
  const head = rest.slice(0, slash);
  const tail = rest.slice(slash + 1);
  if (isLevelWord(tail)) return [head, tail];
  // After a model's name only a level can follow, so `claude-opus-5-5/hihg` is a misspelt level. After `anthropic/` a model follows.
  if (tail === "" || makersModel(head) !== undefined) throw unknownLevel(tail);
  return [rest, undefined];
};

/**
 * Reads a model ref. A prefix counts as a provider only if it is a known one, so `qwen3:8b`
 * stays whole. A last segment is a level, and any other word there is refused after a complete
 * model name.
 */
export const parseModelRef = (ref: string, options: ParseModelRefOptions = {}): ModelRef => {
  if (typeof ref !== "string") throw invalidArgument("model", ref, form);
  requireObject("options", options, "an object");
  const [provider, rest] = splitProvider(ref.trim(), options.providers ?? []);
  const [name, level] = splitLevel(rest);
  if (name.trim() === "") throw invalidArgument("model", ref, form);
  return {
    ...(provider !== "" && { provider }),
    name,
    ...(level !== undefined && { level: parseLevel(level) }),
  };
};

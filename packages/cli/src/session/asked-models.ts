import type { ChatTarget, Level } from "mull";

import type { Given } from "../frame/command.ts";
import { listed } from "../frame/listed.ts";
import { UsageError } from "../frame/usage-error.ts";
import { readLevel, resolveRef } from "./resolve.ts";

/** A model that was named, and the levels it is about. */
export interface NamedModel {
  readonly ref: string;
  readonly target: ChatTarget;
  readonly levels: readonly Level[];
}

export interface ModelWishes {
  readonly given: Given;
  /** Models among the words, if the command takes some there. */
  readonly words?: readonly string[];
  /** The default models. */
  readonly usual: string;
  /** The default levels. */
  readonly usualLevels: readonly Level[];
}

/**
 * The models of `plan`, `map` and `sweep`: `gpt-6-sol/high` is about that level, `gpt-6-sol` about those of
 * `--levels`, else about the usual ones.
 */
export function askedModels(wishes: ModelWishes): readonly NamedModel[] {
  const { given, words = [], usual, usualLevels } = wishes;
  const named = listed([...words, ...given.texts("models")]);
  const wanted = listed(given.texts("levels")).map(readLevel);
  return (named.length === 0 ? [usual] : named).map((ref) => {
    const target = resolveRef(ref);
    const own = target.level;
    if (own !== undefined && wanted.length > 0 && named.length > 0)
      throw new UsageError(
        `${ref} names a level, and --levels names others.`,
        "Leave one of them out.",
      );
    const levels = wanted.length > 0 ? wanted : own === undefined ? usualLevels : [own];
    return { ref, target, levels };
  });
}

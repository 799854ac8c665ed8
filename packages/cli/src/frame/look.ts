import { createLook } from "../repl/look.ts";
import type { Io } from "./io.ts";

/** The signs and the dim of what goes to stderr. */
export interface StderrLook {
  readonly spell: (text: string) => string;
  readonly dim: (text: string) => string;
}

export function lookOf({ env, terminal }: Pick<Io, "env" | "terminal">): StderrLook {
  const { spell, paint } = createLook(env);
  return { spell, dim: (text) => (terminal.stderr ? paint(spell(text), "dim") : spell(text)) };
}

import type { JsonValue } from "mull";

import type { Failure } from "../world/draft.ts";

type Where = "inside" | "after";

/** One thing a scripted model does. The value is its own JSON form. */
export type Action =
  | { readonly thinks: string }
  | { readonly says: string }
  | {
      readonly calls: string;
      readonly input: JsonValue;
      readonly id?: string;
      /** Argument text sent as it is, valid JSON or not. */
      readonly raw?: string;
    }
  | { readonly redacts: true }
  | { readonly omits: string }
  | { readonly refuses: string }
  | { readonly fails: Failure }
  | { readonly stalls: number; readonly where?: Where }
  | { readonly cuts: Where };

/** Thinking, shown as far as the request asks to see it. */
export const thinks = (text: string): Action => ({ thinks: text });

/** A text of the answer. */
export const says = (text: string): Action => ({ says: text });

/** A tool call. Calls that follow each other are parallel. */
export const calls = (
  name: string,
  input: JsonValue = {},
  options: { readonly id?: string; readonly raw?: string } = {},
): Action => ({ calls: name, input, ...options });

/** A thinking block nobody can read. */
export const redacts = (): Action => ({ redacts: true });

/** Thinking whose text is withheld although it was asked for. */
export const omits = (text = "Withheld."): Action => ({ omits: text });

/** The model declines: a normal answer with the service's refusal finish. */
export const refuses = (text = "I can't help with that."): Action => ({ refuses: text });

/**
 * First in a turn, or where nothing is streamed: an error status instead of an answer. Later: an
 * error event in the stream, which then ends without the service's farewell.
 */
export const fails = (failure: Failure | number): Action => ({
  fails: typeof failure === "number" ? { status: failure } : failure,
});

/** Silence for so many milliseconds, in the middle of the part before it unless told otherwise. */
export const stalls = (ms: number, where: Where = "inside"): Action => ({ stalls: ms, where });

/** The connection breaks, in the middle of the part before it unless told otherwise. */
export const cuts = (where: Where = "inside"): Action => ({ cuts: where });

import type { JsonValue } from "mull";

import type { Failure } from "../world/draft.ts";

type Where = "inside" | "after";

/** One thing a scripted model does, as JSON. */
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

/** Makes the model think this text, shown as far as the request asks for it. */
export const thinks = (text: string): Action => ({ thinks: text });

/** Makes the model say a text. */
export const says = (text: string): Action => ({ says: text });

/** Makes the model call a tool. Calls that follow each other are parallel. */
export const calls = (
  name: string,
  input: JsonValue = {},
  options: { readonly id?: string; readonly raw?: string } = {},
): Action => ({ calls: name, input, ...options });

/** Makes the model return a redacted thinking block. */
export const redacts = (): Action => ({ redacts: true });

/** Makes the model think without showing any text, although the request asks for it. */
export const omits = (text = "Withheld."): Action => ({ omits: text });

/** Makes the model decline: a normal answer that ends with the service's refusal reason. */
export const refuses = (text = "I can't help with that."): Action => ({ refuses: text });

/**
 * Answers with an error: a status when it comes first or nothing is streamed, else an error event
 * that ends the stream.
 */
export const fails = (failure: Failure | number): Action => ({
  fails: typeof failure === "number" ? { status: failure } : failure,
});

/** Pauses for this many milliseconds, in the middle of the part before it unless told otherwise. */
export const stalls = (ms: number, where: Where = "inside"): Action => ({ stalls: ms, where });

/** Breaks the connection, in the middle of the part before it unless told otherwise. */
export const cuts = (where: Where = "inside"): Action => ({ cuts: where });

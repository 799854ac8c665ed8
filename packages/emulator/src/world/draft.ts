import type { JsonValue } from "mull";

/** A part of an answer before it is sealed, cut to the output cap and written for a service. */
export type DraftPart =
  | { readonly type: "thinking"; readonly text: string }
  /** Thinking that the service encrypts, so that nobody can read it. */
  | { readonly type: "redacted" }
  /** Thinking whose text the service withholds, whatever was asked. */
  | { readonly type: "omitted"; readonly text: string }
  | { readonly type: "text"; readonly text: string; readonly refusal?: true }
  | {
      readonly type: "call";
      readonly name: string;
      readonly input: JsonValue;
      /** Sent as the arguments instead of `input`, to break readers. */
      readonly raw?: string;
      readonly id?: string;
    };

/** Where in a stream something happens: after part `part`, or halfway through it. */
export interface DraftPlace {
  readonly part: number;
  readonly where: "inside" | "after";
}

/** An error for the emulator to answer with. */
export interface Failure {
  readonly status: number;
  readonly type?: string;
  readonly message?: string;
  readonly code?: string;
  /** Asks to wait: the form of the header or body field, and how long. */
  readonly retry?: {
    readonly form: "seconds" | "decimal" | "ms" | "date" | "info" | "text" | "reset";
    readonly ms: number;
  };
  readonly headers?: Readonly<Record<string, string>>;
}

/** Something that disturbs the stream of an answer. */
export type Disturbance = DraftPlace &
  (
    | { readonly type: "stall"; readonly ms: number }
    | { readonly type: "cut" }
    | { readonly type: "failure"; readonly failure: Failure }
  );

/** An answer as the brain or a script gives it. */
export interface Draft {
  readonly parts: readonly DraftPart[];
  readonly disturbances: readonly Disturbance[];
  /** Sent in place of all parts. */
  readonly failure?: Failure;
  /** The service's own finish word is derived from the parts unless this is set. */
  readonly finish?: "refusal" | "pause" | "content-filter" | "length";
}

/** The kind of a failure, for programs to switch on. */
export type VcrErrorCode =
  /** The cassette cannot be read: cut, edited, of another version, missing. */
  | "bad-cassette"
  /** A request has no recorded exchange. */
  | "no-match"
  /** Recorded exchanges were not asked for. */
  | "unused"
  /** A secret would have been written. */
  | "secret"
  /** A recording could not be finished. */
  | "unfinished"
  /** The cassette cannot be written to its place. */
  | "unwritable"
  /** The recording ends before the reader stopped reading. */
  | "cut-short"
  | "bad-option";

/** The fields of a `VcrError`. */
export interface VcrErrorFields {
  readonly code: VcrErrorCode;
  readonly file?: string;
  /** Counted from 1. */
  readonly line?: number;
  readonly differences?: readonly Difference[];
}

/**
 * One field in which a request differs from its recording. An absent value means that this side has
 * no such field.
 */
export interface Difference {
  readonly field: string;
  readonly expected?: string;
  readonly actual?: string;
}

/** The error that this package throws for every failure. Switch on its `code`. */
export class VcrError extends Error {
  override readonly name = "VcrError";
  readonly isVcrError = true;
  readonly code: VcrErrorCode;
  readonly file: string | undefined;
  readonly line: number | undefined;
  readonly differences: readonly Difference[];

  constructor(message: string, fields: VcrErrorFields, options?: ErrorOptions) {
    super(message, options);
    this.code = fields.code;
    this.file = fields.file;
    this.line = fields.line;
    this.differences = fields.differences ?? [];
  }
}

/** Whether a value is a `VcrError`. Unlike `instanceof` it also works across realms and duplicate installations. */
export const isVcrError = (error: unknown): error is VcrError =>
  typeof error === "object" && error !== null && "isVcrError" in error;

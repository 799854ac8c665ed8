import type { Reply } from "./event.ts";
import { isJsonObject } from "./json.ts";

/** All error categories. docs/reference/errors.md says what to do about each. */
export const errorCategories = [
  "auth",
  "permission",
  "rate_limit",
  "quota",
  "invalid_argument",
  "not_found",
  "context_overflow",
  "content_filter",
  "overloaded",
  "server",
  "timeout",
  "network",
  "aborted",
  "protocol",
  "unknown",
] as const;
/** The kind of a failure, for programs to switch on. */
export type ErrorCategory = (typeof errorCategories)[number];

/** The fields of a `MullError`. */
export interface MullErrorFields {
  readonly category: ErrorCategory;
  /** HTTP status, if there was one. */
  readonly status?: number | undefined;
  /** The service's own code, or one of ours, e.g. `truncated`, `empty_response`. */
  readonly code?: string | undefined;
  readonly requestId?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly retryable?: boolean | undefined;
  readonly provider?: string | undefined;
  /** The rule that predicted or explains it, and what to do. */
  readonly rule?: string | undefined;
  readonly fix?: string | undefined;
  /** What had arrived before a stream broke. */
  readonly partial?: Reply | undefined;
  /** The model's answer, if it should have been an object. */
  readonly text?: string | undefined;
  /** What was wrong with an argument. */
  readonly field?: string | undefined;
  readonly allowed?: readonly string[] | undefined;
}

/** The error that mull throws for every failure. Switch on its `category`. */
export class MullError extends Error {
  override readonly name = "MullError";
  readonly isMullError = true;
  declare readonly category: ErrorCategory;
  declare readonly status: number | undefined;
  declare readonly code: string | undefined;
  declare readonly requestId: string | undefined;
  declare readonly retryAfterMs: number | undefined;
  declare readonly retryable: boolean;
  declare readonly provider: string | undefined;
  declare readonly rule: string | undefined;
  declare readonly fix: string | undefined;
  declare readonly partial: Reply | undefined;
  declare readonly text: string | undefined;
  declare readonly field: string | undefined;
  declare readonly allowed: readonly string[] | undefined;
  /**
   * What a failed turn of an agent left in its history. `not-started`: nothing, so the question has to
   * be sent again. `partial`: the question and what arrived, so `resumeStream` continues from there.
   */
  declare turn: "not-started" | "partial" | undefined;

  constructor(
    message: string,
    { retryable = false, ...fields }: MullErrorFields,
    options?: ErrorOptions,
  ) {
    super(message, options);
    Object.assign(this, fields, { retryable });
  }
}

/**
 * Whether a value is a `MullError`. Unlike `instanceof` it also works across realms and duplicate
 * installations.
 */
export const isMullError = (error: unknown): error is MullError =>
  typeof error === "object" && error !== null && "isMullError" in error;

/** The error for a wrong argument, in words of the caller's. */
export const wrongArgument = (
  message: string,
  field: string,
  more?: Partial<MullErrorFields>,
): MullError =>
  new MullError(message, { category: "invalid_argument", code: "INVALID_ARG", field, ...more });

/** Another program listens on a port that was asked for. */
export const portTaken = (port: number): MullError =>
  new MullError(`Port ${port} is taken. Choose another one, or 0 for any that is free.`, {
    category: "invalid_argument",
    code: "port_taken",
    field: "port",
  });

/** The error for a wrong argument: what was given, and what is allowed. */
export const invalidArgument = (
  field: string,
  value: unknown,
  allowed: string | readonly string[],
): MullError => {
  const isText = typeof allowed === "string";
  const message = `${field}: ${show(value)} is not allowed. Allowed: ${isText ? allowed : allowed.join(" ")}`;
  return wrongArgument(message, field, isText ? {} : { allowed });
};

const show = (value: unknown): string => {
  if (typeof value === "bigint" || typeof value === "function" || typeof value === "symbol") {
    return typeof value;
  }
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch {
    text = undefined;
  }
  if (text === undefined) return String(value);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
};

/** Refuses a value that is not an object. */
export function requireObject(field: string, value: unknown, allowed: string): void {
  if (!isJsonObject(value)) throw invalidArgument(field, value, allowed);
}

/** Refuses a value that is not a function. */
export function requireFunction(field: string, value: unknown): void {
  if (typeof value !== "function") throw invalidArgument(field, value, "a function");
}

/** Refuses a value that is not an array. */
export function requireList(field: string, value: unknown, allowed: string): void {
  if (!Array.isArray(value)) throw invalidArgument(field, value, allowed);
}

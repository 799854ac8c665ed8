import { isMullError, MullError } from "mull";
import { storeError } from "../store-error.ts";

/** Beginnings of SQLSTATEs and system codes that mean something to the caller. */
const meanings: readonly (readonly [RegExp, "full" | "busy" | "unavailable"])[] = [
  [/^(53100|ENOSPC|EDQUOT)/, "full"],
  [/^53300/, "busy"],
  [/^(08|57P0|25006|58|ECONN|ENOTFOUND|EAI_AGAIN|EPIPE|ETIMEDOUT|ENOENT)/, "unavailable"],
];
const sentences = {
  full: "The database has no room left. Nothing was written; try again when there is room.",
  busy: "All connections to the database are in use. Try again in a moment.",
  unavailable: "The database cannot be reached at the moment.",
} as const;

const isLostLine = ({ message }: Error): boolean =>
  /Connection terminated|connection timeout|has ended|not queryable/i.test(message);

/** What an engine threw, as an error of the store. Other SQL errors pass with their SQLSTATE. */
export function engineError(error: unknown): unknown {
  if (isMullError(error) || !(error instanceof Error)) return error;
  const code = codeOf(error);
  if (code === "57014" || error.message === "Query read timeout") {
    const fields = { category: "timeout", status: 503, code: "timeout", retryable: true } as const;
    return new MullError("The database took too long to answer.", fields, { cause: error });
  }
  const meaning = isLostLine(error)
    ? "unavailable"
    : meanings.find(([pattern]) => pattern.test(code))?.[1];
  return meaning === undefined ? error : storeError(meaning, sentences[meaning], error);
}

export const isBusy = (): MullError => storeError("busy", sentences.busy);

/**
 * Why another attempt is allowed. `undone`: the engine rolled everything back, or never received
 * it. `lost`: the outcome is unknown.
 */
export function whyAgain(error: unknown): "undone" | "lost" | undefined {
  if (!(error instanceof Error)) return undefined;
  const cause = isMullError(error) && error.cause instanceof Error ? error.cause : error;
  const code = codeOf(cause);
  if (/^(40001|40P01|57P03|ECONNREFUSED)/.test(code)) return "undone";
  const isLost = /^(57P01|57P02|08|ECONNRESET|EPIPE)/.test(code) || isLostLine(cause);
  return isLost ? "lost" : undefined;
}

const codeOf = (error: Error): string => {
  if ("code" in error && typeof error.code === "string") return error.code;
  // Several addresses were tried; each failure is inside.
  const [first] = error instanceof AggregateError ? (error.errors as unknown[]) : [];
  return first instanceof Error ? codeOf(first) : "";
};

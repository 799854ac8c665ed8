import { isMullError, MullError } from "mull";
import { storeError } from "../store-error.ts";

/** SQLSTATEs and system codes, by their beginning, that mean something to the caller. */
const meanings: readonly (readonly [RegExp, "full" | "unavailable"])[] = [
  [/^(53100|ENOSPC|EDQUOT)/, "full"],
  [/^(08|57P0|53300|25006|58|ECONN|ENOTFOUND|EAI_AGAIN|EPIPE|ETIMEDOUT|ENOENT)/, "unavailable"],
];
const sentences = {
  full: "The database has no room left. Nothing was written in part; try again when there is room.",
  unavailable: "The database cannot be reached at the moment.",
} as const;

/** What an engine threw, in the words of the store. Other SQL errors pass with their SQLSTATE. */
export function engineError(error: unknown): unknown {
  if (isMullError(error) || !(error instanceof Error)) return error;
  const code = codeOf(error);
  if (code === "57014") {
    const fields = { category: "timeout", status: 503, code: "timeout", retryable: true } as const;
    return new MullError("The database took too long to answer.", fields, { cause: error });
  }
  const isGone = /Connection terminated|connection timeout|has ended/i.test(error.message);
  const meaning = isGone ? "unavailable" : meanings.find(([pattern]) => pattern.test(code))?.[1];
  return meaning === undefined ? error : storeError(meaning, sentences[meaning], error);
}

const codeOf = (error: Error): string => {
  if ("code" in error && typeof error.code === "string") return error.code;
  // Several addresses were tried: each failure is inside.
  const [first] = error instanceof AggregateError ? (error.errors as unknown[]) : [];
  return first instanceof Error ? codeOf(first) : "";
};

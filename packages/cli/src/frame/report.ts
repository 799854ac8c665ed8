import type { MullError } from "mull";

import { exitCodeOf, exitCodes } from "./exit-code.ts";
import { say } from "./fold.ts";
import { ClosedPipe, type Io } from "./io.ts";
import { UsageError } from "./usage-error.ts";
import { fileTrouble, isFileTrouble } from "../wire-tools/input.ts";

/** Prints the error on stderr in one sentence with what to do, and returns the exit code. */
export function reportFailure(error: unknown, io: Io): number {
  if (error instanceof ClosedPipe) return exitCodes.closedPipe;
  if (error instanceof UsageError) {
    say(io, `✗ ${error.message}\n${error.hint === undefined ? "" : `  ${error.hint}\n`}`);
    return exitCodes.usage;
  }
  if (isMullError(error)) {
    // Who stops it knows that it was stopped.
    if (error.category !== "aborted") say(io, describeMullError(error));
    return exitCodeOfError(error);
  }
  if (io.signal.aborted) return exitCodes.interrupted;
  if (isListenTrouble(error)) {
    say(io, `✗ Cannot listen there: ${error.message}\n`);
    return exitCodes.usage;
  }
  if (isFileTrouble(error)) {
    const { path } = error as { readonly path?: string };
    say(io, `✗ ${path ?? "Cannot write"}: ${fileTrouble(error)}\n`);
    return exitCodes.broken;
  }
  io.err(
    `✗ This is a bug in mull: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  return exitCodes.bug;
}

/** A host or port that this machine cannot give, e.g. an address that is not its own. */
const isListenTrouble = (error: unknown): error is Error =>
  error instanceof Error &&
  "syscall" in error &&
  (error.syscall === "listen" || error.syscall === "getaddrinfo");

/** A request refused here never reached a service, so it counts as wrong usage. */
export function exitCodeOfError(error: MullError): number {
  const isOurs = error.status === undefined && error.category === "invalid_argument";
  return isOurs ? exitCodes.usage : exitCodeOf(error.category);
}

/** An answer that began well and broke off has no status worth showing. */
const statusOf = ({ status, category, message }: MullError): string | undefined => {
  if (status === undefined || message.includes(`(${status} `)) return undefined;
  return status < 400 ? category : `${status} ${category}`;
};

/** `advice` is used when the error has no fix of its own. */
export function describeMullError(error: MullError, advice?: string): string {
  const fix = error.fix ?? advice;
  const where = [statusOf(error), error.requestId].filter((word) => word !== undefined);
  return [
    `✗ ${error.message}${where.length === 0 ? "" : ` · ${where.join(" · ")}`}`,
    ...(error.rule === undefined ? [] : [`  rule  ${error.rule}`]),
    ...(fix === undefined ? [] : [`  fix   ${fix}`]),
    "",
  ].join("\n");
}

/** Asked here without loading the library. */
const isMullError = (error: unknown): error is MullError =>
  typeof error === "object" && error !== null && "isMullError" in error;

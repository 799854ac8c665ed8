import type { ErrorCategory } from "mull";

/** What a script can act on. `mull help` lists them. */
export const exitCodes = {
  done: 0,
  bug: 1,
  findings: 1,
  usage: 2,
  noAccess: 3,
  busy: 4,
  refused: 5,
  filtered: 6,
  broken: 7,
  cutShort: 8,
  interrupted: 130,
  closedPipe: 141,
} as const;

export const exitCodeTexts: readonly (readonly [number, string])[] = [
  [0, "done"],
  [1, "a bug in mull; for lint, encode, handoff, matrix, doctor and vcr scan: errors were found"],
  [2, "wrong usage, or rejected before anything was sent"],
  [3, "no key, or the key is not good for this"],
  [4, "rate limit, quota or overload, after retries"],
  [5, "the service refused the request"],
  [6, "the content filter refused"],
  [7, "network, time-out, server fault or a stream that was cut"],
  [8, "the answer was cut by the output limit"],
  [130, "Ctrl-C"],
  [141, "the reader closed the pipe"],
];

const byCategory: Readonly<Record<ErrorCategory, number>> = {
  auth: exitCodes.noAccess,
  permission: exitCodes.noAccess,
  rate_limit: exitCodes.busy,
  quota: exitCodes.busy,
  overloaded: exitCodes.busy,
  invalid_argument: exitCodes.refused,
  not_found: exitCodes.refused,
  context_overflow: exitCodes.refused,
  content_filter: exitCodes.filtered,
  network: exitCodes.broken,
  timeout: exitCodes.broken,
  server: exitCodes.broken,
  protocol: exitCodes.broken,
  unknown: exitCodes.broken,
  aborted: exitCodes.interrupted,
};

export const exitCodeOf = (category: ErrorCategory): number => byCategory[category];

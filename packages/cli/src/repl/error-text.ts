import { findProvider, isMullError, type Environment, type MullError } from "mull";
import { UsageError } from "../frame/usage-error.ts";
import { reachAdvice } from "../session/unreachable.ts";
import { waitSeconds } from "./format.ts";
import { toTerminal } from "./to-terminal.ts";

const advice: ReadonlyMap<string, readonly string[]> = new Map([
  ["permission", ["/keys        which keys are there, and how to set one"]],
  ["rate_limit", ["/retry       the same question again"]],
  ["quota", ["/model       another vendor"]],
  ["overloaded", ["/retry       the same question again"]],
  ["context_overflow", ["/new         start over   ·   /model  a larger window"]],
  ["not_found", ["/model       lists the models there are"]],
  ["network", ["/retry       the same question again"]],
  ["timeout", ["/retry       the same question again"]],
  ["server", ["/retry       the same question again"]],
  ["protocol", ["/retry       the same question again"]],
]);

/** The rule behind a refusal and what would repair it, if the words are known. */
export interface Explained {
  readonly rule: string;
  readonly detail: string;
}

export const isAborted = (error: unknown): boolean =>
  isMullError(error) && error.category === "aborted";

/** Whether a service says that it does not have this model. */
export const isMissing = (error: unknown, model: string): boolean =>
  isMullError(error) && error.category === "not_found" && error.message.includes(model);

/** Whether a refusal goes away with thinking off. */
export const isAboutThinking = (error: unknown): boolean =>
  isMullError(error) && /think|reason|seal|signature/i.test(`${error.rule} ${error.message}`);

/** What happened, the service's own words, the rule behind it, and what to do. */
export function errorLines(
  error: unknown,
  { known, env = {} }: { readonly known?: Explained | undefined; readonly env?: Environment } = {},
): readonly string[] {
  if (!isMullError(error)) {
    const text = error instanceof Error ? error.message : String(error);
    const hint = error instanceof UsageError && error.hint !== undefined ? [`  ${error.hint}`] : [];
    return [`✗ ${toTerminal(text)}`, ...hint];
  }
  const fixes = fixesOf(error, known, env);
  const rule = error.rule ?? known?.rule;
  return [
    `✗ ${headline(error)}`,
    ...(error.status === undefined ? [] : indented(error.message)),
    ...(rule === undefined ? [] : [`  rule  ${rule}${placeOf(error)}`]),
    ...fixes.map((fix, index) => `  ${index === 0 ? "fix " : "    "}  ${fix}`),
  ];
}

function headline(error: MullError): string {
  if (error.status === undefined) return toTerminal(error.message);
  const vendor = vendorOf(error.provider);
  const isBroken = error.status < 400 && breaks.has(error.category);
  const what = error.status < 500 ? "refused the request" : "failed";
  return [
    isBroken ? `The answer of ${vendor} broke off` : `${vendor} ${what}`,
    isBroken ? error.category : `${error.status} ${error.category}`,
    ...(error.requestId === undefined ? [] : [toTerminal(error.requestId)]),
  ].join(" · ");
}

/** Errors inside a started stream: the status is 200, so nothing was refused. */
const breaks: ReadonlySet<string> = new Set([
  "network",
  "timeout",
  "server",
  "overloaded",
  "protocol",
]);

/** The name of the provider an error or a plan is about; `unnamed` if it is about none. */
export function vendorOf(provider: string | undefined, unnamed = "The service"): string {
  if (provider === undefined) return unnamed;
  try {
    return findProvider(provider).name;
  } catch {
    return provider;
  }
}

/** Only the service's words: the headline names the service and the status. */
const indented = (text: string): readonly string[] =>
  toTerminal(text.replace(/^[\w-]+: (?=\S)/, "").replace(/ \(\d{3}[^()]*\)$/, ""))
    .split("\n")
    .filter((line) => line.trim() !== "")
    .slice(0, 8)
    .map((line) => `  ${line}`);

const placeOf = (error: MullError): string =>
  error.field === undefined ? "" : `   at ${toTerminal(error.field)}`;

function fixesOf(
  error: MullError,
  known: Explained | undefined,
  env: Environment,
): readonly string[] {
  const own = error.fix === undefined ? [] : [toTerminal(error.fix)];
  if (error.category === "invalid_argument" && error.status !== undefined) {
    const about = isAboutThinking(error)
      ? "send this turn with thinking off; the receipt will say so"
      : `${known?.detail ?? "repair the request and send it again"}; the receipt will say so`;
    return [...own, `/retry fix   ${about}`, "/lint        every problem in this conversation"];
  }
  if (error.category === "auth") return keyFixes(error, own);
  const usual = advice.get(error.category) ?? [];
  return [...own, ...reachAdvice(error, env), ...waitAdvice(error), ...usual];
}

/** How long the service asks to wait, if it says so. */
export const waitAdvice = ({ retryAfterMs, provider }: MullError): readonly string[] =>
  retryAfterMs === undefined
    ? []
    : [`${vendorOf(provider)} asks you to wait ${waitSeconds(retryAfterMs)}.`];

function keyFixes({ provider, code }: MullError, own: readonly string[]): readonly string[] {
  const set = provider === undefined ? undefined : `/keys set ${provider}`;
  if (set !== undefined && code === "missing_key") return [`${set}   store a key`, ...own];
  const list = "/keys".padEnd(set?.length ?? 0);
  return [
    ...own,
    ...(set === undefined ? [] : [`${set}   store another key`]),
    `${list}   which key is used, and where it comes from`,
  ];
}

import type { GatewayReceipt } from "@mull/gateway";
import type { Usage } from "mull";
import { grouped, plural } from "mull/wire";

import { toTerminal } from "../session/to-terminal.ts";
import { describeCost, dollars, seconds } from "../repl/format.ts";

/**
 * One line for one request: the model asked for, the model that answered, the changes, and the
 * cost.
 */
export function receiptLine(receipt: GatewayReceipt): string {
  const { status, asked, action, error, totalMs, usage, cost } = receipt;
  return onOneLine([
    `${localTime(receipt.startedAt)} ${status} ${routeOf(receipt)}`,
    ...(action === "generate" || asked === "" ? [] : [action]),
    ...(error === undefined ? [] : [`✗ ${error.message}`]),
    ...(usage === undefined ? [] : [tokensOf(usage)]),
    ...(cost === undefined ? [] : [describeCost(cost)]),
    seconds(totalMs),
    ...changesOf([receipt]),
  ]);
}

/** Everything a program did, on one line. */
export function summaryLine(receipts: readonly GatewayReceipt[]): string {
  const answers = receipts.filter(({ action }) => action === "generate" || action === "compact");
  if (answers.length === 0) return "nothing was asked";
  const models = new Set(answers.map((receipt) => answererOf(receipt) ?? receipt.asked));
  const failed = answers.flatMap(({ error }) => (error === undefined ? [] : [error.message]));
  const costs = answers.flatMap(({ cost }) => (cost === undefined ? [] : [cost]));
  const isWhole =
    costs.length === answers.length - failed.length &&
    costs.every(({ atLeast }) => atLeast !== true);
  const total = costs.reduce((sum, cost) => sum + cost.total, 0);
  return onOneLine([
    [...models].join(", "),
    plural(answers.length, "request"),
    tokensOf(sumOf(answers.flatMap(({ usage }) => (usage === undefined ? [] : [usage])))),
    ...(costs.length === 0 ? [] : [`${isWhole ? "" : "at least "}${dollars(total)}`]),
    ...(failed.length === 0 ? [] : [`${failed.length} failed: ${failed.at(-1)}`]),
    ...changesOf(answers),
  ]);
}

/** Names come from clients, and sentences from services: a line break among them would fake a line. */
const onOneLine = (words: readonly string[]): string =>
  toTerminal(words.join(" · ").replaceAll(/\s+/g, " "));

const localTime = (ms: number): string => new Date(ms).toTimeString().slice(0, 8);

const answererOf = ({ model, level }: GatewayReceipt): string | undefined =>
  model === undefined ? undefined : level === undefined ? model : `${model}/${level}`;

/** `claude-opus-5-5 → gpt-6-sol/high`, or one name if nothing was changed. */
function routeOf(receipt: GatewayReceipt): string {
  const { asked, model, lane, action } = receipt;
  const answerer = answererOf(receipt);
  if (asked === "") return action === "none" ? "refused" : action;
  if (answerer === undefined || answerer === asked || (lane === "pass" && asked === model))
    return answerer ?? asked;
  return `${asked} → ${answerer}`;
}

type TokenSum = Omit<Usage, "raw">;

const sumOf = (all: readonly TokenSum[]): TokenSum => {
  const sum = (name: "input" | "cacheRead" | "cacheWrite" | "output" | "thinking"): number =>
    all.reduce((count, usage) => count + (usage[name] ?? 0), 0);
  return {
    input: sum("input"),
    cacheRead: sum("cacheRead"),
    cacheWrite: sum("cacheWrite"),
    output: sum("output"),
    thinking: sum("thinking"),
  };
};

function tokensOf({
  input = 0,
  cacheRead = 0,
  cacheWrite = 0,
  output = 0,
  thinking = 0,
}: TokenSum): string {
  const cached = cacheRead === 0 ? "" : ` (${grouped(cacheRead)} cached)`;
  return `${grouped(input + cacheRead + cacheWrite)} in${cached}, ${grouped(output + thinking)} out`;
}

/** What the gateway changed or lost, so that nothing happens in silence. */
function changesOf(receipts: readonly GatewayReceipt[]): readonly string[] {
  const repairs = receipts.flatMap((receipt) => receipt.repairs);
  const withheld = receipts.flatMap((receipt) => receipt.withheld);
  const lost = receipts.flatMap(({ seals }) => seals.lost);
  const opened = receipts.reduce((sum, { seals }) => sum + seals.opened, 0);
  const broken = receipts.reduce((sum, { seals }) => sum + seals.broken, 0);
  const fallbacks = receipts.flatMap((receipt) => receipt.fallbacks);
  return [
    ...(opened === 0 ? [] : [`${plural(opened, "thought")} kept`]),
    ...(broken === 0
      ? []
      : [`${plural(broken, "seal")} of another MULL_GATEWAY_SECRET, or damaged`]),
    ...(repairs.length === 0 ? [] : [`${repairs.length} repaired`]),
    ...(withheld.length === 0 ? [] : [withheldOf(withheld)]),
    ...(lost.length === 0 ? [] : [`${plural(lost.length, "seal")} lost`]),
    ...[...new Set(fallbacks.map(({ model }) => model))].map((model) => `instead of ${model}`),
  ];
}

/** How many thoughts their model did not get back, and why: `2 thoughts withheld: it carries no seal`. */
function withheldOf(withheld: GatewayReceipt["withheld"]): string {
  const reasons = new Set(withheld.map(({ detail }) => detail.slice(detail.indexOf(": ") + 2)));
  return `${plural(withheld.length, "thought")} withheld: ${[...reasons].join("; ")}`;
}

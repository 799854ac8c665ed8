import { plural } from "mull/wire";
import { describeRoom, type Cost, type Receipt, type Usage } from "mull";
import { formatCost, formatCount, formatDuration } from "../format.ts";

/** The content of a step's `data-receipt` part. */
export interface StepReceipt {
  readonly receipt: Receipt;
  readonly usage: Usage;
  readonly cost?: Cost;
  readonly timing?: { readonly firstMs?: number; readonly totalMs?: number };
}

export interface ReceiptRow {
  readonly name: string;
  readonly value: string;
  /** Shown as data. */
  readonly isCode?: true;
}

/** A step may be stored without its receipt, or by a server that is newer than the page. */
export function isStepReceipt(data: unknown): data is StepReceipt {
  const plan = (data as Partial<StepReceipt> | undefined)?.receipt?.plan;
  return plan !== undefined && typeof plan.asked === "string";
}

/** The warning that ends an answer which was not sent as asked; nothing where it was. */
export function warnOf(steps: readonly StepReceipt[]): string | undefined {
  const step = steps.find(({ receipt }) => reasonOf(receipt) !== undefined);
  if (step === undefined) return undefined;
  const { plan } = step.receipt;
  const got = plan.applied === plan.asked ? "" : `asked ${plan.asked}, got ${plan.applied}: `;
  return `${got}${reasonOf(step.receipt)}`;
}

function reasonOf({ plan, repairs, notes }: Receipt): string | undefined {
  const warning = [...notes, ...plan.notes].find(({ severity }) => severity === "warning");
  if (warning !== undefined) return lowerFirst(warning.message);
  return repairs[0] === undefined ? undefined : `repaired: ${repairs[0].detail}`;
}

const lowerFirst = (text: string): string =>
  /^[A-Z][a-z]/.test(text) ? text[0]!.toLowerCase() + text.slice(1) : text;

const list = (name: string, values: readonly string[]): readonly ReceiptRow[] =>
  values.map((value) => ({ name, value }));

export function listRows({ receipt, usage, cost, timing }: StepReceipt): readonly ReceiptRow[] {
  const { plan, sent, withheld, changes, repairs, attempts, notes } = receipt;
  const messages = [...new Set([...plan.notes, ...notes].map(({ message }) => message))];
  return [
    {
      name: "asked",
      value: plan.askedBudget === undefined ? plan.asked : `${plan.askedBudget} tokens`,
    },
    { name: "applied", value: plan.applied },
    ...list("why", messages),
    { name: "sent", value: JSON.stringify(sent, undefined, 2), isCode: true },
    ...(receipt.echo === undefined
      ? []
      : [
          {
            name: "echoed",
            value: JSON.stringify(receipt.echo, undefined, 2),
            isCode: true as const,
          },
        ]),
    { name: "room", value: describeRoom(plan) },
    {
      name: "shown",
      value:
        plan.visibleReason === undefined ? plan.visible : `${plan.visible}: ${plan.visibleReason}`,
    },
    ...list("withheld", summarise(withheld.map(({ detail }) => detail))),
    ...list("changed", summarise(changes.map(({ detail }) => detail))),
    ...(repairs.length === 0
      ? [{ name: "repaired", value: "nothing" }]
      : list(
          "repaired",
          repairs.map(({ rule, detail }) => `${rule}: ${detail}`),
        )),
    ...(attempts.length > 1 ? list("attempts", [describeAttempts(receipt)]) : []),
    { name: "tokens", value: describeUsage(usage) },
    {
      name: "cost",
      value: `${receipt.unfinished ? "broke off · " : ""}${describeCost(cost)}`,
    },
    ...(timing?.totalMs === undefined ? [] : [{ name: "time", value: describeTiming(timing) }]),
    ...(receipt.servedModel === undefined
      ? []
      : [{ name: "served by", value: receipt.servedModel }]),
    ...(receipt.requestId === undefined ? [] : [{ name: "request", value: receipt.requestId }]),
  ];
}

function summarise(details: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const detail of details) counts.set(detail, (counts.get(detail) ?? 0) + 1);
  return [...counts].map(([detail, count]) => (count === 1 ? detail : `${count} × ${detail}`));
}

const describeAttempts = ({ attempts }: Receipt): string =>
  `${plural(attempts.length, "attempt")}: ${attempts.map(({ status, error }) => String(status ?? error ?? "cut")).join(", ")}`;

function describeUsage(usage: Usage): string {
  const source = usage.thinkingSource === undefined ? "" : ` ${usage.thinkingSource}`;
  const about = usage.estimated ? "~" : "";
  return [
    ...(usage.input === undefined ? [] : [`in ${about}${formatCount(usage.input)}`]),
    ...(usage.cacheRead === undefined ? [] : [`cache ${formatCount(usage.cacheRead)}`]),
    usage.thinking === undefined
      ? "thinking not reported"
      : `thinking ${formatCount(usage.thinking)}${source}`,
    ...(usage.output === undefined ? [] : [`out ${about}${formatCount(usage.output)}`]),
  ].join(" · ");
}

const describeCost = (cost: Cost | undefined): string =>
  cost === undefined
    ? "not known"
    : cost.atLeast
      ? `at least ${cost.estimated ? "~" : ""}${formatCost(cost.total)}`
      : `${formatCost(cost.total)}${cost.estimated ? " estimated" : ""}`;

const describeTiming = ({ firstMs, totalMs = 0 }: NonNullable<StepReceipt["timing"]>): string =>
  [
    ...(firstMs === undefined ? [] : [`first token ${formatDuration(firstMs)}`]),
    `total ${formatDuration(totalMs)}`,
  ].join(" · ");

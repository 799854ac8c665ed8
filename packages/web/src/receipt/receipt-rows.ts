import { plural } from "mull/wire";
import { describeRoom, type Cost, type Receipt, type Usage } from "mull";
import { formatCost, formatCount, formatDuration } from "../format.ts";
import type { StepReceipt } from "./step-receipt.ts";

export interface ReceiptRow {
  readonly name: string;
  readonly value: string;
  /** Shown as data. */
  readonly isCode?: true;
}

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

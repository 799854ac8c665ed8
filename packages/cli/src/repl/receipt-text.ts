import { describeRoom, type Receipt, type Usage } from "mull";
import { grouped, plural } from "mull/wire";
import { sharesOf, type LedgerEntry } from "./answer.ts";
import { describeCost, seconds } from "./format.ts";

type ReceiptLine = readonly [label: string, text: string];

/** Everything about one answer: asked, applied, sent, shown, withheld, repaired, counted. */
export function receiptLines(answer: LedgerEntry, number: number, columns = 80): readonly string[] {
  const receipt = answer.receipts.at(-1);
  if (receipt === undefined) return ["✗ This answer has no receipt: it came from another program."];
  const { plan } = receipt;
  const steps = answer.receipts.length > 1 ? ` · step ${answer.receipts.length}` : "";
  const lines: readonly ReceiptLine[] = [
    ["asked", plan.askedBudget === undefined ? plan.asked : `${grouped(plan.askedBudget)} tokens`],
    ["applied", reasoned(plan.applied, adjustmentOf(receipt))],
    ...sentLines(receipt),
    ["room", describeRoom(plan)],
    ...shownLines(receipt, columns),
    ...withheldLines([receipt]),
    ...receipt.changes.map((change): ReceiptLine => ["changed", change.detail]),
    ...attemptLines(receipt),
    ["tokens", tokensLine(answer.usage)],
    ...shareLines(answer),
    ["cost", costLine(answer)],
    ...otherNotes(receipt).map((note): ReceiptLine => ["note", note]),
  ];
  return [
    `receipt · answer ${number}${answer.cut === undefined ? "" : ` · ${answer.cut}`} · ${plan.model}${steps}${receipt.simulated ? " · simulated" : ""}${receipt.requestId === undefined ? "" : ` · ${receipt.requestId}`}`,
    ...labelled(lines),
  ];
}

const labelled = (lines: readonly ReceiptLine[]): readonly string[] =>
  lines.map(([label, text], index) => {
    const shown = lines[index - 1]?.[0] === label ? "" : label;
    return `  ${shown.padEnd(10)}${text}`;
  });

const reasoned = (value: string, reason: string | undefined): string =>
  reason === undefined ? value : `${value.padEnd(19)}${reason}`;

/** Why what was applied is not what was asked; `undefined` when it is. */
function adjustmentOf(receipt: Receipt): string | undefined {
  const { plan, notes } = receipt;
  const isSame = plan.asked === plan.applied || plan.asked === "auto";
  const note =
    notes.find(({ code }) => code === "open-loop") ??
    (isSame ? undefined : notes.find(({ severity }) => severity === "warning"));
  if (note?.code === "cannot-disable") return "this model cannot turn thinking off";
  if (note !== undefined) return sentence(note.message);
  return isSame
    ? undefined
    : sentence(notes[0]?.message ?? "the nearest level that this model has");
}

/** One line after an answer that was adjusted; none after one that was sent as asked. */
export function adjustedLine(receipt: Receipt): string | undefined {
  const { plan, repairs } = receipt;
  const reason = adjustmentOf(receipt);
  const isAdjusted = plan.asked !== plan.applied && plan.asked !== "auto";
  if (isAdjusted && reason !== undefined)
    return `⚠ asked ${plan.asked}, got ${plan.applied}: ${reason} · ^O`;
  if (repairs.length > 0) return `⚠ repaired: ${sentence(repairs[0]!.detail)} · ^O`;
  return reason === undefined ? undefined : `⚠ ${reason} · ^O`;
}

const sentence = (text: string): string => {
  const first = text.replace(/\.$/, "");
  return /^[A-Z][a-z]+ /.test(first) ? first[0]!.toLowerCase() + first.slice(1) : first;
};

function sentLines({ sent }: Receipt): readonly ReceiptLine[] {
  const fields = Object.entries(sent);
  if (fields.length === 0) return [["sent", "nothing about thinking"]];
  return fields.map(([name, value]): ReceiptLine => ["sent", `${name} ${JSON.stringify(value)}`]);
}

function shownLines({ plan, repairs }: Receipt, columns: number): readonly ReceiptLine[] {
  const shown =
    plan.visible === "nothing" ? `nothing: ${plan.visibleReason ?? "not shown"}` : plan.visible;
  const repaired =
    repairs.length === 0
      ? "nothing"
      : repairs.map(({ rule, detail }) => `${sentence(detail)} (${rule})`).join("; ");
  if (shown.length < 19 && columns >= 60)
    return [["shown", `${shown.padEnd(19)}repaired  ${repaired}`]];
  return [
    ["shown", shown],
    ["repaired", repaired],
  ];
}

function withheldLines(receipts: readonly Receipt[]): readonly ReceiptLine[] {
  const withheld = receipts.flatMap((receipt) => receipt.withheld);
  if (withheld.length === 0) return [];
  const details = [...new Set(withheld.map((change) => change.detail))];
  const text = `${plural(withheld.length, "thought")}, kept here: ${details.join("; ")}`;
  return [["withheld", text]];
}

function attemptLines({ attempts }: Receipt): readonly ReceiptLine[] {
  if (attempts.length < 2) return [];
  const words = attempts.map(({ status, error }) => String(status ?? error ?? "sent"));
  return [["attempts", words.join(", ")]];
}

const count = (value: number | undefined): string =>
  value === undefined ? "not reported" : grouped(value);

function tokensLine(usage: Usage): string {
  const source = usage.thinking === undefined ? "" : ` ${usage.thinkingSource ?? "reported"}`;
  const cache = (usage.cacheRead ?? 0) + (usage.cacheWrite ?? 0);
  const about = usage.estimated ? "~" : "";
  return [
    `in ${about}${count(usage.input)}`,
    ...(cache > 0 ? [`cache ${grouped(usage.cacheRead ?? 0)}`] : []),
    `thinking ${count(usage.thinking)}${source}`,
    `out ${about}${count(usage.output)}`,
  ].join(" · ");
}

/** If several models share the turn: what each of them used. */
function shareLines(answer: LedgerEntry): readonly ReceiptLine[] {
  const shares = sharesOf(answer);
  if (shares.length < 2) return [];
  return shares.map(({ model, usage, cost }): ReceiptLine => {
    const price = cost === undefined ? "price not known" : describeCost(cost);
    return ["each", `${model} · ${tokensLine(usage)} · ${price}`];
  });
}

function costLine(answer: LedgerEntry): string {
  const { cost, cut, firstMs, thinkingMs, totalMs } = answer;
  return [
    ...(cut === undefined ? [] : [cut]),
    cost === undefined ? "not known" : describeCost(cost),
    ...(firstMs === undefined ? [] : [`first token ${seconds(firstMs)}`]),
    ...(thinkingMs === 0 ? [] : [`thought ${seconds(thinkingMs)}`]),
    `total ${seconds(totalMs)}`,
  ].join(" · ");
}

/** Notes that the lines above have not told. */
function otherNotes(receipt: Receipt): readonly string[] {
  const told = adjustmentOf(receipt);
  return receipt.notes
    .filter(({ code, message }) => code !== "cannot-disable" && sentence(message) !== told)
    .map(({ message }) => message);
}

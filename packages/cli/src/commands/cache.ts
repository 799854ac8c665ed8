import { sumReceipts, type CacheMiss, type Cost, type Receipt } from "mull";

import { pathsOf } from "../config/paths.ts";
import { findConversation } from "../conversations/folder.ts";
import { columns } from "../frame/columns.ts";
import type { RunCommand } from "../frame/command.ts";
import { exitCodes } from "../frame/exit-code.ts";
import { print } from "../frame/fold.ts";
import { answerFromJson } from "../repl/answer.ts";
import { describeCost } from "../repl/format.ts";
import { toOneLine } from "../repl/to-terminal.ts";

/** What the prompt cache did for one turn, its steps added up. */
export interface CacheRow {
  readonly model: string;
  readonly input: number | null;
  readonly read: number | null;
  readonly written: number | null;
  /** Tokens that were expected from the cache; null if none could be. */
  readonly predicted: number | null;
  /** Why less was read; null if nothing was missed. */
  readonly miss: CacheMiss | null;
  readonly cost: Cost | null;
}

export const run: RunCommand = async (given, io) => {
  const file = await findConversation(pathsOf(io).conversations, given.words[0]);
  const { readJsonlConversation } = await import("@mull/store/jsonl");
  const { turns } = await readJsonlConversation(file.path);
  const rows = turns.flatMap(({ data }) => {
    const answer = answerFromJson(data, 0, 0);
    return answer === undefined ? [] : [rowOf(answer.model, answer.receipts)];
  });
  if (given.has("json")) await io.out(`${JSON.stringify(rows)}\n`);
  else {
    const head = ["turn", "model", "in", "read", "written", "predicted", "missed", "cost"];
    await io.out(columns(head, rows.map(cells), io));
    for (const line of remarks(rows)) await print(io, `${line}\n`);
  }
  return exitCodes.done;
};

function rowOf(model: string, receipts: readonly Receipt[]): CacheRow {
  const { usage, cost, costAtLeast = cost } = sumReceipts(receipts);
  const reports = receipts.flatMap(({ cache }) => cache ?? []);
  return {
    model,
    input: usage.input ?? null,
    read: usage.cacheRead ?? null,
    written: usage.cacheWrite ?? null,
    predicted: reports.length === 0 ? null : sum(reports.map(({ predicted }) => predicted)),
    miss: reports.find(({ miss }) => miss !== undefined)?.miss ?? null,
    cost: costAtLeast ?? null,
  };
}

const sum = (counts: readonly number[]): number => counts.reduce((all, one) => all + one, 0);

/** What the request changed, in words. The service's own reasons are words already. */
const changes: ReadonlyMap<string, string> = new Map([
  ["model", "another model"],
  ["level", "another level"],
  ["tools", "other tools"],
  ["system", "another system prompt"],
  ["history", "an earlier message changed"],
  ["too-old", "too old"],
]);

const cells = (row: CacheRow, index: number): readonly string[] => [
  String(index + 1),
  row.model,
  count(row.input),
  count(row.read),
  count(row.written),
  count(row.predicted),
  row.miss === null ? "" : reasonOf(row.miss),
  row.cost === null ? "unknown" : describeCost(row.cost),
];

const reasonOf = ({ by, reason }: CacheMiss): string =>
  (by === "request" ? changes.get(reason) : undefined) ??
  `the service: ${toOneLine(reason).replaceAll("_", " ")}`;

function remarks(rows: readonly CacheRow[]): readonly string[] {
  if (rows.length === 0) return ["Nothing was answered in this conversation."];
  return rows.some(({ read, written }) => (read ?? 0) + (written ?? 0) > 0)
    ? []
    : [
        "Nothing was cached. Claude caches with --cache 5m or --cache 1h; others do it by themselves.",
      ];
}

/** Unknown is not zero. */
const count = (tokens: number | null): string => tokens?.toLocaleString("en-US") ?? "–";

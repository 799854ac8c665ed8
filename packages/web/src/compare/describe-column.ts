import { formatTokens, formatDuration } from "../format.ts";
import { describeSpent } from "../receipt/describe-spent.ts";
import type { ThreadTurn } from "../thread/read-turn.ts";

/** Time, thinking and cost of an answer, to be read across the columns. */
export interface ColumnFacts {
  readonly time: string;
  readonly thinking: string;
  readonly cost: string;
}

const unknown = "not known";

/** `undefined` while it is being written. */
export function describeColumn(turn: ThreadTurn): ColumnFacts | undefined {
  const { startedAt, endedAt, usage, state } = turn.facts;
  if (state === undefined || state === "running") return undefined;
  const isTimed = startedAt !== undefined && endedAt !== undefined;
  return {
    time: isTimed ? formatDuration(endedAt - startedAt) : unknown,
    thinking:
      usage?.thinking === undefined
        ? unknown
        : `${usage.estimated === true ? "~" : ""}${formatTokens(usage.thinking)}`,
    cost: describeSpent(turn) ?? unknown,
  };
}

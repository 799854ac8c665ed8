import type { StoredMessage, Turn } from "@mull/store";
import { quantile } from "../load/row.ts";
import { createStampReader } from "../load/stamps.ts";
import type { Asked } from "./asker.ts";

/** What the store has of a conversation. */
export interface Kept {
  readonly messages: readonly StoredMessage[];
  readonly turns: readonly Turn[];
}

/** What became of all questions. Every field counts questions and their answers. */
export interface Verdict {
  readonly acknowledged: number;
  readonly stored: number;
  /** Acknowledged, but not stored. */
  readonly lost: number;
  /** Stored more than once, or answered more than once. */
  readonly doubled: number;
  /** Read to their end. */
  readonly whole: number;
  /** Of those, the ones stored differently from what was read. */
  readonly differing: number;
  /** Broken off, with words that were read but not stored. */
  readonly unstored: number;
  /** For the worst of them, milliseconds of speech that were read but not stored. */
  readonly unstoredMs: number;
  readonly readOn: number;
  readonly refused: Readonly<Record<string, number>>;
}

/** Compares what the askers saw with what is stored. */
export function judge(asked: readonly Asked[], keptOf: (conversation: string) => Kept): Verdict {
  const each = asked.map((one) => judgeOne(one, keptOf(one.conversation)));
  const count = (is: (one: Judged) => boolean): number => each.filter(is).length;
  const refused: Record<string, number> = {};
  for (const name of asked.flatMap((one) => one.refused)) refused[name] = (refused[name] ?? 0) + 1;
  return {
    acknowledged: count(({ isAcknowledged }) => isAcknowledged),
    stored: count(({ isAcknowledged, copies }) => isAcknowledged && copies > 0),
    lost: count(({ isAcknowledged, copies }) => isAcknowledged && copies === 0),
    doubled: count(({ copies, answers }) => copies > 1 || answers > 1),
    whole: count(({ isWhole }) => isWhole),
    differing: count(({ isDiffering }) => isDiffering),
    unstored: count(({ missing }) => missing !== ""),
    unstoredMs: Math.max(0, ...each.map(({ missing }) => durationOf(missing))),
    readOn: asked.reduce((sum, one) => sum + one.readOn, 0),
    refused,
  };
}

interface Judged {
  readonly isAcknowledged: boolean;
  readonly copies: number;
  readonly answers: number;
  readonly isWhole: boolean;
  readonly isDiffering: boolean;
  /** What was read of a broken-off answer but isn't stored. */
  readonly missing: string;
}

function judgeOne({ mark, turn, seen, end }: Asked, { messages, turns }: Kept): Judged {
  const questions = messages.filter(
    ({ message }) => message.role === "user" && textOf(message).includes(mark),
  );
  const ids = new Set(questions.map(({ id }) => id));
  const answer = messages
    .filter(({ message, turnId }) => turnId === turn && message.role === "assistant")
    .map(({ message }) => textOf(message))
    .join("");
  const isWhole = end === "finish";
  // Of a broken-off answer, either side may have more; if both have text, it is the same.
  const isSame = isWhole ? seen === answer : seen.startsWith(answer) || answer.startsWith(seen);
  return {
    isAcknowledged: turn !== undefined,
    copies: questions.length,
    answers: turns.filter(({ messageId }) => ids.has(messageId)).length,
    isWhole,
    isDiffering: turn !== undefined && !isSame,
    missing: isWhole || !isSame ? "" : seen.slice(answer.length),
  };
}

const textOf = ({ parts }: StoredMessage["message"]): string =>
  parts.map((part) => (part.type === "text" ? part.text : "")).join("");

/** From its first word to its last, as the service said them. */
function durationOf(text: string): number {
  const stamps: number[] = [];
  createStampReader((at) => stamps.push(at))(Buffer.from(text));
  return stamps.length === 0 ? 0 : (quantile(stamps, 1) - quantile(stamps, 0)) / 1000;
}

import { createHash } from "node:crypto";
import { writeSync } from "node:fs";
import type { AssistantMessage, Message, TextPart, UserMessage } from "mull";

/** Sizes of a conversation's messages: mostly short, some long, a large one now and then. */
const sizes = [300, 500, 2_000, 40_000, 300, 120_000, 700, 1_000, 600_000, 400];

/** A text that can be checked on its own: a label, a filling, and a hash of both. */
function labelled(label: string, size: number): TextPart {
  const filling = createHash("sha256")
    .update(label)
    .digest("base64")
    .repeat(Math.ceil(size / 44));
  const hash = createHash("sha256").update(filling).digest("hex");
  return { type: "text", text: `${label} ${filling} ${hash}` };
}

const sizeOf = (turn: number): number => sizes[turn % sizes.length] ?? 300;

export const questionOf = (turn: number): UserMessage => ({
  role: "user",
  parts: [labelled(`u${turn}`, sizeOf(turn + 3))],
});

export const answerOf = (turn: number): AssistantMessage => ({
  role: "assistant",
  parts: [0, 1, 2].map((part) => labelled(`a${turn}.${part}`, sizeOf(turn + part))),
});

/** The labels of everything that is there, whole and unchanged. */
export const labelsIn = (messages: readonly Message[]): readonly string[] =>
  messages.flatMap((message) => [
    ...message.parts.flatMap((part) => (part.type === "text" ? labelIn(part.text) : [])),
    ...(message.role === "assistant" && message.interrupted === undefined
      ? message.parts.slice(0, 1).flatMap((part) => wholeLabel(part))
      : []),
  ]);

function labelIn(text: string): readonly string[] {
  const [label = "", filling = "", hash] = text.split(" ");
  return createHash("sha256").update(filling).digest("hex") === hash ? [label] : [];
}

const wholeLabel = (part: Message["parts"][number]): readonly string[] =>
  part.type === "text" ? [`f${/^a(\d+)\./.exec(part.text)?.[1]}`] : [];

/**
 * Ten lives of a program write to a conversation, then it is left alone; otherwise every life would
 * spend most of its time reading it again. Its number is part of its turns' numbers.
 */
const livesPerTalk = 10;
const turnsPerTalk = 100_000;
const turnIn = (label: string): number => Number(/^[uaf](\d+)/.exec(label)?.[1] ?? -1);

export const talkOfLife = (life: number): number => Math.floor(life / livesPerTalk);
export const talkOfLabel = (label: string): number => Math.floor(turnIn(label) / turnsPerTalk);

export const nextTurn = (labels: readonly string[], talk: number): number =>
  Math.max(talk * turnsPerTalk - 1, ...labels.map(turnIn)) + 1;

/**
 * Written straight to the file descriptor: a buffered line would be an acknowledgement that never
 * arrived.
 */
export const say = (line: string): void => void writeSync(1, `${line}\n`);

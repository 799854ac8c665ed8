import type {
  AgentEvent,
  AssistantMessage,
  ChatResult,
  JsonObject,
  Message,
  ToolMessage,
} from "mull";
import type { Turn, TurnDraft } from "@mull/store";
import type { UIChunk } from "@mull/ui-messages";
import { createChunkWriter, endChunk, type ChunkWriter } from "./chunks.ts";

export interface StoredTurn {
  readonly turn: Turn;
  /** What the turn has made, without the question. */
  readonly messages: readonly Message[];
  readonly draft?: TurnDraft;
  readonly metadata: JsonObject;
}

/** The chunks of a stored turn, numbered as they were when it ran; without an end while it runs. */
export function replayTurn({ turn, messages, draft, metadata }: StoredTurn): readonly UIChunk[] {
  const writer = createChunkWriter();
  const steps = (turn.receipt?.["steps"] ?? []) as readonly JsonObject[];
  const chunks: UIChunk[] = [writer.start(turn.id, metadata)];
  let step = 0;
  for (const message of messages) {
    if (message.role === "assistant") {
      chunks.push(...replayAnswer(writer, message, step, steps[step]));
      step++;
    } else if (message.role === "tool") chunks.push(...replayResults(writer, message, step - 1));
  }
  if (draft !== undefined) chunks.push(...replayDraft(writer, draft, step));
  if (turn.state !== "running") chunks.push(...replayEnd(writer, turn, metadata));
  return chunks;
}

/**
 * The end of a turn that has no answer. What was told of it live may be more than what its process
 * stored, so that there are fewer numbers here than a reader has seen.
 */
export const cutOf = ({ state, error }: Turn): UIChunk | undefined =>
  state === "running" || state === "done" ? undefined : endChunk(state, error);

function replayEnd(writer: ChunkWriter, turn: Turn, metadata: JsonObject): readonly UIChunk[] {
  if (turn.state === "running") return [];
  const cut = cutOf(turn);
  if (cut !== undefined) return [...writer.close(), cut];
  const finish = turn.receipt?.["finish"] ?? { reason: "stop" };
  const event = { type: "turn", result: { finish } } as unknown as AgentEvent;
  return writer.write(event).map((chunk) => ({ ...chunk, messageMetadata: metadata }));
}

function replayAnswer(
  writer: ChunkWriter,
  message: AssistantMessage,
  step: number,
  record: JsonObject | undefined,
): readonly UIChunk[] {
  const parts = replayParts(writer, message.parts, step);
  if (message.interrupted) return parts;
  const { receipt, usage = {}, cost, timing = {}, finish = {} } = record ?? {};
  const result = { message, receipt, usage, cost, timing, finish } as unknown as ChatResult;
  return [...parts, ...writer.write({ type: "step", step, result })];
}

function replayParts(
  writer: ChunkWriter,
  parts: AssistantMessage["parts"],
  step: number,
): readonly UIChunk[] {
  const write = (event: Extract<AgentEvent, { type: "answer" }>["event"]): readonly UIChunk[] =>
    writer.write({ type: "answer", step, event });
  return [
    ...write({ type: "start" }),
    ...parts.flatMap((part, index) => {
      if (part.type === "thinking" || part.type === "text") {
        const { type, text } = part;
        const said = text === "" ? [] : write({ type, index, delta: text });
        return [...said, ...write({ type: "part", index, part })];
      }
      if (part.type === "tool-call" && part.cut) {
        return write({ type: "tool-call", index, id: part.id, name: part.name });
      }
      return write({ type: "part", index, part });
    }),
  ];
}

const replayResults = (
  writer: ChunkWriter,
  message: ToolMessage,
  step: number,
): readonly UIChunk[] =>
  message.parts.flatMap((result) => writer.write({ type: "tool-result", step, result }));

/** Blocks and results of a step that is not whole yet. */
const replayDraft = (writer: ChunkWriter, draft: TurnDraft, step: number): readonly UIChunk[] => [
  ...(draft.parts.length === 0 ? [] : replayParts(writer, draft.parts, step)),
  ...draft.results.flatMap((result) => writer.write({ type: "tool-result", step, result })),
];

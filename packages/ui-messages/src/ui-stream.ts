import {
  isMullError,
  type AgentEvent,
  type AssistantMessage,
  type AssistantPart,
  type JsonObject,
  type ToolResultPart,
} from "mull";
import { unifiedFinish } from "mull/wire";
import { fallbackPart, keptPart, stepPart, type ProviderMetadata } from "./ui-message.ts";

/** One piece of the AI SDK's UI message stream. */
export type UIChunk = { readonly type: string; readonly [field: string]: unknown };

/** The input of a writer: the events of an agent, or what a store kept of a step and a turn. */
export type UIEvent =
  | Extract<AgentEvent, { type: "answer" | "tool-result" | "approval" | "fallback" }>
  | { readonly type: "step"; readonly step: number; readonly result: UIStepRecord }
  | { readonly type: "turn"; readonly result: { readonly finish: { readonly reason: unknown } } };

interface UIStepRecord {
  readonly message: AssistantMessage;
  readonly receipt: unknown;
  readonly usage: unknown;
  readonly cost?: unknown;
  readonly timing: unknown;
  readonly finish: unknown;
}

/** The response headers of a UI message stream, which `useChat` looks for. */
export const uiStreamHeaders: Readonly<Record<string, string>> = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache",
  "x-vercel-ai-ui-message-stream": "v1",
  "x-accel-buffering": "no",
};

/** Settings of `toUIStream`. */
export interface UIStreamOptions {
  readonly messageId?: string;
  /** What people see of an error. Default: its message, which carries no secret. */
  readonly describeError?: (error: unknown) => string;
}

/**
 * Turns the events of a turn, e.g. `agent.sendStream(text).events()`, into chunks of the UI message
 * stream. A failure becomes the last chunk; the stream never throws.
 */
export async function* toUIStream(
  events: AsyncIterable<AgentEvent>,
  options: UIStreamOptions = {},
): AsyncGenerator<UIChunk> {
  const writer = createUIWriter();
  yield { type: "start", ...(options.messageId !== undefined && { messageId: options.messageId }) };
  try {
    for await (const event of events) yield* writer.write(event);
  } catch (error) {
    yield* writer.close();
    const isStopped = isMullError(error) && error.category === "aborted";
    yield isStopped
      ? { type: "abort" }
      : { type: "error", errorText: (options.describeError ?? describe)(error) };
  }
}

const describe = (error: unknown): string =>
  isMullError(error) ? error.message : "Something went wrong.";

/** Writes a chunk as a server-sent event. A reader that lost its connection continues from `id`. */
export const encodeUIChunk = (chunk: UIChunk, id?: number): string =>
  `${id === undefined ? "" : `id: ${id}\n`}data: ${JSON.stringify(chunk)}\n\n`;

/** The frame that ends a UI message stream. */
export const uiStreamEnd = "data: [DONE]\n\n";

/** Turns agent events into chunks. */
export interface UIWriter {
  readonly write: (event: UIEvent) => readonly UIChunk[];
  /** Ends blocks that a broken stream left open. */
  readonly close: () => readonly UIChunk[];
}

type AnswerEvent = Extract<AgentEvent, { type: "answer" }>;

interface OpenBlock {
  readonly kind: "text" | "reasoning" | "tool";
  readonly id: string;
}

/** Turns agent events into chunks of the UI message stream, one event at a time. */
export function createUIWriter(): UIWriter {
  const blocks = new UIBlocks();
  return {
    close: () => blocks.close(),
    write: (event) => {
      switch (event.type) {
        case "answer":
          return blocks.answer(event);
        case "tool-result":
          return [resultChunk(event.result)];
        case "step":
          return blocks.endStep(event);
        case "fallback":
          return blocks.giveUp(event);
        case "approval":
          return event.pending.map(({ call }) => ({
            type: "tool-approval-request",
            approvalId: call.id,
            toolCallId: call.id,
          }));
        case "turn":
          return [{ type: "finish", finishReason: finishWords.get(event.result.finish.reason) }];
        default:
          return event satisfies never;
      }
    },
  };
}

/** By the reason that a store kept, which may be any text. */
const finishWords: ReadonlyMap<unknown, string> = new Map(Object.entries(unifiedFinish));

/** The blocks of a turn that are open, and the calls of its step. */
class UIBlocks {
  #step = -1;
  /** Models that did not answer this step: their blocks keep their ids. */
  #failures = "";
  readonly #open = new Map<number, OpenBlock>();
  readonly #callIds = new Map<number, string>();

  answer({ step, event }: AnswerEvent): readonly UIChunk[] {
    return this.#goOn(step, event) ?? [...this.#begin(step), ...this.#write(event)];
  }

  endStep({ step, result }: Extract<UIEvent, { type: "step" }>): readonly UIChunk[] {
    const { message, receipt, usage, cost, timing, finish } = result;
    const { role: _, parts, ...about } = message;
    const answered = parts.some((part) => part.type === "tool-call");
    this.#callIds.clear();
    this.#failures = "";
    const spent = { receipt, usage, timing, finish, ...(cost !== undefined && { cost }) };
    return [
      ...this.close(),
      { type: stepPart, id: `step-${step}`, data: { ...about, answered } },
      { type: "data-receipt", id: `receipt-${step}`, data: spent },
      { type: "finish-step" },
    ];
  }

  /** Another model takes over: the calls of the one before are not run. */
  giveUp({ failed, next }: Extract<UIEvent, { type: "fallback" }>): readonly UIChunk[] {
    const given = [...this.#callIds.values()].map((toolCallId) => ({
      type: "tool-output-error",
      toolCallId,
      errorText: `Not run: ${next.model} was asked instead.`,
    }));
    const ends = [...this.close(), ...given];
    this.#callIds.clear();
    this.#failures += "+";
    return [...ends, { type: fallbackPart, data: { failed, next } }];
  }

  close(): readonly UIChunk[] {
    const ends = [...this.#open.values()].flatMap(({ kind, id }) =>
      kind === "tool" ? [] : [{ type: `${kind}-end`, id }],
    );
    this.#open.clear();
    return ends;
  }

  #begin(next: number): readonly UIChunk[] {
    if (next === this.#step) return [];
    this.#step = next;
    return [{ type: "start-step" }];
  }

  /** Nearly every event is one more piece of an open block, and costs one chunk and no more. */
  #goOn(step: number, event: AnswerEvent["event"]): readonly UIChunk[] | undefined {
    if (step !== this.#step || (event.type !== "text" && event.type !== "thinking"))
      return undefined;
    const block = this.#open.get(event.index);
    if (block === undefined) return undefined;
    const type = event.type === "text" ? "text-delta" : "reasoning-delta";
    return [{ type, id: block.id, delta: event.delta }];
  }

  #write(event: AnswerEvent["event"]): readonly UIChunk[] {
    switch (event.type) {
      case "start":
      // Servers keep connections open with comments of their own; the protocol has no chunk for it.
      case "heartbeat":
        return [];
      case "thinking":
      case "text": {
        const { index, delta } = event;
        const kind = event.type === "text" ? "text" : "reasoning";
        return [
          ...this.#start(index, kind),
          { type: `${kind}-delta`, id: this.#idOf(index), delta },
        ];
      }
      case "tool-call":
        this.#open.set(event.index, { kind: "tool", id: event.id });
        this.#callIds.set(event.index, event.id);
        return [{ type: "tool-input-start", toolCallId: event.id, toolName: event.name }];
      case "tool-input": {
        const toolCallId = this.#callIds.get(event.index) ?? "";
        return [{ type: "tool-input-delta", toolCallId, inputTextDelta: event.delta }];
      }
      case "part":
        return this.#finish(event.index, event.part);
      default:
        return event satisfies never;
    }
  }

  #idOf(index: number): string {
    return `${this.#step}${this.#failures}-${index}`;
  }

  #start(index: number, kind: "text" | "reasoning"): readonly UIChunk[] {
    if (this.#open.has(index)) return [];
    const id = this.#idOf(index);
    this.#open.set(index, { kind, id });
    return [{ type: `${kind}-start`, id }];
  }

  #finish(index: number, part: AssistantPart): readonly UIChunk[] {
    const kind = part.type === "thinking" ? "reasoning" : part.type === "text" ? "text" : undefined;
    const started = kind === undefined ? [] : this.#start(index, kind);
    this.#open.delete(index);
    return [...started, partChunk(part, this.#idOf(index))];
  }
}

const carry = (fields: object): ProviderMetadata => ({ mull: fields as JsonObject });

function partChunk(part: AssistantPart, id: string): UIChunk {
  switch (part.type) {
    case "text": {
      const { type: _, text: __, ...rest } = part;
      return { type: "text-end", id, providerMetadata: carry(rest) };
    }
    case "thinking": {
      const { type: _, text: __, ...rest } = part;
      return { type: "reasoning-end", id, providerMetadata: carry(rest) };
    }
    case "tool-call": {
      const { type: _, id: toolCallId, name: toolName, input, ...rest } = part;
      const call = { toolCallId, toolName, input, providerMetadata: carry(rest) };
      return part.invalid === undefined
        ? { type: "tool-input-available", ...call }
        : { type: "tool-input-error", ...call, errorText: part.invalid.reason };
    }
    case "file":
    case "opaque":
      return { type: keptPart, data: part };
    default:
      return part satisfies never;
  }
}

function resultChunk(result: ToolResultPart): UIChunk {
  const { type: _, callId, output, isError, ...rest } = result;
  if (rest.refused !== undefined) return { type: "tool-output-denied", toolCallId: callId };
  if (isError && typeof output === "string") {
    return {
      type: "tool-output-error",
      toolCallId: callId,
      errorText: output,
      providerMetadata: carry(rest),
    };
  }
  const kept = isError ? { ...rest, isError } : rest;
  return {
    type: "tool-output-available",
    toolCallId: callId,
    output,
    providerMetadata: carry(kept),
  };
}

import type { Reply, StreamEvent } from "../../types/event.ts";
import type { ServerSentEvent } from "../../types/http.ts";
import type { AssistantPart, WireId } from "../../types/message.ts";
import type { WireRequest } from "../../types/request.ts";
import type { ServeContext, ServeError, StreamWriter, WireMirror } from "../../types/wire.ts";
import { startEvent } from "./answer.ts";
import { writeInput } from "./tool-input.ts";
import { writeBody } from "./write-body.ts";

type WrittenFrames = readonly ServerSentEvent[];
type Start = Extract<StreamEvent, { type: "start" }>;

/** How a wire writes the pieces of a stream. `Open` is what it keeps in mind about an open part. */
export interface Strokes<Open> {
  readonly start: (event: Start) => WrittenFrames;
  /**
   * Begins a part, which is whole or has only what is known before its first delta. `undefined`
   * if nothing more of it is written.
   */
  readonly open: (part: AssistantPart, out: ServerSentEvent[]) => Open | undefined;
  readonly delta: (open: Open, text: string) => WrittenFrames;
  /** The deltas of a part that comes whole, if they are not simply its text in pieces. */
  readonly whole?: (open: Open, part: AssistantPart) => WrittenFrames | undefined;
  readonly close: (open: Open, part: AssistantPart) => WrittenFrames;
  readonly heartbeat?: () => WrittenFrames;
  readonly finish: (reply: Reply) => WrittenFrames;
  readonly fail: (error: ServeError) => WrittenFrames;
}

/** The text of a part that goes out in deltas. */
export function streamedText(part: AssistantPart): string {
  if (part.type === "text" || part.type === "thinking") return part.text;
  if (part.type !== "tool-call") return "";
  return typeof part.input === "string" ? part.input : (part.invalid?.raw ?? writeInput(part));
}

/** Runs the events of one answer through the strokes of a wire. */
export function createStreamWriter<Open>(
  strokes: Strokes<Open>,
  context: ServeContext,
): StreamWriter {
  const parts = new Map<number, Open | undefined>();
  /** The parts that have had a delta. */
  const streamed = new Set<number>();
  let isStarted = false;

  const start = (event: Start): WrittenFrames => {
    if (isStarted) return [];
    isStarted = true;
    return strokes.start(event);
  };

  const open = (index: number, part: AssistantPart, out: ServerSentEvent[]): Open | undefined => {
    if (!parts.has(index)) parts.set(index, strokes.open(part, out));
    return parts.get(index);
  };

  const append = (index: number, part: AssistantPart, delta: string): WrittenFrames => {
    const known = streamed.has(index) ? parts.get(index) : undefined;
    if (known !== undefined && delta !== "") return strokes.delta(known, delta);
    const out: ServerSentEvent[] = [];
    const opened = open(index, part, out);
    if (opened === undefined || delta === "") return out;
    streamed.add(index);
    return [...out, ...strokes.delta(opened, delta)];
  };

  const addPart = (index: number, part: AssistantPart): WrittenFrames => {
    const out: ServerSentEvent[] = [];
    const opened = open(index, part, out);
    if (opened === undefined) return out;
    const inPieces = (): WrittenFrames =>
      piecesOf(streamedText(part), context).flatMap((piece) => strokes.delta(opened, piece));
    if (!streamed.has(index)) out.push(...(strokes.whole?.(opened, part) ?? inPieces()));
    return [...out, ...strokes.close(opened, part)];
  };

  const step = (event: Exclude<StreamEvent, Start>): WrittenFrames => {
    switch (event.type) {
      case "thinking":
        return append(event.index, emptyThought, event.delta);
      case "text":
        return append(event.index, emptyText, event.delta);
      case "tool-call": {
        const { id, name } = event;
        const input = takesText(context.request, name) ? "" : {};
        return append(event.index, { type: "tool-call", id, name, input }, "");
      }
      case "tool-input":
        return append(event.index, unnamedCall, event.delta);
      case "part":
        return addPart(event.index, event.part);
      case "heartbeat":
        return strokes.heartbeat?.() ?? [];
      case "finish":
      default:
        return strokes.finish(event.reply);
    }
  };

  return {
    write: (event) => {
      if (event.type === "start") return start(event);
      return isStarted ? step(event) : [...start({ type: "start" }), ...step(event)];
    },
    fail: (error) => strokes.fail(error),
  };
}

const emptyThought: AssistantPart = { type: "thinking", text: "", visibility: "summary" };
const emptyText: AssistantPart = { type: "text", text: "" };
/** Arguments follow the call they belong to. */
const unnamedCall: AssistantPart = { type: "tool-call", id: "", name: "", input: {} };

export const piecesOf = (text: string, { pieces }: ServeContext): readonly string[] =>
  text === "" ? [] : pieces(text);

/** Whether the request offers a tool of this name that takes a plain text. */
const takesText = (request: WireRequest | undefined, name: string): boolean =>
  (request?.tools ?? []).some((tool) => {
    if (!("vendor" in tool) || tool.vendor.fields["type"] !== "custom") return false;
    const { fields } = tool.vendor;
    const { name: own } = { ...fields, ...(fields["custom"] as object | undefined) };
    return own === name;
  });

/** A mirror with the two methods that follow from the others: whole answers as text and as streams. */
export const makeMirror = (
  mirror: Omit<WireMirror, "encodeStream" | "writeReply">,
): WireMirror => ({
  ...mirror,
  writeReply: (reply, context) => writeBody(mirror.encodeReply(reply, context), [reply.message]),
  encodeStream: (reply, context) => {
    const { write } = mirror.openStream({ ...context, reply });
    const { id, servedModel: model } = reply;
    return [
      ...write(startEvent(id, model)),
      ...reply.message.parts.flatMap((part, index) => write({ type: "part", index, part })),
      ...write({ type: "finish", reply }),
    ];
  },
});

/**
 * Whether an answer speaks this wire's words: its finish word, raw usage and metadata. Those of an
 * answer that came over another wire mean nothing here.
 */
export const speaks = ({ message: { origin } }: Reply, wire: WireId): boolean =>
  origin === undefined || origin.wire === wire;

/**
 * OpenAI tells a refusal by the kind of its text. Where the text went out as an answer, because
 * nobody knew or because it came over another wire, the finish has to tell it.
 */
export function tellRefusal(reply: Reply, isLive: boolean): Reply {
  const isTold =
    !isLive && reply.message.parts.some((part) => part.type === "text" && part.refusal);
  return reply.finish.reason === "refusal" && !isTold
    ? { ...reply, finish: { reason: "content-filter" } }
    : reply;
}

import type { Reply, StreamEvent, ToolCallPart, WireId } from "mull";

import { PartCarrier, type PlacedPart, type TextSealPlace } from "./carry-parts.ts";
import type { ToolForm } from "./client-tools.ts";
import { textJoinerFor } from "./join-texts.ts";
import type { SealCodec } from "./seal-codec.ts";

/** Rewrites the events of one answer so that its seals survive in the client. */
export interface CarryOut {
  readonly push: (event: StreamEvent) => readonly StreamEvent[];
  /** What became of the seals so far. */
  readonly seals: Readonly<Pick<PartCarrier, "lost" | "carried">>;
}

/**
 * Makes the rewriter for a client of `wire` and an answer that arrives on `from`; `forms` are the
 * client's tools that a function stands for.
 */
export function createCarryOut(
  wire: WireId,
  from: WireId,
  codec: SealCodec,
  forms: ReadonlyMap<string, ToolForm>,
  textSealPlace: TextSealPlace | undefined,
): CarryOut {
  const carrier = new PartCarrier(wire, codec, forms, textSealPlace);
  const texts = textJoinerFor(wire, from);
  // These services' seal of a call must come before the call, but arrives only with its end.
  const holdsCalls =
    from === "google-generate" || (from === "openai-chat" && carrier.place === "block");
  const parts: PlacedPart[] = [];
  /** Calls whose id must wait for their seal, and the events of them so far. */
  const held = new Map<number, StreamEvent[]>();
  const ids = new Map<number, string>();
  const streamed = new Set<number>();

  const keep = (placed: PlacedPart): StreamEvent => {
    parts.push(placed);
    const [index, part] = placed;
    return { type: "part", index, part };
  };

  const begin = (event: StreamEvent & { readonly type: "tool-call" }): readonly StreamEvent[] => {
    const form = forms.get(event.name);
    // Google's wire sends a call whole.
    const isWhole = form?.isText === true || wire === "google-generate";
    if (isWhole || holdsCalls) {
      held.set(event.index, isWhole ? [] : [event]);
      return [];
    }
    const id = carrier.clientId({ type: "tool-call", id: event.id, name: event.name, input: {} });
    ids.set(event.index, id);
    return [{ ...event, id, name: form?.name ?? event.name }];
  };

  const call = (index: number, part: ToolCallPart): readonly StreamEvent[] => {
    const id = ids.get(index) ?? carrier.clientId(part);
    const before = (held.get(index) ?? []).map((event) => renamed(event, id));
    held.delete(index);
    const told = carrier.call(index, part, id).map(keep);
    return [...told.slice(0, -1), ...before, ...told.slice(-1)];
  };

  const step: CarryOut["push"] = (event) => {
    switch (event.type) {
      case "start":
        return [{ type: "start" }];
      case "thinking":
      case "text":
        streamed.add(event.index);
        return [event];
      case "heartbeat":
        return [event];
      case "tool-call":
        return begin(event);
      case "tool-input": {
        const wait = held.get(event.index);
        if (wait === undefined) return [event];
        // A free-text call is sent whole: the client doesn't know the JSON of its deltas.
        if (wait.length > 0) wait.push(event);
        return [];
      }
      case "part": {
        const { part, index } = event;
        if (part.type === "tool-call") return call(index, part);
        return carrier.carry(index, part, streamed.has(index), texts?.sealed.get(index)).map(keep);
      }
      case "finish":
        return [{ type: "finish", reply: rewritten(event.reply, parts) }];
      default:
        return event satisfies never;
    }
  };

  const push: CarryOut["push"] =
    texts === undefined ? step : (event) => texts.push(event).flatMap(step);
  return { push, seals: carrier };
}

/** The answer as the client knows it: its own name for the model, the parts it was sent. */
const rewritten = (
  { id: _id, servedModel: _model, ...reply }: Reply,
  parts: readonly PlacedPart[],
): Reply => ({
  ...reply,
  message: {
    ...reply.message,
    parts: parts.toSorted(([a], [b]) => a - b).map(([, part]) => part),
  },
});

const renamed = (event: StreamEvent, id: string): StreamEvent =>
  event.type === "tool-call" ? { ...event, id } : event;

import type {
  AssistantPart,
  JsonObject,
  Origin,
  Reply,
  Seal,
  StreamEvent,
  TextPart,
  ThinkingPart,
  ToolCallPart,
  WireId,
} from "mull";
import { isJsonObject } from "mull/wire";

import type { ToolForm } from "./client-tools.ts";
import type { CarriedLoad, CarriedSeal, CarriedThought, SealCodec } from "./seal-codec.ts";

/**
 * Where a wire carries seals of other services. `block`: in blocks of thinking, which clients return
 * whole. `call`: clients drop thinking, so the call behind it carries it.
 */
interface Carriage {
  readonly place: "block" | "call";
  /** Characters that clients were seen to return. */
  readonly longest: number;
  /** A block behind a text carries the text's seal. Claude Code prints nothing of an answer that ends so. */
  readonly endsInBlock?: true;
  /** The seal as this wire's own field. */
  readonly dataOf: (seal: string, index: number) => JsonObject;
}

const carriages: Readonly<Record<WireId, Carriage>> = {
  "anthropic-messages": {
    place: "block",
    longest: 300_000,
    dataOf: (signature) => ({ signature }),
  },
  "openai-responses": {
    place: "block",
    longest: 300_000,
    endsInBlock: true,
    dataOf: (encrypted_content) => ({ encrypted_content }),
  },
  "openai-chat": {
    place: "call",
    longest: 300_000,
    endsInBlock: true,
    // Clients keep details of formats they know, and of `unknown`; one `data` for each index.
    dataOf: (data, index) => ({
      reasoning_details: [{ type: "reasoning.encrypted", data, format: "unknown", index }],
    }),
  },
  "google-generate": {
    place: "call",
    longest: 40_000,
    dataOf: (thoughtSignature) => ({ thoughtSignature }),
  },
};

/** Ids of 60,000 characters came back from every client that returns ids; the seal stands in the call and in its result. */
const longestId = 60_000;
const usualId = /^[\w-]{1,512}$/;

/** Rewrites the events of one answer so that its seals survive in the client. */
export interface CarryOut {
  readonly push: (event: StreamEvent) => readonly StreamEvent[];
  /** Seals that found no place, in words for the receipt. */
  readonly lost: () => readonly string[];
  /** How many seals travel in the client. */
  readonly carried: () => number;
}

/**
 * Makes the rewriter for a client of `wire` and an answer that arrives on `from`; `forms` are the
 * client's tools that a function stands for.
 */
export function createCarryOut(
  wire: WireId,
  from: WireId,
  codec: SealCodec,
  forms: ReadonlyMap<string, ToolForm> = new Map(),
): CarryOut {
  const { place, longest, endsInBlock, dataOf } = carriages[wire];
  // What these services sign on a call must stand before it, and comes only with its end.
  const holdsCalls = from === "google-generate" || (from === "openai-chat" && place === "block");
  const ownOrigin: Origin = { wire, provider: "mull", model: "" };
  const parts: (readonly [index: number, part: AssistantPart])[] = [];
  const lost: string[] = [];
  /** Calls whose id must wait for their seal, and what came of them so far. */
  const held = new Map<number, StreamEvent[]>();
  const ids = new Map<number, string>();
  const streamed = new Set<number>();
  /** Thoughts that no call carries yet. */
  let waiting: CarriedThought[] = [];
  let origin: Origin | undefined;
  let position = 0;
  let sealed = 0;

  const sealOf = (text: string, index: number): Seal => ({
    origin: ownOrigin,
    data: dataOf(text, index),
  });

  const close = (carried: CarriedLoad, what: string): string | undefined => {
    const text = codec.seal(carried);
    if (text.length > longest) {
      lost.push(
        `the seal of ${what} is too long for this client: ${text.length} characters of ${longest}`,
      );
      return undefined;
    }
    sealed++;
    return text;
  };

  const keep = (index: number, part: AssistantPart): StreamEvent => {
    parts.push([index, part]);
    return { type: "part", index, part };
  };

  const named = (): Pick<CarriedLoad, "origin"> => (origin === undefined ? {} : { origin });

  const thinking = (index: number, part: ThinkingPart): readonly StreamEvent[] => {
    if (part.text === "" && part.seal === undefined) return [];
    origin = part.seal?.origin ?? origin;
    const thought: CarriedThought = {
      at: position++,
      text: part.text,
      visibility: part.visibility,
      ...withSeal(part.seal),
    };
    if (place === "call") waiting.push(thought);
    const bare = withoutSeal(part, wire);
    if (wire === "google-generate") return part.text === "" ? [] : [keep(index, bare)];
    const text =
      close({ ...named(), thoughts: [thought] }, "a thought") ??
      // Clients refuse or drop a block without a signature.
      (place === "block" ? codec.seal({}) : undefined);
    return [keep(index, text === undefined ? bare : { ...bare, seal: sealOf(text, index) })];
  };

  /** The id that the client knows a call by, with the seal inside where nothing else survives. */
  const clientId = (part: ToolCallPart): string => {
    const carried: CarriedLoad = {
      ...named(),
      ...thoughtsOf(waiting),
      ...ownOf(part.seal),
      ...idOf(part),
    };
    const isSealed =
      place === "call" && (waiting.length > 0 || (part.seal !== undefined && isNeeded(part.seal)));
    if (!isSealed && usualId.test(part.id)) return part.id;
    const long = codec.sealId(carried);
    if (long.length <= longestId) {
      if (isSealed) sealed++;
      return long;
    }
    if (wire === "openai-chat" && isSealed)
      lost.push(
        `the seal of a call is too long for its id: ${long.length} characters of ${longestId}`,
      );
    return usualId.test(part.id) ? part.id : codec.sealId({ id: part.id });
  };

  const call = (index: number, given: ToolCallPart): readonly StreamEvent[] => {
    origin = given.seal?.origin ?? origin;
    position++;
    const part = shaped(given, forms);
    const begun = ids.get(index);
    const id = begun ?? clientId(given);
    const before = held.get(index) ?? [];
    held.delete(index);
    const { localId: _, ...head } = withoutSeal(part, wire);
    const bare = { ...head, id, ...namespaceOf(given.name, forms, ownOrigin) };
    const out: StreamEvent[] = [];
    const carried: CarriedLoad = { ...named(), ...ownOf(given.seal) };
    if (wire === "google-generate") {
      const needs = waiting.length > 0 || given.seal !== undefined || id !== given.id;
      const text = needs
        ? close({ ...carried, ...thoughtsOf(waiting), ...idOf(given) }, "a call")
        : undefined;
      out.push(keep(index, text === undefined ? bare : { ...bare, seal: sealOf(text, index) }));
    } else {
      if (given.seal !== undefined && isNeeded(given.seal)) {
        const text = close({ ...carried, call: id }, "a call");
        if (text !== undefined) out.push(keep(index - 0.5, carrierOf(sealOf(text, index))));
      }
      out.push(...before.map((event) => renamed(event, id)), keep(index, bare));
    }
    waiting = [];
    return out;
  };

  /** The seal of a text on wires whose texts have no field for one. */
  const behindText = (index: number, part: TextPart): readonly StreamEvent[] => {
    if (endsInBlock !== true) {
      lost.push("the seal of a text: this client has no field for it");
      return [];
    }
    origin = part.seal?.origin ?? origin;
    const own = part.text === "" ? "blank" : "before";
    const closed = close({ ...named(), ...ownOf(part.seal), text: own }, "a text");
    return closed === undefined ? [] : [keep(index + 0.25, carrierOf(sealOf(closed, index)))];
  };

  const text = (index: number, part: TextPart): readonly StreamEvent[] => {
    const isSealed = part.seal !== undefined && isNeeded(part.seal);
    // A trailing part without text would be printed as the answer by Claude Code.
    if (part.text === "" && !streamed.has(index) && wire !== "google-generate")
      return isSealed ? behindText(index, part) : [];
    position++;
    const bare = withoutSeal(part, wire);
    if (wire === "google-generate" && (waiting.length > 0 || isSealed)) {
      origin = part.seal?.origin ?? origin;
      const carried: CarriedLoad = {
        ...named(),
        ...thoughtsOf(waiting),
        ...ownOf(part.seal),
        // Streamed text has its seal on an empty part, too: only we know that this one was empty.
        ...(part.text === "" && { text: "blank" }),
      };
      const closed = close(carried, "a text");
      return [keep(index, closed === undefined ? bare : { ...bare, seal: sealOf(closed, index) })];
    }
    return [keep(index, bare), ...(isSealed ? behindText(index, part) : [])];
  };

  const begin = (event: StreamEvent & { readonly type: "tool-call" }): readonly StreamEvent[] => {
    const form = forms.get(event.name);
    if (form?.isText || wire === "google-generate" || holdsCalls) {
      held.set(event.index, form?.isText ? [] : [event]);
      return [];
    }
    const id = clientId({ type: "tool-call", id: event.id, name: event.name, input: {} });
    ids.set(event.index, id);
    return [{ ...event, id, name: form?.name ?? event.name }];
  };

  const push: CarryOut["push"] = (event) => {
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
        // A free-text call is told whole; its deltas are JSON that the client does not know.
        if (wait.length > 0) wait.push(event);
        return [];
      }
      case "part": {
        const { part, index } = event;
        if (part.type === "thinking") return thinking(index, part);
        if (part.type === "tool-call") return call(index, part);
        if (part.type === "text") return text(index, part);
        position++;
        return [keep(index, part)];
      }
      case "finish":
        return [{ type: "finish", reply: rewritten(event.reply) }];
      default:
        return event satisfies never;
    }
  };

  /** The answer as the client knows it: its own name for the model, the parts it was sent. */
  const rewritten = ({ id: _id, servedModel: _model, ...reply }: Reply): Reply => ({
    ...reply,
    message: {
      ...reply.message,
      parts: parts.toSorted(([a], [b]) => a - b).map(([, part]) => part),
    },
  });

  return { push, lost: () => lost, carried: () => sealed };
}

/** OpenAI's items have ids that need not come back; what Google and hosts of its models sign must. */
const isNeeded = ({ origin }: Seal): boolean => origin.wire !== "openai-responses";

const withSeal = (seal: Seal | undefined): { readonly seal?: CarriedSeal } =>
  seal === undefined
    ? {}
    : { seal: { data: seal.data, ...(seal.prefix !== undefined && { prefix: seal.prefix }) } };

const ownOf = (seal: Seal | undefined): Pick<CarriedLoad, "own"> => {
  const { seal: own } = withSeal(seal !== undefined && isNeeded(seal) ? seal : undefined);
  return own === undefined ? {} : { own };
};

/** Older models of Google give calls no ids; clients of other wires have to have one. */
const idOf = ({ id, localId }: ToolCallPart): Pick<CarriedLoad, "id" | "isLocalId"> => ({
  id,
  ...(localId === true && { isLocalId: true }),
});

const thoughtsOf = (thoughts: readonly CarriedThought[]): Pick<CarriedLoad, "thoughts"> =>
  thoughts.length === 0 ? {} : { thoughts };

/** A block of thinking without words, for the seal of a call or of a text. */
const carrierOf = (seal: Seal): ThinkingPart => ({
  type: "thinking",
  text: "",
  visibility: "hidden",
  seal,
});

const renamed = (event: StreamEvent, id: string): StreamEvent =>
  event.type === "tool-call" ? { ...event, id } : event;

/** A part without what its service sealed, and without what another wire added. */
function withoutSeal<P extends AssistantPart>(part: P, wire: WireId): P {
  const { seal: _, extra, ...bare } = part;
  return (extra?.wire === wire ? { ...bare, extra } : bare) as P;
}

/** The call of a tool as the client knows the tool. */
function shaped(part: ToolCallPart, forms: ReadonlyMap<string, ToolForm>): ToolCallPart {
  const form = forms.get(part.name);
  if (form === undefined) return part;
  const { inputText: _, ...rest } = part;
  if (!form.isText) return { ...part, name: form.name };
  const input = isJsonObject(part.input) ? part.input["input"] : part.input;
  const text = typeof input === "string" ? input : JSON.stringify(part.input);
  return { ...rest, name: form.name, input: text };
}

/** OpenAI names the namespace of a call beside its name. */
function namespaceOf(
  name: string,
  forms: ReadonlyMap<string, ToolForm>,
  origin: Origin,
): { readonly seal?: Seal } {
  const { namespace } = forms.get(name) ?? {};
  return namespace === undefined ? {} : { seal: { origin, data: { namespace } } };
}

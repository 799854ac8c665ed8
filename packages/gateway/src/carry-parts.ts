import type {
  AssistantPart,
  JsonObject,
  Origin,
  Seal,
  TextPart,
  ThinkingPart,
  ToolCallPart,
  WireId,
} from "mull";

import { asCalled, type ToolForm } from "./client-tools.ts";
import type { CarriedLoad, CarriedSeal, CarriedThought, SealCodec } from "./seal-codec.ts";

/**
 * Where a wire carries seals of other services. `block`: in blocks of thinking, which clients return
 * whole. `call`: clients drop thinking, so the call behind it carries it.
 */
interface Carriage {
  readonly place: "block" | "call";
  /** Characters that clients were seen to return. */
  readonly longest: number;
  /** A block after a text carries the text's seal. */
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

/**
 * Every client that returns ids returned 60,000 characters; the seal is in the call and in its
 * result.
 */
const longestId = 60_000;
const usualId = /^[\w-]{1,512}$/;

/**
 * Where the seal of a text may be if the wire has no field for it: in a block before everything, if
 * nothing was sent yet, or in one that opens and closes before its text is closed. Claude Code prints
 * nothing of an answer that ends with such a block.
 */
export type TextSealPlace = "first" | "inside";

/** A part and its place in the answer. A block that only carries a seal lies between two places. */
export type PlacedPart = readonly [index: number, part: AssistantPart];

/** Writes what services sealed into the parts of one answer, as the client of `wire` returns them. */
export class PartCarrier {
  /** Seals that found no place, in words for the receipt. */
  readonly lost: string[] = [];
  /** How many seals travel in the client. */
  carried = 0;
  /** Where the client returns seals of other services. */
  readonly place: Carriage["place"];
  readonly #wire: WireId;
  readonly #carriage: Carriage;
  readonly #ownOrigin: Origin;
  readonly #codec: SealCodec;
  readonly #forms: ReadonlyMap<string, ToolForm>;
  readonly #textSealPlace: TextSealPlace | undefined;
  /**
   * Thoughts that no call carries yet. After a resume, gemini-cli has nothing but the ids of
   * calls.
   */
  #waiting: CarriedThought[] = [];
  /** How many of them a text carries already. */
  #toldInText = 0;
  #origin: Origin | undefined;
  #position = 0;

  constructor(
    wire: WireId,
    codec: SealCodec,
    forms: ReadonlyMap<string, ToolForm>,
    textSealPlace: TextSealPlace | undefined,
  ) {
    this.#wire = wire;
    this.#textSealPlace = textSealPlace;
    this.#carriage = carriages[wire];
    this.place = this.#carriage.place;
    this.#ownOrigin = { wire, provider: "mull", model: "" };
    this.#codec = codec;
    this.#forms = forms;
  }

  /** `isStreamed`: the client has seen deltas of this part; `sealed`: the piece of a text that its seal is of. */
  carry(
    index: number,
    part: Exclude<AssistantPart, ToolCallPart>,
    isStreamed: boolean,
    sealed?: string,
  ): readonly PlacedPart[] {
    if (part.type === "thinking") return this.#thinking(index, part);
    if (part.type === "text") return this.#text(index, part, isStreamed, sealed ?? part.text);
    this.#position++;
    return [[index, part]];
  }

  /** The id that the client knows a call by. It holds the seal if the client keeps nothing else. */
  clientId(part: ToolCallPart): string {
    const isSealed = this.place === "call" && (this.#waiting.length > 0 || isNeeded(part.seal));
    if (!isSealed && usualId.test(part.id)) return part.id;
    const long = this.#codec.sealId(this.#callLoad(part));
    if (long.length <= longestId) {
      // On Google the signature of the call carries the same.
      if (isSealed && this.#wire !== "google-generate") this.carried++;
      return long;
    }
    if (this.#wire === "openai-chat" && isSealed)
      this.lost.push(
        `the seal of a call is too long for its id: ${long.length} characters of ${longestId}`,
      );
    return usualId.test(part.id) ? part.id : this.#codec.sealId({ id: part.id });
  }

  /** A call under the `id` of `clientId`, after the block that carries its seal. */
  call(index: number, part: ToolCallPart, id: string): readonly PlacedPart[] {
    this.#position++;
    const { localId: _, ...head } = withoutSeal(part, this.#wire);
    const form = this.#forms.get(part.name);
    const bare = { ...(form === undefined ? head : asCalled(head, form, this.#ownOrigin)), id };
    const load = this.#callLoad(part);
    const hasThoughts = this.#waiting.length > 0;
    this.#waiting = [];
    this.#toldInText = 0;
    if (this.#wire === "google-generate") {
      const needs = hasThoughts || part.seal !== undefined || id !== part.id;
      const text = needs ? this.#close(load, "a call") : undefined;
      return [[index, this.#withText(bare, text, index)]];
    }
    const carried = { call: id, ...this.#named(part.seal), ...ownOf(part.seal) };
    const text = isNeeded(part.seal) ? this.#close(carried, "a call") : undefined;
    if (text === undefined) return [[index, bare]];
    return [
      [index - 0.5, this.#withText(emptyBlock, text, index)],
      [index, bare],
    ];
  }

  #thinking(index: number, part: ThinkingPart): readonly PlacedPart[] {
    if (part.text === "" && part.seal === undefined) return [];
    const named = this.#named(part.seal);
    const { text, visibility } = part;
    const thought = { at: this.#position++, text, visibility, ...withSeal(part.seal) };
    if (this.place === "call") this.#waiting.push(thought);
    const bare = withoutSeal(part, this.#wire);
    if (this.#wire === "google-generate") return text === "" ? [] : [[index, bare]];
    const closed =
      this.#close({ thoughts: [thought], ...named }, "a thought") ??
      // Clients refuse or drop a block without a signature.
      (this.place === "block" ? this.#codec.seal({}) : undefined);
    return [[index, this.#withText(bare, closed, index)]];
  }

  #text(index: number, part: TextPart, isStreamed: boolean, sealed: string): readonly PlacedPart[] {
    const isGoogle = this.#wire === "google-generate";
    const isSealed = isNeeded(part.seal);
    // Claude Code would print a trailing part without text as the answer.
    if (part.text === "" && !isStreamed && !isGoogle)
      return isSealed ? this.#besideText(index, part, sealed) : [];
    this.#position++;
    const bare = withoutSeal(part, this.#wire);
    if (!isGoogle) {
      const beside = isSealed ? this.#besideText(index, part, sealed) : [];
      return this.#textSealPlace === "inside"
        ? [...beside, [index, bare]]
        : [[index, bare], ...beside];
    }
    const untold = this.#waiting.slice(this.#toldInText);
    if (untold.length === 0 && !isSealed) return [[index, bare]];
    this.#toldInText = this.#waiting.length;
    const carried: CarriedLoad = {
      ...this.#named(part.seal),
      ...thoughtsOf(untold),
      ...ownOf(part.seal),
      // Streamed text has its seal on an empty part, too: only we know that this one was empty.
      ...(part.text === "" && { text: "blank" }),
    };
    return [[index, this.#withText(bare, this.#close(carried, "a text"), index)]];
  }

  /** The seal of a text on wires whose texts have no field for one. */
  #besideText(index: number, { text, seal }: TextPart, sealed: string): readonly PlacedPart[] {
    const place = this.#carriage.endsInBlock === true ? "after" : this.#textSealPlace;
    if (place === undefined) {
      this.lost.push("the seal of a text: this client has no field for it in such an answer");
      return [];
    }
    const load: CarriedLoad = {
      text: sealed === "" ? "blank" : "before",
      ...(sealed !== "" && sealed !== text && { length: sealed.length }),
      ...this.#named(seal),
      ...ownOf(seal),
    };
    const closed = this.#close(load, "a text");
    if (closed === undefined) return [];
    return [[place === "first" ? -0.5 : index + 0.25, this.#withText(emptyBlock, closed, index)]];
  }

  /**
   * All that a call carries for clients that drop thinking. Older models of Google give calls no
   * ids; clients of other wires have to have one.
   */
  #callLoad(part: ToolCallPart): CarriedLoad {
    return {
      id: part.id,
      ...(part.localId === true && { isLocalId: true }),
      ...this.#named(part.seal),
      ...thoughtsOf(this.#waiting),
      ...ownOf(part.seal),
    };
  }

  /** The service that sealed the answer, known from its first seal on. */
  #named(seal: Seal | undefined): Pick<CarriedLoad, "origin"> {
    this.#origin = seal?.origin ?? this.#origin;
    return this.#origin === undefined ? {} : { origin: this.#origin };
  }

  #close(carried: CarriedLoad, what: string): string | undefined {
    const text = this.#codec.seal(carried);
    const { longest } = this.#carriage;
    if (text.length > longest) {
      this.lost.push(
        `the seal of ${what} is too long for this client: ${text.length} characters of ${longest}`,
      );
      return undefined;
    }
    this.carried++;
    return text;
  }

  #withText<P extends AssistantPart>(bare: P, text: string | undefined, index: number): P {
    if (text === undefined) return bare;
    return { seal: { origin: this.#ownOrigin, data: this.#carriage.dataOf(text, index) }, ...bare };
  }
}

/** A block of thinking without words, for the seal of a call or of a text. */
const emptyBlock: ThinkingPart = { type: "thinking", text: "", visibility: "hidden" };

/** OpenAI's items have ids that need not come back; what Google and hosts of its models sign must. */
const isNeeded = (seal: Seal | undefined): boolean =>
  seal !== undefined && seal.origin.wire !== "openai-responses";

const withSeal = (seal: Seal | undefined): { readonly seal?: CarriedSeal } =>
  seal === undefined
    ? {}
    : { seal: { data: seal.data, ...(seal.prefix !== undefined && { prefix: seal.prefix }) } };

const ownOf = (seal: Seal | undefined): Pick<CarriedLoad, "own"> => {
  const { seal: own } = withSeal(isNeeded(seal) ? seal : undefined);
  return own === undefined ? {} : { own };
};

const thoughtsOf = (thoughts: readonly CarriedThought[]): Pick<CarriedLoad, "thoughts"> =>
  thoughts.length === 0 ? {} : { thoughts };

/** A part without what its service sealed, and without what another wire added. */
function withoutSeal<P extends AssistantPart>(part: P, wire: WireId): P {
  const { seal: _, extra, ...bare } = part;
  return (extra?.wire === wire ? { ...bare, extra } : bare) as P;
}

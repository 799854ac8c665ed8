import type { MullError } from "../../../types/error.ts";
import type { StreamEvent } from "../../../types/event.ts";
import type { JsonObject, JsonValue } from "../../../types/json.ts";
import type { AssistantPart } from "../../../types/message.ts";
import type { DecodeContext } from "../../../types/wire.ts";
import { limits } from "../../common/limits.ts";
import { cutText, cutThought, makeSeal } from "../../common/answer.ts";
import { addDetails, hasSummary } from "./reasoning-details.ts";
import type { TagPair } from "./think-tags.ts";

interface TextDraft {
  readonly kind: "text";
  readonly index: number;
  readonly refusal: boolean;
  text: string;
  seal?: JsonObject;
}

interface ThinkingDraft {
  readonly kind: "thinking";
  readonly index: number;
  readonly startedAt: number;
  /** The field the thinking came in, and goes back under. */
  field: string | undefined;
  text: string;
  /** What must go back beside the text. */
  readonly sides: Map<string, JsonValue>;
}

/** Makes the error for an impossible sequence, with what arrived before it. */
export type Fail = (code: string, message: string) => MullError;

/** The parts of a message while it arrives. At most one text or thought is open at a time. */
export interface Blocks {
  /** Events of what follows go here. */
  readonly into: (out: StreamEvent[]) => void;
  readonly emit: (event: StreamEvent) => void;
  readonly text: (delta: string, refusal: boolean) => void;
  readonly thinking: (delta: string, field: string) => void;
  /** The open thought stood between these tags. */
  readonly tag: (pair: TagPair) => void;
  readonly side: (name: string, value: JsonValue | undefined) => void;
  /** The field of the open thought: `undefined` when none is open, empty when no text came yet. */
  readonly openField: () => string | undefined;
  /** Keeps a place for a part that is finished later. */
  readonly reserve: () => number;
  readonly place: (index: number, part: AssistantPart) => void;
  /** Ends what is open and adds a whole part. */
  readonly add: (part: AssistantPart) => void;
  readonly sealOpenText: (seal: JsonObject) => boolean;
  readonly closeOpen: () => void;
  readonly parts: () => readonly (AssistantPart | undefined)[];
  /** As `parts`, with the open one marked cut. */
  readonly snapshot: () => (AssistantPart | undefined)[];
}

export function createBlocks(context: DecodeContext, isStream: boolean, fail: Fail): Blocks {
  const parts: (AssistantPart | undefined)[] = [];
  let open: TextDraft | ThinkingDraft | undefined;
  let out: StreamEvent[] = [];

  const reserve = (): number => {
    if (parts.length >= limits.blocks)
      throw fail("too_many_parts", `more than ${limits.blocks} parts`);
    return parts.push(undefined) - 1;
  };

  const place = (index: number, part: AssistantPart): void => {
    parts[index] = part;
    out.push({ type: "part", index, part });
  };

  const closeOpen = (): void => {
    const draft = open;
    open = undefined;
    if (draft?.kind === "text") place(draft.index, textPart(draft, context));
    else if (draft !== undefined) place(draft.index, thinkingPart(draft, context, isStream));
  };

  const openThinking = (field: string | undefined): ThinkingDraft => {
    closeOpen();
    const startedAt = isStream ? context.now() : 0;
    const draft: ThinkingDraft = {
      kind: "thinking",
      index: reserve(),
      startedAt,
      field,
      text: "",
      sides: new Map(),
    };
    open = draft;
    return draft;
  };

  const thinking = (delta: string, field: string): void => {
    if (delta === "") return;
    const draft = open?.kind === "thinking" ? open : openThinking(field);
    draft.field ??= field;
    draft.text += delta;
    out.push({ type: "thinking", index: draft.index, delta });
  };

  const text = (delta: string, refusal: boolean): void => {
    if (delta === "") return;
    if (open?.kind !== "text" || open.refusal !== refusal) {
      closeOpen();
      open = { kind: "text", index: reserve(), refusal, text: "" };
    }
    open.text += delta;
    out.push({ type: "text", index: open.index, delta });
  };

  const side = (name: string, value: JsonValue | undefined): void => {
    const isList = Array.isArray(value);
    if (!isList && (typeof value !== "string" || value === "")) return;
    if (open?.kind !== "thinking" && value.length === 0) return;
    if (open?.kind !== "thinking" && parts.length > 0) {
      // What is open goes on behind it: a part of its own keeps the order of arrival.
      const index = reserve();
      const sides = new Map([[name, value]]);
      return place(
        index,
        thinkingPart(
          {
            kind: "thinking",
            index,
            startedAt: 0,
            field: name,
            text: "",
            sides,
          },
          context,
          false,
        ),
      );
    }
    const { sides } = open?.kind === "thinking" ? open : openThinking(undefined);
    const before = sides.get(name);
    sides.set(
      name,
      isList && isStream && Array.isArray(before) ? addDetails(before, value) : value,
    );
  };

  return {
    into: (target) => {
      out = target;
    },
    emit: (event) => {
      out.push(event);
    },
    text,
    thinking,
    tag: (pair) => {
      if (open?.kind === "thinking" && !open.sides.has("tags")) open.sides.set("tags", pair);
    },
    side,
    openField: () => (open?.kind === "thinking" ? (open.field ?? "") : undefined),
    reserve,
    place,
    add: (part) => {
      closeOpen();
      place(reserve(), part);
    },
    sealOpenText: (seal) => {
      if (open?.kind !== "text") return false;
      open.seal = seal;
      return true;
    },
    closeOpen,
    parts: () => parts,
    snapshot: () => {
      const snapshot = [...parts];
      if (open !== undefined) snapshot[open.index] = cutPart(open);
      return snapshot;
    },
  };
}

const textPart = ({ text, refusal, seal }: TextDraft, context: DecodeContext): AssistantPart => ({
  type: "text",
  text,
  ...(refusal && { refusal: true }),
  ...(seal !== undefined && { seal: makeSeal(seal, context) }),
});

function thinkingPart(
  draft: ThinkingDraft,
  context: DecodeContext,
  isStamped: boolean,
): AssistantPart {
  const { sides, startedAt, text } = draft;
  const field = draft.field ?? [...sides.keys()][0];
  const details = sides.get("reasoning_details");
  const isSummary = Array.isArray(details) && hasSummary(details);
  return {
    type: "thinking",
    text,
    visibility: text === "" ? "hidden" : isSummary ? "summary" : "full",
    seal: makeSeal({ field, ...Object.fromEntries(sides) }, context),
    ...(isStamped && { startedAt, durationMs: Math.max(0, context.now() - startedAt) }),
  };
}

const cutPart = (draft: TextDraft | ThinkingDraft): AssistantPart =>
  draft.kind === "text"
    ? cutText(draft.text, draft.refusal)
    : cutThought(draft.text, draft.text === "" ? "hidden" : "full", { startedAt: draft.startedAt });

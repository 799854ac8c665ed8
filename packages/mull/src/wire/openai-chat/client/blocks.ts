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
  /** What must go back together with the text. */
  readonly sides: Map<string, JsonValue>;
}

/** Makes the error for an impossible sequence, with what arrived before it. */
export type Fail = (code: string, message: string) => MullError;

/** The parts of a message while it arrives. At most one text or thought is open at a time. */
export class Blocks {
  readonly #context: DecodeContext;
  readonly #isStream: boolean;
  readonly #fail: Fail;
  readonly #parts: (AssistantPart | undefined)[] = [];
  #open: TextDraft | ThinkingDraft | undefined;
  #out: StreamEvent[] = [];

  constructor(context: DecodeContext, isStream: boolean, fail: Fail) {
    this.#context = context;
    this.#isStream = isStream;
    this.#fail = fail;
  }

  /** Events of what follows go here. */
  into(out: StreamEvent[]): void {
    this.#out = out;
  }

  emit(event: StreamEvent): void {
    this.#out.push(event);
  }

  text(delta: string, refusal: boolean): void {
    if (delta === "") return;
    let open = this.#open;
    if (open?.kind !== "text" || open.refusal !== refusal) {
      this.closeOpen();
      this.#open = open = { kind: "text", index: this.reserve(), refusal, text: "" };
    }
    open.text += delta;
    this.#out.push({ type: "text", index: open.index, delta });
  }

  thinking(delta: string, field: string): void {
    if (delta === "") return;
    const draft = this.#openThought() ?? this.#startThought(field);
    draft.field ??= field;
    draft.text += delta;
    this.#out.push({ type: "thinking", index: draft.index, delta });
  }

  /** The open thought stood between these tags. */
  tag(pair: TagPair): void {
    const sides = this.#openThought()?.sides;
    if (sides?.has("tags") === false) sides.set("tags", pair);
  }

  side(name: string, value: JsonValue | undefined): void {
    const isList = Array.isArray(value);
    if (!isList && (typeof value !== "string" || value === "")) return;
    const open = this.#openThought();
    if (open === undefined && value.length === 0) return;
    if (open === undefined && this.#parts.length > 0) {
      // The open text continues after it, so it becomes a part of its own, in order of arrival.
      const index = this.reserve();
      const draft = newThought(index, name, 0);
      draft.sides.set(name, value);
      return this.place(index, thinkingPart(draft, this.#context, false));
    }
    const { sides } = open ?? this.#startThought(undefined);
    const before = sides.get(name);
    const isMore = isList && this.#isStream && Array.isArray(before);
    sides.set(name, isMore ? addDetails(before, value) : value);
  }

  /** The field of the open thought: `undefined` when none is open, empty when no text came yet. */
  openField(): string | undefined {
    const open = this.#openThought();
    return open && (open.field ?? "");
  }

  /** Keeps a place for a part that is finished later. */
  reserve(): number {
    if (this.#parts.length >= limits.blocks)
      throw this.#fail("too_many_parts", `more than ${limits.blocks} parts`);
    return this.#parts.push(undefined) - 1;
  }

  place(index: number, part: AssistantPart): void {
    this.#parts[index] = part;
    this.#out.push({ type: "part", index, part });
  }

  /** Ends what is open and adds a whole part. */
  add(part: AssistantPart): void {
    this.closeOpen();
    this.place(this.reserve(), part);
  }

  sealOpenText(seal: JsonObject): boolean {
    if (this.#open?.kind !== "text") return false;
    this.#open.seal = seal;
    return true;
  }

  closeOpen(): void {
    const draft = this.#open;
    this.#open = undefined;
    if (draft === undefined) return;
    const part =
      draft.kind === "text"
        ? textPart(draft, this.#context)
        : thinkingPart(draft, this.#context, this.#isStream);
    this.place(draft.index, part);
  }

  parts(): readonly (AssistantPart | undefined)[] {
    return this.#parts;
  }

  /** As `parts`, with the open one marked cut. */
  snapshot(): (AssistantPart | undefined)[] {
    const snapshot = [...this.#parts];
    if (this.#open !== undefined) snapshot[this.#open.index] = cutPart(this.#open);
    return snapshot;
  }

  #openThought(): ThinkingDraft | undefined {
    return this.#open?.kind === "thinking" ? this.#open : undefined;
  }

  #startThought(field: string | undefined): ThinkingDraft {
    this.closeOpen();
    const startedAt = this.#isStream ? this.#context.now() : 0;
    const draft = newThought(this.reserve(), field, startedAt);
    this.#open = draft;
    return draft;
  }
}

const newThought = (
  index: number,
  field: string | undefined,
  startedAt: number,
): ThinkingDraft => ({ kind: "thinking", index, startedAt, field, text: "", sides: new Map() });

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

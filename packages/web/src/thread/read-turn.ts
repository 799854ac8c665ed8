import {
  findModel,
  type Finish,
  type JsonObject,
  type Level,
  type Model,
  type Seal,
  type ThinkingPart,
  type Usage,
} from "mull";
import { whyUnreadable } from "mull/wire";
import type { UIMessage, UIPart } from "@mull/ui-messages";
import { isStepReceipt, type StepReceipt } from "../receipt/step-receipt.ts";
import type { ThreadFinding } from "../state/app-state.ts";
import { isToolPart, type UIToolPart } from "../tools/describe-tool.ts";

/** What the server says of a turn beside its parts. */
export interface TurnFacts {
  readonly turnId?: string;
  /** The question it answers. */
  readonly messageId?: string;
  readonly state?: "running" | "done" | "stopped" | "failed" | "interrupted";
  readonly startedAt?: number;
  readonly endedAt?: number;
  readonly model?: string;
  readonly level?: Level;
  readonly isSimulated?: boolean;
  readonly usage?: Usage;
  readonly cost?: number;
  readonly finish?: Finish;
  readonly error?: TurnError;
}

export interface TurnError {
  readonly message?: string;
  readonly code?: string;
  readonly category?: string;
  readonly rule?: string;
  readonly fix?: string;
  readonly provider?: string;
  readonly requestId?: string;
  readonly retryAfterMs?: number;
  readonly retryable?: boolean;
}

export type TurnBlock =
  | {
      readonly kind: "thinking";
      readonly text: string;
      readonly isStreaming: boolean;
      readonly about: Partial<Omit<ThinkingPart, "type" | "text">>;
      readonly step: StepReceipt | undefined;
      /** The step has no other block of thinking, so that its count is this one's. */
      readonly isOnly: boolean;
    }
  | {
      readonly kind: "text";
      readonly text: string;
      readonly isStreaming: boolean;
      readonly isRefusal: boolean;
    }
  | { readonly kind: "tool"; readonly part: UIToolPart }
  | { readonly kind: "file"; readonly file: UIFilePart }
  /** What is stored here and cannot be shown. */
  | { readonly kind: "unreadable"; readonly problems: readonly ThreadFinding[] };

export interface ThreadTurn {
  readonly facts: TurnFacts;
  readonly blocks: readonly TurnBlock[];
  readonly steps: readonly StepReceipt[];
}

export const factsOf = (message: UIMessage): TurnFacts => message.metadata ?? {};

/** The parts of an answer as blocks in the order they came, each with the receipt of its step. */
export function readTurn(message: UIMessage): ThreadTurn {
  const steps = splitSteps(message.parts);
  const read = steps.map((parts) => ({ parts, receipt: receiptOf(parts) }));
  return {
    facts: factsOf(message),
    blocks: read.flatMap(({ parts, receipt }) => {
      const isOnly = parts.filter((part) => part.type === "reasoning").length === 1;
      return parts.flatMap((part) => readPart(part, receipt, isOnly));
    }),
    steps: read.flatMap(({ receipt }) => (receipt === undefined ? [] : [receipt])),
  };
}

function splitSteps(parts: readonly UIPart[]): readonly (readonly UIPart[])[] {
  const steps: UIPart[][] = [];
  for (const part of parts) {
    if (part.type === "step-start" || steps.length === 0) steps.push([part]);
    else steps.at(-1)!.push(part);
  }
  return steps;
}

function receiptOf(parts: readonly UIPart[]): StepReceipt | undefined {
  const found = parts.find((part) => part.type === "data-receipt");
  const data = found !== undefined && "data" in found ? found.data : undefined;
  return isStepReceipt(data) ? data : undefined;
}

const kept = (part: {
  readonly providerMetadata?: Readonly<Record<string, JsonObject>>;
}): JsonObject => part.providerMetadata?.["mull"] ?? {};

function readPart(
  part: UIPart,
  step: StepReceipt | undefined,
  isOnly: boolean,
): readonly TurnBlock[] {
  if (isToolPart(part)) return [{ kind: "tool", part }];
  if (part.type === "reasoning" && "text" in part) {
    const about = kept(part) as Partial<ThinkingPart>;
    const isStreaming = part.state === "streaming";
    return [{ kind: "thinking", text: part.text, isStreaming, about, step, isOnly }];
  }
  if (part.type === "text" && "text" in part) {
    if (part.text === "") return [];
    const isRefusal = kept(part)["refusal"] === true;
    return [{ kind: "text", text: part.text, isStreaming: part.state === "streaming", isRefusal }];
  }
  if (part.type === "data-unreadable") {
    return [{ kind: "unreadable", problems: unreadableIn([part]) }];
  }
  return isFile(part) ? [{ kind: "file", file: part }] : [];
}

export type UIFilePart = Extract<UIPart, { readonly mediaType: string }>;

const isFile = (part: UIPart): part is UIFilePart => part.type === "file" && "mediaType" in part;

export const filesIn = (message: UIMessage): readonly UIFilePart[] => message.parts.filter(isFile);

/** What the server says cannot be read in a message. */
export const unreadableIn = (parts: readonly UIPart[]): readonly ThreadFinding[] =>
  parts.flatMap((part) => {
    const data = part.type === "data-unreadable" && "data" in part ? part.data : undefined;
    const { problems } = (data ?? {}) as { readonly problems?: readonly ThreadFinding[] };
    return problems ?? [];
  });

/** Who answered, in order; a turn may be handed over in its middle. */
export function modelsOf({ facts, steps }: ThreadTurn): readonly string[] {
  const served = new Set(steps.map(({ receipt }) => receipt.plan.model));
  if (served.size > 0) return [...served];
  return facts.model === undefined ? [] : [facts.model.slice(facts.model.indexOf(":") + 1)];
}

export const textOf = (message: UIMessage): string =>
  message.parts
    .flatMap((part) => (part.type === "text" && "text" in part ? [part.text] : []))
    .join("\n\n");

/** Whether the chosen model may not read a thought that another one sealed. */
export function isForeign(seal: Seal | undefined, model: Model): boolean {
  if (seal === undefined) return false;
  const { origin } = seal;
  const reader = {
    model,
    provider: model.provider,
    wire: model.wire,
    ...(origin.endpoint !== undefined && { endpoint: origin.endpoint }),
    ...(origin.account !== undefined && { account: origin.account }),
    simulated: origin.simulated,
    modelOf: (id: string): Model => findModel(id),
  };
  return whyUnreadable(seal, reader) !== undefined;
}

/** Sealed thoughts the model may not read, counted by who made them. */
export function countWithheld(
  messages: readonly UIMessage[],
  model: Model,
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const message of messages) {
    if (message.role !== "assistant") continue;
    for (const part of message.parts) {
      if (part.type !== "reasoning" || !("text" in part)) continue;
      const seal = (kept(part) as Partial<ThinkingPart>).seal;
      if (seal === undefined || !isForeign(seal, model)) continue;
      counts.set(seal.origin.model, (counts.get(seal.origin.model) ?? 0) + 1);
    }
  }
  return counts;
}

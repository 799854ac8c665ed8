import type {
  AssistantMessage,
  AssistantPart,
  FilePart,
  JsonObject,
  Message,
  ToolMessage,
  ToolResultPart,
} from "mull";
import type { CallDecision } from "./decisions.ts";
import {
  keptMessage,
  keptPart,
  stepPart,
  type ProviderMetadata,
  type UIMessage,
  type UIPart,
  type UIToolPart,
} from "./ui-message.ts";

/** Settings of `toUIMessages`. */
export interface ToUIOptions {
  /** Names the UI message that begins with the given message of the history. Default `message-<index>`. */
  readonly id?: (index: number) => string;
  /** Ids of calls that wait for a person: those of `agent.pendingCalls()`. */
  readonly waiting?: readonly string[];
  /** What was decided about some of them while the others wait. */
  readonly decided?: readonly CallDecision[];
}

/** Writes messages of a history as UI messages. Seals, durations and unknown fields survive the round trip. */
export function toUIMessages(
  messages: readonly Message[],
  options: ToUIOptions = {},
): readonly UIMessage[] {
  const id = options.id ?? ((index: number): string => `message-${index}`);
  const waiting = waitingOf(options);
  const out: UIMessage[] = [];
  for (let i = 0; i < messages.length;) {
    const message = messages[i]!;
    if (message.role === "user" || message.role === "system") {
      out.push({ id: id(i), role: message.role, parts: message.parts.map(plainPart) });
      i++;
      continue;
    }
    const start = i;
    const parts: UIPart[] = [];
    for (; i < messages.length; i++) {
      const step = messages[i]!;
      if (step.role === "user" || step.role === "system") break;
      const next = messages[i + 1];
      if (step.role === "tool") parts.push({ type: keptMessage, data: step });
      else if (next?.role === "tool" && answersInOrder(step, next)) {
        parts.push(...stepParts(step, next.parts, waiting));
        i++;
      } else parts.push(...stepParts(step, undefined, waiting));
    }
    out.push({ id: id(start), role: "assistant", parts });
  }
  return out;
}

const callsOf = (message: AssistantMessage): readonly string[] =>
  message.parts.flatMap((part) => (part.type === "tool-call" ? [part.id] : []));

/**
 * A UI part holds one call with its result; anything else is kept as it is. Calls that wait for a
 * person have none yet.
 */
function answersInOrder(message: AssistantMessage, { parts: results }: ToolMessage): boolean {
  const calls = callsOf(message);
  const answered = new Set(results.map(({ callId }) => callId));
  const inOrder = calls.filter((id) => answered.has(id));
  return (
    results.length > 0 &&
    new Set(calls).size === calls.length &&
    inOrder.length === results.length &&
    results.every(({ callId }, index) => callId === inOrder[index])
  );
}

function stepParts(
  message: AssistantMessage,
  results: readonly ToolResultPart[] | undefined,
  waiting: Waiting,
): readonly UIPart[] {
  const { role: _, parts, ...about } = message;
  const byCall = new Map(results?.map((result) => [result.callId, result]));
  return [
    { type: "step-start" },
    { type: stepPart, data: { ...about, answered: results !== undefined } },
    ...parts.map((part) => answerPart(part, byCall, waiting)),
  ];
}

function answerPart(
  part: AssistantPart,
  results: ReadonlyMap<string, ToolResultPart>,
  waiting: Waiting,
): UIPart {
  if (part.type === "thinking") {
    const { type: _, text, ...rest } = part;
    return { type: "reasoning", text, state: "done", providerMetadata: carry(rest) };
  }
  if (part.type !== "tool-call") return plainPart(part);
  const { type: _, id, name, input, ...rest } = part;
  const result = results.get(id);
  return {
    type: `tool-${name}`,
    toolCallId: id,
    input,
    callProviderMetadata: carry(rest),
    ...(result === undefined ? openFields(id, waiting) : resultFields(result)),
  };
}

/** What a person said or is still to say about calls, by their ids. */
type Waiting = ReadonlyMap<string, CallDecision["decision"] | undefined>;

const waitingOf = ({ waiting = [], decided = [] }: ToUIOptions): Waiting => {
  const said = new Map(decided.map(({ callId, decision }) => [callId, decision]));
  return new Map(waiting.map((id) => [id, said.get(id)]));
};

function openFields(id: string, waiting: Waiting): OpenFields {
  if (!waiting.has(id)) return { state: "input-available" };
  const decision = waiting.get(id);
  if (decision === undefined) return { state: "approval-requested", approval: { id } };
  const reason = decision !== "run" && "refuse" in decision ? decision.refuse : "";
  const approval = { id, approved: decision === "run", ...(reason !== "" && { reason }) };
  return { state: "approval-responded", approval };
}

type OpenFields = Pick<UIToolPart, "state" | "approval">;

function resultFields(
  result: ToolResultPart,
): OpenFields & Pick<UIToolPart, "output" | "errorText" | "resultProviderMetadata"> {
  const { type: _, callId: id, name, output, isError, ...rest } = result;
  const resultProviderMetadata = carry({ ...rest, name });
  if (rest.refused !== undefined && isError) {
    const reason = rest.refused === "" ? {} : { reason: rest.refused };
    return {
      state: "output-denied",
      approval: { id, approved: false, ...reason },
      resultProviderMetadata: carry({ ...rest, name, output }),
    };
  }
  if (isError && typeof output === "string")
    return { state: "output-error", errorText: output, resultProviderMetadata };
  return {
    state: "output-available",
    output,
    resultProviderMetadata: isError ? carry({ ...rest, name, isError }) : resultProviderMetadata,
  };
}

function plainPart(
  part: Exclude<Message["parts"][number], { type: "thinking" | "tool-call" | "tool-result" }>,
): UIPart {
  switch (part.type) {
    case "text": {
      const { type: _, text, ...rest } = part;
      return { type: "text", text, state: "done", providerMetadata: carry(rest) };
    }
    case "file": {
      const { type: _, mediaType, name, ...rest } = part;
      return {
        type: "file",
        mediaType,
        url: urlOf(part),
        ...(name !== undefined && { filename: name }),
        providerMetadata: carry(rest),
      };
    }
    case "opaque":
      return { type: keptPart, data: part };
    default:
      return part satisfies never;
  }
}

const urlOf = (part: FilePart): string => {
  const { source } = part;
  if (source.type === "url") return source.url;
  return source.type === "base64"
    ? `data:${part.mediaType};base64,${source.data}`
    : `file-id:${source.id}`;
};

const carry = (fields: object): ProviderMetadata => ({ mull: fields as JsonObject });

import { MullError } from "mull";
import {
  isCall,
  isSealed,
  isThinking,
  partsOf,
  type ChatMessage,
  type ChatPart,
  type Log,
} from "./chat-message.ts";
import { convertReasoningToThinking } from "./convert-reasoning.ts";
import { ensureToolMessageStructure } from "./split-tools.ts";

/**
 * What to do about the running tool loop when its answer has no thinking block to begin with.
 * `disable` (default): the request goes out with thinking off. `synthetic` only helps where
 * signatures are not checked.
 */
export type ComplianceStrategy = "disable" | "fail" | "warn" | "demote" | "synthetic";

/** Settings of the compliance functions. */
export interface ComplianceOptions {
  readonly strategy?: ComplianceStrategy;
  readonly log?: Log;
  /** The endpoint takes thinking without a signature. Needed for `synthetic`. */
  readonly signaturesUnchecked?: boolean;
}

/** What the service would say about a message. */
export interface ComplianceFinding {
  readonly message: number;
  readonly isOpenLoop: boolean;
  readonly text: string;
}

/** The messages to send, whether thinking may be on, and what is left to fix. */
export interface ComplianceResult {
  readonly messages: readonly ChatMessage[];
  /** Whether the request may ask for thinking. */
  readonly thinking: "on" | "off";
  readonly findings: readonly ComplianceFinding[];
}

/** Converts reasoning, splits tool messages and makes tool loops valid, in this order and on copies. */
export function compliancePipeline(
  messages: readonly ChatMessage[],
  options: ComplianceOptions = {},
): ComplianceResult {
  const { log } = options;
  const split = ensureToolMessageStructure(convertReasoningToThinking(messages, log), log);
  const compliant = ensureThinkingBlockCompliance(split, options);
  const findings = validateThinkingCompliance(compliant);
  const isOff =
    (options.strategy ?? "disable") === "disable" && findings.some((finding) => finding.isOpenLoop);
  if (isOff)
    log?.(
      "[thinking] thinking is off for this request: the running tool loop does not begin with it",
    );
  return {
    messages: isOff ? compliant.map(withoutThinking) : compliant,
    thinking: isOff ? "off" : "on",
    findings,
  };
}

/**
 * Moves thinking to the front of answers with tool calls if storage lost the order, and applies
 * the strategy to a running tool loop that has none. An answer the service sealed keeps its order.
 */
export function ensureThinkingBlockCompliance(
  messages: readonly ChatMessage[],
  options: ComplianceOptions = {},
): readonly ChatMessage[] {
  const log: Log = options.log ?? (() => undefined);
  log(`[thinking] compliance started: ${messages.length} messages`);
  const open = openLoopIndex(messages);
  const ordered = messages.map((message, index) => {
    if (message.role !== "assistant" || !partsOf(message).some(isCall)) return message;
    if (!partsOf(message).some(isThinking)) {
      log(`[thinking] message ${index} has tool calls without thinking`);
      return message;
    }
    const moved = leadWithThinking(message);
    if (moved !== message) log(`[thinking] message ${index} reordered: thinking first`);
    return moved;
  });
  const last = open === undefined ? undefined : ordered[open];
  if (open === undefined || last === undefined || startsWithThinking(last)) return ordered;
  return applyStrategy(ordered, open, options);
}

/** Lists what Claude with budget thinking would still refuse or advise against. */
export function validateThinkingCompliance(
  messages: readonly ChatMessage[],
): readonly ComplianceFinding[] {
  const open = openLoopIndex(messages);
  return messages.flatMap((message, index) => {
    const parts = partsOf(message);
    if (message.role !== "assistant" || !parts.some(isCall) || startsWithThinking(message))
      return [];
    const found = parts[0]?.type === "tool-call" ? "tool_use" : (parts[0]?.type ?? "nothing");
    const text = `messages.${index}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${found}\`.`;
    return [{ message: index, isOpenLoop: index === open, text }];
  });
}

const startsWithThinking = (message: ChatMessage): boolean => {
  const first = partsOf(message)[0];
  return first !== undefined && isThinking(first);
};

/** The answer whose tool calls were just answered, if the conversation ends there. */
function openLoopIndex(messages: readonly ChatMessage[]): number | undefined {
  const index = messages.findLastIndex((message) => message.role === "assistant");
  const message = messages[index];
  return message !== undefined && partsOf(message).some(isCall) ? index : undefined;
}

/** Text before a sealed thought may be how it came; a call before every thought cannot be. */
function leadWithThinking(message: ChatMessage): ChatMessage {
  const parts = partsOf(message);
  const firstThought = parts.findIndex(isThinking);
  if (firstThought === 0) return message;
  const isOriginal =
    parts.some((part) => isThinking(part) && isSealed(part)) &&
    parts.findIndex(isCall) > firstThought;
  if (isOriginal) return message;
  return {
    ...message,
    content: [...parts.filter(isThinking), ...parts.filter((part) => !isThinking(part))],
  };
}

function applyStrategy(
  messages: readonly ChatMessage[],
  open: number,
  options: ComplianceOptions,
): readonly ChatMessage[] {
  const log: Log = options.log ?? (() => undefined);
  switch (options.strategy ?? "disable") {
    case "disable":
      return messages;
    case "warn":
      log(`[thinking] message ${open} is sent as it is; the service may refuse it`);
      return messages;
    case "fail":
      throw refusal(
        `${validateThinkingCompliance(messages).find((finding) => finding.isOpenLoop)?.text ?? ""} Turn thinking off for this request, or restore the block.`,
      );
    case "demote":
      return messages.map((message, index) => (index < open ? message : demote(message)));
    case "synthetic":
      if (options.signaturesUnchecked !== true) {
        throw refusal(
          "A synthetic thinking block carries no valid signature, and this endpoint checks them. Use strategy disable.",
        );
      }
      return messages.map((message, index) =>
        index === open ? { ...message, content: [synthetic, ...partsOf(message)] } : message,
      );
    default:
      return messages;
  }
}

const synthetic: ChatPart = {
  type: "thinking",
  thinking: "Continuing with the tool results.",
  signature: "",
};

/** Calls and results as text: without a tool loop, no thinking block has to lead it. */
function demote(message: ChatMessage): ChatMessage {
  const parts = partsOf(message);
  if (parts.length === 0) return message;
  const content = parts.map((part): ChatPart => {
    if (isCall(part))
      return text(
        `[called ${String(part["toolName"] ?? part["name"])}: ${JSON.stringify(part["input"] ?? part["args"] ?? {})}]`,
      );
    if (part.type === "tool-result" || part.type === "tool_result") {
      return text(
        `[result: ${JSON.stringify(part["output"] ?? part["content"] ?? part["result"] ?? "")}]`,
      );
    }
    return part;
  });
  return { ...message, role: message.role === "tool" ? "user" : message.role, content };
}

const text = (words: string): ChatPart => ({ type: "text", text: words });

/** With thinking off a request carries no thinking either; both are decided together. */
function withoutThinking(message: ChatMessage): ChatMessage {
  const parts = partsOf(message);
  return parts.some(isThinking)
    ? { ...message, content: parts.filter((part) => !isThinking(part)) }
    : message;
}

const refusal = (message: string): MullError =>
  new MullError(message, {
    category: "invalid_argument",
    code: "open_loop",
    rule: "anthropic/leading-thinking",
  });

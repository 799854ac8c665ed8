import { createLoopShare, mapInSlices, type LoopShare } from "@mull/store/parts";
import type { AssistantPart, Message, ToolMessage, ToolResultPart, UserPart } from "mull";
import {
  convertReasoningToThinking,
  ensureThinkingBlockCompliance,
  ensureToolMessageStructure,
  type ChatMessage,
  type ChatPart,
  type Log,
} from "@mull/ui-messages";

export type Transform = (messages: readonly ChatMessage[], log: Log) => readonly ChatMessage[];

/** Always in this order: convert, split tools, comply. */
export const transforms: readonly Transform[] = [
  convertReasoningToThinking,
  ensureToolMessageStructure,
  (messages, log) => ensureThinkingBlockCompliance(messages, { log }),
];

type AnyPart = Message["parts"][number];

interface ComplyOptions {
  readonly log?: Log;
  readonly stages?: readonly Transform[];
  readonly loop?: LoopShare;
}

/**
 * A stored conversation, ready to be sent. What services sealed stays as it is. Answers that
 * another application wrote, with their results, go through the transforms and come out as a
 * history. Storage isn't touched; every part that comes out is the very part that went in.
 */
export async function complyHistory(
  messages: readonly Message[],
  options: ComplyOptions = {},
): Promise<readonly Message[]> {
  if (!messages.some(isRebuilt)) return messages;
  const { log = () => undefined, stages = transforms, loop = createLoopShare() } = options;
  const kept: AnyPart[] = [];
  const about = new Map<string, Message>();
  const keep = (part: AnyPart): string => `${kept.push(part) - 1}`;
  const toChat = ({ message, results }: Answered, index: number): ChatMessage => {
    about.set(`${index}`, message);
    const parts = [...message.parts, ...results].map((part) => toChatPart(part, keep));
    return { role: message.role, content: parts, about: `${index}` };
  };
  let chats = await mapInSlices(joinResults(messages), toChat, loop);
  for (const stage of stages) {
    await loop.take();
    chats = stage(chats, log);
  }
  return (await mapInSlices(chats, (chat) => fromChat(chat, kept, about), loop)).flat();
}

/** No service made it like this: a thought lost its seal, or a call comes before every thought. */
function isRebuilt({ role, parts }: Message): boolean {
  if (role !== "assistant") return false;
  const first = parts.findIndex(({ type }) => type === "thinking");
  return (
    parts.some((part) => part.type === "thinking" && part.seal === undefined) ||
    parts.slice(0, Math.max(0, first)).some(({ type }) => type === "tool-call")
  );
}

interface Answered {
  readonly message: Message;
  readonly results: readonly ToolResultPart[];
}

/** Results are next to their calls in one message, as in the AI SDK. */
function joinResults(messages: readonly Message[]): readonly Answered[] {
  return messages.flatMap((message, index) => {
    if (message.role === "tool" && messages[index - 1]?.role === "assistant") return [];
    const next = messages[index + 1];
    const results = message.role === "assistant" && next?.role === "tool" ? next.parts : [];
    return [{ message, results }];
  });
}

/**
 * A sealed thought carries its number as a signature, so that no transform takes it for an unsealed
 * one.
 */
function toChatPart(part: AnyPart, keep: (part: AnyPart) => string): ChatPart {
  switch (part.type) {
    case "thinking":
      return part.seal === undefined
        ? { type: "reasoning", text: part.text }
        : { type: "reasoning", text: part.text, signature: keep(part) };
    case "tool-call":
      return { type: "tool-call", toolCallId: part.id, kept: keep(part) };
    case "tool-result":
      return { type: "tool-result", toolCallId: part.callId, kept: keep(part) };
    case "text":
    case "file":
    case "opaque":
      return { type: part.type, kept: keep(part) };
    default:
      return part satisfies never;
  }
}

function fromChat(
  chat: ChatMessage,
  kept: readonly AnyPart[],
  about: ReadonlyMap<string, Message>,
): readonly Message[] {
  const parts = (chat.content as readonly ChatPart[]).flatMap((part) => fromChatPart(part, kept));
  const origin = about.get(String(chat["about"]));
  if (chat.role === "tool" || origin === undefined) {
    const results = parts.filter((part) => part.type === "tool-result");
    return [{ role: "tool", parts: results } satisfies ToolMessage];
  }
  if (origin.role !== "assistant") {
    return [{ ...origin, parts: parts as readonly UserPart[] } as Message];
  }
  const said = parts.filter((part): part is AssistantPart => part.type !== "tool-result");
  return said.length === 0 && origin.parts.length > 0 ? [] : [{ ...origin, parts: said }];
}

/** Parts that no provider knows, such as `reasoning`, aren't sent. */
function fromChatPart(part: ChatPart, kept: readonly AnyPart[]): readonly AnyPart[] {
  if (part.type === "reasoning") return [];
  const number = part.type === "thinking" ? part["signature"] : part["kept"];
  const own = number === undefined ? undefined : kept[Number(number)];
  if (own !== undefined) return [own];
  return part.type === "thinking" && typeof part["thinking"] === "string"
    ? [{ type: "thinking", text: part["thinking"], visibility: "summary" }]
    : [];
}

import type { AssistantPart, JsonObject, Message, Note, OpaquePart, Part, WireId } from "mull";
import { isJsonObject, plural } from "mull/wire";

/** Fields around an answer of Chat Completions: their loss changes nothing. */
const silent = "message-fields";

/** Names what answers of the client's own vendor hold that no other vendor reads: calls of its own tools, summaries. */
export function lostParts(messages: readonly Message[], wire: WireId): readonly Note[] {
  const lost = new Set<string>();
  for (const { role, parts } of messages)
    if (role === "assistant")
      for (const part of parts)
        if (part.type === "opaque" && part.kind !== silent) lost.add(kindOf(part));
  if (lost.size === 0) return [];
  const message = `only ${wire} has these parts, so they were left out of the conversation: ${[...lost].join(", ")}`;
  return [{ code: "parts-dropped", severity: "warning", message }];
}

/** Google names a part by its key. */
const kindOf = ({ kind, data }: OpaquePart): string => kind || (Object.keys(data)[0] ?? "unknown");

/** A conversation whose calls every vendor takes. */
interface ReadCalls {
  readonly messages: readonly Message[];
  readonly notes: readonly Note[];
}

/**
 * OpenAI's wires take any text as arguments, the others only an object. Some clients encode them
 * twice: `"{\"city\":\"Oslo\"}"`. What cannot be read, e.g. because it was cut off, is left out.
 */
export function readArguments(messages: readonly Message[], to: WireId): ReadCalls {
  if (!messages.some(({ parts }) => parts.some(isInvalid))) return { messages, notes: [] };
  let unread = 0;
  const read = (part: AssistantPart): AssistantPart => {
    if (part.type !== "tool-call" || part.invalid === undefined) return part;
    const { invalid, inputText: _, ...call } = part;
    const input = objectIn(parse(invalid.raw));
    if (input !== undefined) return { ...call, input };
    unread++;
    return part;
  };
  const told = messages.map((message) =>
    message.role === "assistant" ? { ...message, parts: message.parts.map(read) } : message,
  );
  const isSent = to === "openai-chat" || to === "openai-responses";
  const text = `the arguments of ${plural(unread, "call")} are not JSON, so they were left out`;
  const note: Note = { code: "arguments-dropped", severity: "warning", message: text };
  return { messages: told, notes: unread > 0 && !isSent ? [note] : [] };
}

const isInvalid = (part: Part): boolean => part.type === "tool-call" && part.invalid !== undefined;

const objectIn = (value: unknown): JsonObject | undefined => {
  const inner = typeof value === "string" ? parse(value) : value;
  return isJsonObject(inner) ? inner : undefined;
};

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

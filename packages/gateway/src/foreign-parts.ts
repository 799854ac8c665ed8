import type { Message, Note, OpaquePart, WireId } from "mull";

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

import type { AssistantMessage, Message } from "mull";

/** The service's complaint, by the two phrases that are in every wording of it. */
const markers: readonly RegExp[] = [
  /Expected `thinking` or `redacted_thinking`/,
  /must start with a thinking block/,
];

export const hasComplianceError = (text: string): boolean =>
  markers.some((marker) => marker.test(text));

/** What the database holds of an answer, as step 4 reports it. */
export interface StoredFacts {
  readonly parts: number;
  readonly hasCalls: boolean;
  readonly first: string;
}

export const storedFacts = (messages: readonly Message[]): readonly StoredFacts[] =>
  messages
    .filter((message): message is AssistantMessage => message.role === "assistant")
    .map(({ parts }) => ({
      parts: parts.length,
      hasCalls: parts.some((part) => part.type === "tool-call"),
      first: parts.at(0)?.type ?? "nothing",
    }));

/** Answers with calls that do not begin with thinking. */
export const wronglyStored = (messages: readonly Message[]): readonly StoredFacts[] =>
  storedFacts(messages).filter(({ hasCalls, first }) => hasCalls && first !== "thinking");

interface Block {
  readonly type: string;
  readonly signature?: string;
  readonly thinking?: string;
  readonly tool_use_id?: string;
  readonly id?: string;
  readonly is_error?: boolean;
}

interface SentMessage {
  readonly role: string;
  readonly content: readonly Block[];
}

/** What Claude would say about a request; empty when it would say nothing. */
export function faultsInRequest(body: object): readonly string[] {
  const { messages = [] } = body as { readonly messages?: readonly SentMessage[] };
  return messages.flatMap(({ role, content }, index) => {
    if (role !== "assistant" || !content.some(({ type }) => type === "tool_use")) return [];
    const faults: string[] = [];
    const first = content.at(0);
    if (first?.type !== "thinking" && first?.type !== "redacted_thinking") {
      faults.push(
        `messages.${index}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${first?.type}\``,
      );
    }
    const calls = content.filter(({ type }) => type === "tool_use").map(({ id }) => id);
    const next = messages.at(index + 1)?.content ?? [];
    const results = next.filter(({ type }) => type === "tool_result");
    for (const call of calls) {
      const result = results.find((each) => each.tool_use_id === call);
      if (result === undefined || result.is_error === true) {
        faults.push(`messages.${index}: the result of ${call} is not in the next message`);
      }
    }
    return faults;
  });
}

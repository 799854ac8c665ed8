import type { AssistantMessage, ChatTarget, Message } from "mull";

/** The reader for the model: as before in this conversation, if it was asked before. */
export function readerOf(
  { provider }: ChatTarget,
  messages: readonly Message[],
): { readonly endpoint?: string; readonly account?: string } {
  const last = messages.findLast(
    (message): message is AssistantMessage =>
      message.role === "assistant" && message.origin?.provider === provider.id,
  );
  const { endpoint = new URL(provider.baseUrl).origin, account } = last?.origin ?? {};
  return { endpoint, ...(account !== undefined && { account }) };
}

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import {
  isMullError,
  type AssistantMessage,
  type Message,
  type Origin,
  type UserMessage,
} from "mull";
import type { BeginTurn, Store } from "../store.ts";

export const says = (text: string): UserMessage => ({
  role: "user",
  parts: [{ type: "text", text }],
});

const origin: Origin = { wire: "anthropic-messages", provider: "anthropic", model: "m" };

export const answers = (text: string): AssistantMessage => ({
  role: "assistant",
  parts: [
    {
      type: "thinking",
      text: "Let me see.",
      visibility: "full",
      seal: { origin, data: { signature: "c2VhbA==" } },
    },
    { type: "text", text },
  ],
  origin,
  effort: "med",
});

export const calls = (...ids: readonly string[]): AssistantMessage => ({
  role: "assistant",
  parts: ids.map((id) => ({ type: "tool-call", id, name: "searchWeb", input: { q: id } })),
});

/** A conversation of a user that no other case uses. */
export async function newTalk(
  store: Store,
): Promise<{ readonly userId: string; readonly conversationId: string }> {
  const userId = `user-${randomUUID()}`;
  const { id } = await store.createConversation(userId, { title: "Talk" });
  return { userId, conversationId: id };
}

export async function newTurn(
  store: Store,
  given: Partial<BeginTurn> = {},
): Promise<{ readonly userId: string; readonly conversationId: string; readonly turnId: string }> {
  const talk = await newTalk(store);
  const { turn } = await store.beginTurn({
    ...talk,
    idempotencyKey: randomUUID(),
    expectedHead: null,
    message: says("What is 2 + 2?"),
    ...given,
  });
  return { ...talk, turnId: turn.id };
}

export const messagesOf = async (
  store: Store,
  userId: string,
  conversationId: string,
): Promise<readonly Message[]> =>
  (await store.listBranch(userId, conversationId)).map(({ message }) => message);

export async function refuses(promise: Promise<unknown>, code: string): Promise<Error> {
  try {
    await promise;
  } catch (error) {
    assert.ok(isMullError(error), `expected a MullError, got ${String(error)}`);
    assert.equal(error.code, code);
    return error;
  }
  return assert.fail(`expected the refusal ${code}`);
}

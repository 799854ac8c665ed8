/**
 * A valid body for every route that takes one; the tests generated from the route table send them.
 */
export const sampleBodies: ReadonlyMap<string, (ids: SampleIds) => unknown> = new Map<
  string,
  (ids: SampleIds) => unknown
>([
  ["POST /api/account/sign-up", () => ({ name: "somebody", password: "long enough" })],
  ["POST /api/account/enter", () => ({ link: "a link" })],
  ["POST /api/account/claim", () => ({ name: "somebody", password: "long enough" })],
  ["POST /api/account/sign-in", () => ({ name: "somebody", password: "long enough" })],
  ["POST /api/account/password", () => ({ current: "wrong one", next: "long enough too" })],
  ["POST /api/keys", () => ({ provider: "openai", key: "a-key", for: "me" })],
  ["POST /api/conversations", () => ({ title: "new" })],
  [
    "POST /api/conversations/import",
    () => ({ messages: [{ id: "1", role: "user", parts: [{ type: "text", text: "hello" }] }] }),
  ],
  ["PATCH /api/conversations/:conversationId", () => ({ title: "renamed" })],
  ["PATCH /api/preferences", () => ({ theme: "dark", model: "gpt-6-sol", level: "high" })],
  ["POST /api/conversations/:conversationId/fork", () => ({})],
  [
    "POST /api/chat",
    ({ conversationId }: SampleIds) => ({
      id: conversationId,
      messages: [{ role: "user", parts: [{ type: "text", text: "What is 2 + 2?" }] }],
    }),
  ],
  [
    "POST /api/compare",
    ({ conversationId }: SampleIds) => ({
      conversationId,
      message: { role: "user", parts: [{ type: "text", text: "What is 2 + 2?" }] },
      choices: [{ model: "gpt-6-sol" }, { model: "claude-sonnet-4-5", level: "low" }],
    }),
  ],
  [
    "POST /api/count",
    ({ conversationId }: SampleIds) => ({
      conversationId,
      message: { role: "user", parts: [{ type: "text", text: "What is 2 + 2?" }] },
    }),
  ],
  ["POST /api/chat/:conversationId/retry", () => ({})],
  [
    "POST /api/chat/:conversationId/edit",
    ({ messageId }: SampleIds) => ({
      messageId,
      message: { role: "user", parts: [{ type: "text", text: "And 3 + 3?" }] },
    }),
  ],
  ["POST /api/chat/:conversationId/continue", () => ({})],
  [
    "POST /api/chat/:conversationId/decide",
    () => ({ decisions: [{ callId: "call_1", run: false, reason: "not today" }] }),
  ],
  ["POST /api/chat/:conversationId/use", () => ({ model: "gpt-6-sol" })],
]);

export const sampleQueries: ReadonlyMap<string, string> = new Map([
  ["DELETE /api/keys/:provider", "?for=me"],
  ["GET /api/plan", "?model=gpt-6-sol&level=high"],
]);

export interface SampleIds {
  readonly conversationId: string;
  readonly messageId: string;
}

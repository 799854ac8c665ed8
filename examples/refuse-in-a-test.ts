import assert from "node:assert/strict";
import { emulate, fails, says, script, thinks } from "@mull/emulator";
import { chat, isMullError } from "mull";

// The emulator checks every request by the rules of the model: this one takes no thinking budget.
const response = await emulate()("https://api.anthropic.com/v1/messages", {
  method: "POST",
  headers: {
    "x-api-key": "test",
    "anthropic-version": "2023-06-01",
    "content-type": "application/json",
  },
  body: JSON.stringify({
    model: "claude-opus-5-5",
    max_tokens: 1000,
    thinking: { type: "enabled", budget_tokens: 2000 },
    messages: [{ role: "user", content: "hi" }],
  }),
});
console.log(response.status, (await response.json()) as unknown);
assert.equal(response.status, 400);

// A script says what it answers, in order: first an error 529, then a thought and a text.
const fetch = emulate({
  scripts: [script({}, [fails(529)], [thinks("Two and two."), says("4")])],
});
const ask = { messages: [{ role: "user", parts: [{ type: "text", text: "2 + 2?" }] }] } as const;
const reply = await chat("claude-opus-5-5/low", ask, { fetch, apiKey: "test" });
console.log(reply.text, reply.receipt.attempts);

// A key with `invalid` in it is refused, as the service refuses a wrong one.
const refused = await chat("claude-opus-5-5", ask, { fetch, apiKey: "invalid" }).catch(
  (error: unknown) => error,
);
assert.ok(isMullError(refused) && refused.category === "auth");

// The journal has every request that arrived, and what became of it.
assert.deepEqual(
  fetch.journal().map(({ verdict }) => verdict),
  ["failed", "answered", "refused"],
);

import { describe, expect, it } from "vitest";
import { testServer } from "./testing/test-server.ts";

const message = { role: "user", parts: [{ type: "text", text: "And 3 + 3?" }] };

describe("R532: a question is counted before it is asked", () => {
  it("with all that goes before it, by the service, which is asked nothing", async () => {
    const server = testServer();
    const ann = await server.signedUp("ann");
    const alone = await ann.json("POST", "/api/count", { message, model: "claude-opus-5-5" });
    expect(alone).toEqual({ tokens: expect.any(Number), source: "service" });
    const id = await ann.newConversation("claude-opus-5-5");
    await ann.askWhole(id, "What is 2 + 2?");
    await ann.json("PATCH", `/api/conversations/${id}`, { system: "Answer in rhyme." });
    const asked = server.emulator.journal().length;
    const behind = await ann.json("POST", "/api/count", { conversationId: id, message });
    expect(behind["tokens"]).toBeGreaterThan(alone["tokens"] as number);
    const [counted] = server.emulator.journal().slice(asked);
    expect(counted?.path).toMatch(/count_tokens$/);
    expect(JSON.stringify(counted)).toContain("Answer in rhyme.");
    const { messages } = await ann.json<{ messages: unknown[] }>(
      "GET",
      `/api/conversations/${id}/messages`,
    );
    expect(messages).toHaveLength(2);
  });

  it("by estimate where nobody counts, which says why; an empty question is refused", async () => {
    const ann = await testServer().signedUp("ann");
    const model = "deepseek-v4-pro";
    expect(await ann.json("POST", "/api/count", { message, model })).toMatchObject({
      source: "estimate",
      reason: expect.stringContaining("DeepSeek doesn't count tokens"),
    });
    const empty = { role: "user", parts: [{ type: "text", text: " " }] };
    const refused = await ann.call("POST", "/api/count", { message: empty });
    expect(refused.status).toBe(400);
  });
});

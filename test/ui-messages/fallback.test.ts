import { calls, emulate, fails, script, thinks } from "@mull/emulator";
import { fromUIMessages, toUIStream, type UIChunk } from "@mull/ui-messages";
import { Agent, tool } from "mull";
import { expect, test } from "vitest";

test("R456 useChat learns which blocks are void, and the conversation goes on without them", async () => {
  const broken = [thinks("Let me think about primes for a while."), calls("look_up"), fails(529)];
  const agent = new Agent("claude-opus-5-5/high", {
    fetch: emulate({ scripts: [script({ model: "claude-opus-5-5" }, broken)] }),
    apiKey: "k",
    maxAttempts: 1,
    fallback: ["gpt-6-sol/low"],
    tools: [tool({ name: "look_up", input: { type: "object" }, run: () => "42" })],
  });
  const chunks: UIChunk[] = [];
  for await (const chunk of toUIStream(agent.sendStream("What is 23 * 47?").events()))
    chunks.push(chunk);
  const types = chunks.map(({ type }) => type);
  const at = types.indexOf("data-mull-fallback");
  expect(at).toBeGreaterThan(0);
  const blocks = chunks.flatMap(({ type, id }) => (type.endsWith("-start") && id ? [id] : []));
  expect(new Set(blocks).size).toBe(blocks.length);
  const history = fromUIMessages([
    {
      id: "1",
      role: "assistant",
      parts: [
        { type: "step-start" },
        { type: "reasoning", text: "void" },
        { type: "data-mull-fallback", data: {} },
        { type: "text", text: "said" },
      ],
    },
  ]);
  expect(JSON.stringify(history)).not.toContain("void");
});

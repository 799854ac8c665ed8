import { chat } from "mull";
import { describe, expect, it } from "vitest";

import { emulate } from "./emulate.ts";
import { calls, cuts, says } from "./script/actions.ts";
import { script } from "./script/script.ts";
import { ask } from "./testing/ask.ts";
import { serveOpenai } from "./testing/sdk-clients.ts";
import { readToEnd } from "./testing/wires.ts";

const served = serveOpenai();

const messages = [{ role: "user" as const, content: "What is 2 + 2?" }];
const asked = { model: "gpt-5.1", reasoning_effort: "low" as const, messages };

const streamed = async (
  fetch: ReturnType<typeof emulate>,
  body: object,
): Promise<{ readonly text: string; readonly isBroken: boolean }> =>
  readToEnd(
    await fetch("http://emulated/v1/chat/completions", {
      method: "POST",
      headers: { authorization: "Bearer k", "content-type": "application/json" },
      body: JSON.stringify({ ...body, stream: true }),
    }),
  );

const countOf = (text: string): number => text.split("data: ").length - 1;

describe("P-J1 several choices on Chat Completions", () => {
  it("come whole, each under its index, and are all paid for", async () => {
    const one = await served.client.chat.completions.create(asked);
    const three = await served.client.chat.completions.create({ ...asked, n: 3 });
    expect(three.choices.map(({ index }) => index)).toEqual([0, 1, 2]);
    for (const { message } of three.choices) expect(message.content).toContain("4");
    expect(three.usage).toMatchObject({
      prompt_tokens: one.usage?.prompt_tokens,
      completion_tokens: 3 * (one.usage?.completion_tokens ?? 0),
    });
    expect(three.usage?.completion_tokens_details?.reasoning_tokens).toBe(
      3 * (one.usage?.completion_tokens_details?.reasoning_tokens ?? 0),
    );
  });

  it("take turns in a stream and end together", async () => {
    const runner = served.client.chat.completions.stream({
      ...asked,
      n: 2,
      stream_options: { include_usage: true },
    });
    const order: number[] = [];
    const finished: number[] = [];
    for await (const chunk of runner) {
      for (const { index, finish_reason: finish } of chunk.choices) {
        order.push(index);
        if (finish !== null) finished.push(order.length);
      }
    }
    expect(order).toEqual(order.map((_, at) => at % 2));
    expect(finished).toEqual([order.length - 1, order.length]);
    const { choices } = await runner.finalChatCompletion();
    expect(choices.map(({ message }) => message.content)).toEqual([
      expect.stringContaining("4"),
      expect.stringContaining("4"),
    ]);
  });

  it("never share the id of a call", async () => {
    const fetch = emulate({ scripts: [script({}, [calls("look", {})], [calls("look", {})])] });
    const tools = [{ type: "function", function: { name: "look" } }];
    const body = { model: "gpt-4.1", messages, tools, n: 2 };
    const whole = await ask(fetch, "chat", body);
    const { text } = await streamed(fetch, body);
    const ids = [...`${JSON.stringify(whole.body)}${text}`.matchAll(/call_\w+/g)].map(String);
    expect([ids.length, new Set(ids).size]).toEqual([4, 4]);
  });

  it("are all cut where the script says", async () => {
    const turn = [says("One two three four five six seven."), cuts()];
    const cut = (n: number): Promise<{ readonly text: string; readonly isBroken: boolean }> =>
      streamed(emulate({ scripts: [script({}, turn)] }), { ...asked, n });
    const [one, two] = [await cut(1), await cut(2)];
    expect([one.isBroken, two.isBroken]).toEqual([true, true]);
    expect(countOf(two.text)).toBe(2 * countOf(one.text));
  });

  it("are one where a server takes no notice, and refused where it says so", async () => {
    const hi = { messages, n: 2 };
    const ollama = await emulate()("http://localhost:11434/v1/chat/completions", {
      method: "POST",
      body: JSON.stringify({ model: "qwen3:8b", ...hi }),
    });
    expect(((await ollama.json()) as { choices: unknown[] }).choices).toHaveLength(1);
    const groq = await ask(emulate(), "chat", { model: "gpt-oss-120b", ...hi });
    expect([groq.status, groq.message]).toEqual([400, "'n' : number must be at most 1"]);
    const many = await ask(emulate(), "chat", { ...asked, n: 129 });
    expect(many.message).toBe(
      "Invalid 'n': integer above maximum value. Expected a value <= 128, but got 129 instead.",
    );
  });

  it("leave the library with the first", async () => {
    const reply = await chat(
      "openai-chat:gpt-4.1",
      { messages: [{ role: "user", parts: [{ type: "text", text: "2 + 2?" }] }], extra: { n: 2 } },
      { fetch: emulate(), apiKey: "test" },
    );
    expect(reply.text.match(/Simulated/g)).toHaveLength(1);
  });
});

describe("P-J1 the tier that answered", () => {
  it("is named in the whole and in every chunk", async () => {
    expect((await served.client.chat.completions.create(asked)).service_tier).toBe("default");
    const tiers = new Set<unknown>();
    for await (const chunk of await served.client.chat.completions.create({
      ...asked,
      stream: true,
    })) {
      tiers.add(chunk.service_tier);
    }
    expect([...tiers]).toEqual(["default"]);
  });
});

import type { JsonObject } from "mull";
import { describe, expect, it } from "vitest";

import { emulate, type Emulator } from "./emulate.ts";
import { ask, type WireName } from "./testing/ask.ts";

const long = "All work and no play. ".repeat(300);
const mark = { type: "ephemeral" } as const;

const usageOf = async (fetch: Emulator, wire: WireName, body: JsonObject): Promise<JsonObject> =>
  (await ask(fetch, wire, body)).body["usage"] as JsonObject;

const claude = (system: string, ...said: readonly JsonObject[]): JsonObject => ({
  model: "claude-opus-5-5",
  max_tokens: 2000,
  system: [{ type: "text", text: system, cache_control: mark }],
  messages: [{ role: "user", content: "Hi" }, ...said],
});

const inputs = async (fetch: Emulator, body: JsonObject): Promise<readonly number[]> => {
  const usage = await usageOf(fetch, "anthropic", body);
  return ["cache_creation_input_tokens", "cache_read_input_tokens", "input_tokens"].map((name) =>
    Number(usage[name]),
  );
};

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);

describe("P-B9 kept prompts of Anthropic", () => {
  it("are written once and read from then on, counted once each", async () => {
    const fetch = emulate();
    const [written = 0, none, rest] = await inputs(fetch, claude(long));
    expect([none, written > 1600, (rest ?? 0) < 20]).toEqual([0, true, true]);
    expect(await inputs(fetch, claude(long))).toEqual([0, written, rest]);
    const counted = await ask(emulate(), "anthropic", { ...claude(long), system: long });
    const { input_tokens: whole } = counted.body["usage"] as { input_tokens: number };
    expect(Math.abs(written + (rest ?? 0) - whole)).toBeLessThan(20);
  });

  it("grow with a conversation whose mark moves on", async () => {
    const fetch = emulate();
    const [first = 0] = await inputs(fetch, claude(long));
    const said: JsonObject[] = [
      { role: "assistant", content: "Hello." },
      { role: "user", content: [{ type: "text", text: long, cache_control: mark }] },
    ];
    const [more = 0, read] = await inputs(fetch, claude(long, ...said));
    expect([read, more > 1600]).toEqual([first, true]);
    const { system: _, ...open } = claude(long, ...said);
    const moved = { ...open, system: [{ type: "text", text: long }] };
    expect((await inputs(fetch, moved))[1]).toBe(first + more);
  });

  it("are the last block where the request as a whole is marked", async () => {
    const body = { ...claude(""), system: long, cache_control: mark };
    expect((await inputs(emulate(), body))[0]).toBeGreaterThan(1600);
  });

  it.each([
    ["too short", "Be brief.", {}],
    ["of another thought", long, { thinking: { type: "adaptive", display: "summarized" } }],
  ])("do not serve what is %s", async (_, system, more) => {
    const fetch = emulate();
    await inputs(fetch, claude(system));
    expect((await inputs(fetch, { ...claude(system), ...more }))[1]).toBe(0);
  });

  it("are gone after five minutes, or an hour where that was asked for", async () => {
    let now = 0;
    const clock = { now: () => now, sleep: async () => undefined };
    const fetch = emulate({ clock });
    const hour = {
      ...claude(""),
      system: [{ type: "text", text: `${long}!`, cache_control: { ...mark, ttl: "1h" } }],
    };
    await inputs(fetch, claude(long));
    await inputs(fetch, hour);
    now = 6 * 60_000;
    expect((await inputs(fetch, claude(long)))[1]).toBe(0);
    expect((await inputs(fetch, hour))[1]).toBeGreaterThan(1600);
    fetch.reset();
    expect((await inputs(fetch, hour))[1]).toBe(0);
  });

  it("are told apart by how long they are kept", async () => {
    const content = [{ type: "text", text: long, cache_control: { ...mark, ttl: "5m" } }];
    const system = [{ type: "text", text: long, cache_control: { ...mark, ttl: "1h" } }];
    const body = { ...claude(""), system, messages: [{ role: "user", content }] };
    const fetch = emulate();
    const usage = await usageOf(fetch, "anthropic", body);
    const writes = usage["cache_creation"] as Record<string, number>;
    expect(writes["ephemeral_1h_input_tokens"]).toBeGreaterThan(1600);
    expect(sum(Object.values(writes))).toBe(usage["cache_creation_input_tokens"]);
    expect((await usageOf(fetch, "anthropic", body))["cache_creation"]).toEqual({
      ephemeral_5m_input_tokens: 0,
      ephemeral_1h_input_tokens: 0,
    });
  });

  it("add up to what the prompt costs", async () => {
    const fetch = emulate();
    const first = sum(await inputs(fetch, claude(long)));
    expect(sum(await inputs(fetch, claude(long)))).toBe(first);
  });
});

const cachedOf = ({ prompt_tokens_details, input_tokens_details }: JsonObject): unknown =>
  ((prompt_tokens_details ?? input_tokens_details) as { cached_tokens: number }).cached_tokens;

it("P-B9 Gemini says nothing of a cache it did not use", async () => {
  const contents = [{ role: "user", parts: [{ text: "Hi" }] }];
  const { body } = await ask(emulate(), "google", { model: "gemini-3.8-flash", contents });
  expect(body["usageMetadata"]).not.toHaveProperty("cachedContentTokenCount");
});

describe("P-B9 kept prompts of OpenAI", () => {
  it.each([
    ["chat", { model: "gpt-5.1", messages: [{ role: "user", content: long }] }],
    ["responses", { model: "gpt-6-sol", input: long }],
  ] as const)("%s keeps every beginning by itself, in blocks of 128", async (wire, body) => {
    const fetch = emulate();
    expect(cachedOf(await usageOf(fetch, wire, body))).toBe(0);
    expect(cachedOf(await usageOf(fetch, wire, body))).toBe(12 * 128);
  });

  it("is not how other hosts count", async () => {
    const fetch = emulate();
    const body = JSON.stringify({ model: "qwen3:8b", messages: [{ role: "user", content: long }] });
    const post = { method: "POST", headers: { "content-type": "application/json" }, body };
    await fetch("http://localhost:11434/v1/chat/completions", post);
    const again = await fetch("http://localhost:11434/v1/chat/completions", post);
    const { usage } = (await again.json()) as { usage: JsonObject };
    expect(cachedOf(usage)).toBe(0);
  });
});

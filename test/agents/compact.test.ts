import { calls, emulate, says, script, type Emulator } from "@mull/emulator";
import { Agent, compact, History, resolveModel, tool, type ChatTarget, type Message } from "mull";
import { Agent as CoreAgent, targetOf } from "mull/core";
import { anthropic } from "mull/anthropic";
import { describe, expect, test } from "vitest";
import { wrong } from "../stubs.ts";

const wires = [
  "claude-opus-5-5/low",
  "gpt-6-sol/low",
  "openai-chat:gpt-6-sol/none",
  "gemini-3.8-flash/low",
];

const said = (role: "user" | "assistant", text: string): Message => ({
  role,
  parts: [{ type: "text", text }],
});
const pdf = {
  type: "file",
  mediaType: "application/pdf",
  source: { type: "base64", data: "JVBERi0=" },
  name: "plan.pdf",
} as const;

/** Three turns; the first has a file, the last an open loop. */
const long = History.from([
  { role: "system", parts: [{ type: "text", text: "Be kind." }] },
  { role: "user", parts: [{ type: "text", text: "One?" }, pdf] },
  said("assistant", "First. ".repeat(50)),
  said("user", "Two?"),
  said("assistant", "Second."),
  said("user", "Three?"),
  {
    role: "assistant",
    parts: [{ type: "tool-call", id: "c1", name: "look", input: {} }],
  },
  {
    role: "tool",
    parts: [{ type: "tool-result", callId: "c1", name: "look", output: "nothing" }],
  },
]);
const summarize = (messages: readonly Message[]): string => `${messages.length} messages`;
const withWindow = (model: string, window?: number): ChatTarget => {
  const target = resolveModel(model);
  const { window: _, ...row } = target.model;
  return { ...target, model: { ...row, ...(window !== undefined && { window }) } };
};
const refusals = (emulator: Emulator): readonly unknown[] =>
  emulator.journal().filter(({ verdict }) => verdict === "refused");

describe.each(wires)("R441 a shortened conversation with %s", (model) => {
  test("keeps the open loop, files and the system's words, and goes on", async () => {
    const { history, dropped, summary } = await compact(long, { summarize, keepTurns: 1 });
    expect([summary, dropped.messages]).toEqual(["4 messages", 4]);
    expect(history.messages.slice(-3)).toEqual(long.messages.slice(-3));
    expect(history.messages[0]).toBe(long.messages[0]);
    expect(history.messages[1]?.parts).toContain(pdf);
    expect(history.branches().map(({ length }) => length)).toContain(long.length);
    const fetch = emulate({ scripts: [script({}, [says("Found nothing.")])] });
    const tools = [tool({ name: "look", run: () => "nothing" })];
    const agent = new Agent(model, { history, tools, fetch, apiKey: "k" });
    expect((await agent.resumeStream().result()).text).toBe("Found nothing.");
    expect(refusals(fetch)).toEqual([]);
  });

  test("takes its summary from a model, in pieces where it has to", async () => {
    const fetch = emulate({ scripts: [{ ...script({}, [says("In short: one.")]), repeat: true }] });
    const target = withWindow(model, 100);
    const { history, receipts } = await compact(long, {
      model: target,
      keepTurns: 1,
      fetch,
      apiKey: "k",
    });
    expect(receipts.length).toBeGreaterThan(1);
    expect(JSON.stringify(history.messages[1])).toContain("In short: one.");
    expect(refusals(fetch)).toEqual([]);
  });

  test("R442 an agent shortens before its window overflows; the receipt says what went", async () => {
    const fetch = emulate({ scripts: [{ ...script({}, [says("An answer.")]), repeat: true }] });
    const compacting = { summarize, keepTurns: 1 };
    const agent = new Agent(withWindow(model, 300), { fetch, apiKey: "k", compact: compacting });
    await agent.send(`One? ${"Words and words. ".repeat(40)}`);
    const { receipt, messages, text } = await agent.send(`Two? ${"More words. ".repeat(40)}`);
    expect(receipt.notes).toContainEqual(expect.objectContaining({ code: "compacted" }));
    expect([text, messages.length]).toEqual(["An answer.", 2]);
    expect(JSON.stringify(agent.history.messages[0])).toContain("2 messages");
    expect(agent.history.messages.at(-1)?.role).toBe("assistant");
  });

  test("R442 when a service refuses for length, the agent shortens and asks again", async () => {
    const fetch = emulate({ scripts: [{ ...script({}, [says("Short again.")]), repeat: true }] });
    const history = History.from([
      said("user", "One?"),
      said("assistant", "Many words here. ".repeat(400_000)),
    ]);
    const options = { fetch, apiKey: "k", history };
    const unknown = withWindow(model);
    await expect(new Agent(unknown, options).send("Two?")).rejects.toMatchObject({
      category: "context_overflow",
    });
    const agent = new Agent(unknown, { ...options, compact: { summarize } });
    const { text, receipt } = await agent.send("Two?");
    expect(text).toBe("Short again.");
    expect(receipt.notes.map(({ code }) => code)).toContain("compacted");
  });
});

test("R442 within one long loop early results go, and calls stay", async () => {
  const turns = Array.from({ length: 5 }, () => [calls("look", {})]);
  const fetch = emulate({ scripts: [script({}, ...turns, [says("Done.")])] });
  const look = tool({ name: "look", run: () => "long words ".repeat(30) });
  const options = { fetch, apiKey: "k", tools: [look], compact: "auto" } as const;
  const agent = new Agent(withWindow(wires[0]!, 400), options);
  const { text, receipts } = await agent.send("Look.");
  expect(text).toBe("Done.");
  expect(receipts.flatMap(({ notes }) => notes.map(({ code }) => code))).toContain("compacted");
  const results = agent.history.messages.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === "tool-result" ? [JSON.stringify(part.output)] : [])),
  );
  expect(results).toHaveLength(5);
  expect(results[0]).toContain("left out");
  expect(results.at(-1)).toContain("long words");
  expect(refusals(fetch)).toEqual([]);
});

test("R441 what is short stays as it is; wrong options are refused by name", async () => {
  const short = History.from([said("user", "Hi"), said("assistant", "Hello")]);
  expect((await compact(short, { summarize })).history).toBe(short);
  await expect(compact(long, {})).rejects.toThrow("model");
  await expect(compact(long, { summarize, keepTurns: 0 })).rejects.toThrow("keepTurns");
  await expect(compact(wrong([]), { summarize })).rejects.toThrow("history");
  for (const [field, value] of [
    ["compact", "always"],
    ["compact.keepTurns", { keepTurns: 0 }],
    ["compact.summarize", { summarize: "x" }],
  ])
    expect(() => new Agent(wires[0]!, { compact: wrong(value) })).toThrow(field);
  const target = targetOf(anthropic, "claude-opus-5-5");
  expect(() => new CoreAgent(target, { compact: "auto" })).toThrow("compact");
});

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { calls, fails, says, script, thinks } from "@mull/emulator";
import { tool } from "mull";
import { startChat } from "./testing/chat.ts";
import { createGate } from "./testing/gate.ts";

/** The lines a command printed: from its echo to the prompt. */
const printed = (lines: readonly string[], command: string): readonly string[] => {
  const at = lines.lastIndexOf(`❯ ${command}`);
  return lines.slice(at + 1, lines.length - 2);
};

describe("R184 to R194, D22: /model in a fresh conversation prints exactly these lines", () => {
  const cases: readonly (readonly [string, readonly string[]])[] = [
    [
      "claude-sonnet-4-5/med",
      ["✓ Switched to Anthropic claude-sonnet-4-5", "  Thinking: medium (43,008 tokens)"],
    ],
    [
      "gemini-2.5-pro/high",
      ["✓ Switched to Google gemini-2.5-pro", "  Thinking: high (32,768 tokens)"],
    ],
    [
      "gemini-3-pro/none",
      [
        "✓ Switched to Google gemini-3-pro",
        "  ⚠ This model does not support disabling thinking",
        "  Thinking: LOW level (minimum)",
      ],
    ],
    [
      "o3/med",
      [
        "✓ Switched to OpenAI o3 (Responses API)",
        "  Thinking: medium effort (~50% of output budget)",
        "  Recommended output buffer: 25,000 tokens",
      ],
    ],
    [
      "o3-mini/none",
      [
        "✓ Switched to OpenAI o3-mini",
        "  ⚠ This model does not support disabling thinking",
        "  Thinking: medium effort (default)",
      ],
    ],
    ["gpt-5/extreme", ['✗ Unknown level "extreme". Levels: auto none min low med high max']],
    [
      "claude-sonnet-4-5/med --thinking-budget=16000",
      ["✓ Switched to Anthropic claude-sonnet-4-5", "  Thinking: custom (16,000 tokens)"],
    ],
  ];

  test.each(cases)("/model %s", async (ref, expected) => {
    const chat = startChat();
    await chat.sees("? for keys");
    const lines = await chat.say(`/model ${ref}`);
    expect(printed(lines, `/model ${ref}`)).toEqual(expected);
    expect(await chat.leave()).toBe(0);
  });
});

describe("a switch with a history behind it", () => {
  test("P-G1: says what stays behind and what the model is, and sends a valid request", async () => {
    const chat = startChat({
      model: "gpt-6-sol",
      scripts: [
        script({ model: "gpt-6-sol" }, [thinks("Short."), says("One.")]),
        script({ model: "claude-*" }, [says("Two.")]),
      ],
    });
    await chat.say("first");
    const lines = await chat.say("/model claude-sonnet-4-5/med");
    expect(printed(lines, "/model claude-sonnet-4-5/med")).toEqual([
      "✓ Switched to Anthropic claude-sonnet-4-5",
      "  Thinking: medium (43,008 tokens)",
      "",
      "  1 sealed thought of gpt-6-sol stays here, withheld until you go back.",
      "  claude-sonnet-4-5 is shut down on 2026-11-30; its successor is",
      "  claude-sonnet-5-5.",
    ]);
    await chat.say("second");
    await chat.sees("Two.");
    expect(await chat.leave()).toBe(0);
  });

  test("R178 to R181: the level of the next request is the new one, with both turns", async () => {
    const chat = startChat({ level: "low", scripts: [script({}, [says("One.")], [says("Two.")])] });
    await chat.say("first");
    await chat.say("/level high");
    await chat.say("second");
    const [one, two] = chat.emulator.journal();
    expect(JSON.stringify(one?.body)).toContain('"effort":"low"');
    expect(JSON.stringify(two?.body)).toContain('"effort":"high"');
    expect(JSON.stringify(two?.body)).toContain("first");
    expect(await chat.leave()).toBe(0);
  });
});

describe("a switch inside a tool loop", () => {
  test("promise 1: another vendor finishes the turn; what it means is said", async () => {
    const gate = createGate();
    const searchWeb = tool({
      name: "searchWeb",
      input: { type: "object", properties: { query: { type: "string" } } },
      run: async () => {
        await gate.opened;
        return "Stocks closed mixed.";
      },
    });
    const chat = startChat({
      model: "gpt-6-sol",
      tools: [searchWeb],
      scripts: [
        script({ model: "gpt-6-sol" }, [thinks("Look."), calls("searchWeb", { query: "markets" })]),
        script({ model: "claude-sonnet-4-5" }, [says("Stocks closed mixed today.")]),
      ],
    });
    await chat.sees("? for keys");
    chat.type("what is going on in the markets?\r");
    await chat.sees("▸ searchWeb");
    chat.type("/model claude-sonnet-4-5/med\r");
    const lines = await chat.sees("From the next step of this turn:");
    const text = lines.join("\n");
    expect(text).toContain(
      "✓ Switched to Anthropic claude-sonnet-4-5\n  Thinking: medium (43,008 tokens)",
    );
    expect(text).toMatch(/⚠ the turn began on gpt-6-sol[\s\S]*thinking is off until the turn ends/);
    expect(text).toContain("rule");
    expect(text).toContain("1 sealed thought of gpt-6-sol withheld, restored if you go back.");
    gate.open();
    await chat.sees("Stocks closed mixed today.");
    expect(chat.emulator.journal().map(({ status }) => status)).toEqual([200, 200]);
    const receipt = (await chat.say("/receipt")).join("\n");
    expect(receipt).toMatch(
      /\n {2}shown {5}nothing: the turn began[^]*\n {2}repaired {2}nothing\n/,
    );
    expect(receipt).toContain("\n  withheld  1 thought, kept here: thought of gpt-6-sol");
    expect(await chat.leave()).toBe(0);
  });
});

test("D16: back on the model that made it, a thought is readable again and nothing is said of it", async () => {
  const chat = startChat({
    model: "gpt-6-sol",
    scripts: [script({ model: "gpt-6-sol" }, [thinks("Short."), says("One.")], [says("Two.")])],
  });
  await chat.say("first");
  await chat.say("/model claude-opus-5-5/low");
  await chat.sees("withheld until you go back");
  const lines = await chat.say("/model gpt-6-sol/low");
  expect(printed(lines, "/model gpt-6-sol/low").join("\n")).not.toContain("withheld");
  await chat.say("/lint");
  await chat.sees("✓ No problem for gpt-6-sol.");
  await chat.say("second");
  expect(JSON.stringify(chat.emulator.journal().at(-1)?.body)).toContain("encrypted_content");
  expect(await chat.leave()).toBe(0);
});

test("an answer at the end is nothing that /lint repairs: the next question follows it", async () => {
  const chat = startChat({ scripts: [script({}, [says("One.")])] });
  await chat.say("first");
  const lines = printed(await chat.say("/lint"), "/lint");
  expect(lines.filter((line) => line.startsWith("✓") || line.includes("repaired"))).toEqual([
    "✓ No problem for claude-opus-5-5.",
  ]);
  expect(await chat.leave()).toBe(0);
});

test("/lint shows advice and does not call it a problem", async () => {
  const chat = startChat({ scripts: [script({}, [says("One.")])] });
  await chat.say("/model claude-opus-5-5/high");
  await chat.say("Think step by step: what is 1 + 1?");
  const lines = printed(await chat.say("/lint"), "/lint").join("\n");
  expect(lines).toContain("✓ No problem for claude-opus-5-5.");
  expect(lines).toContain("advice anthropic/advice-asks-for-reasoning");
  expect(await chat.leave()).toBe(0);
});

test("in a narrow window a receipt has a line a fact, and /lint counts what it would repeat", async () => {
  const turns = ["One.", "Two."].map((text) => [thinks("Hm."), says(text)]);
  const chat = startChat({ columns: 50, scripts: [script({}, ...turns)] });
  await chat.sees("? for keys");
  await chat.say("first");
  await chat.say("second");
  chat.type("/receipt\r");
  await chat.sees("  shown     summary\n  repaired  nothing\n");
  chat.type("/model gpt-6-sol/low\r");
  await chat.sees("✓ Switched");
  chat.type("/lint\r");
  await chat.sees(/ {2}withheld {2}thought of claude-opus-5-5:[^]* · 2\s+times\n/);
  expect(await chat.leave()).toBe(0);
});

test("a key that was kept meanwhile is used after /keys, without a new start", async () => {
  const chat = startChat({ isKeyed: true });
  await chat.sees("? for keys");
  await chat.say("/model gpt-6-sol/low");
  await chat.sees(
    /✗ No key for OpenAI\.\n {2}fix {3}\/keys set openai {3}store a key\n {8}export OPENAI_API_KEY=… {3}before/,
  );
  const folder = join(chat.home, ".config/mull");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "credentials.json"), '{"openai":"open-sesame"}', { mode: 0o600 });
  await chat.say("/keys");
  await chat.sees("To store a key: /keys set PROVIDER");
  await chat.say("/model gpt-6-sol/low");
  await chat.sees("✓ Switched to OpenAI gpt-6-sol");
  expect(await chat.leave()).toBe(0);
});

test("/model lists what /model takes: the provider is named where the id alone means another", async () => {
  const chat = startChat({ columns: 120, rows: 40, settings: { plain: true } });
  await chat.sees("you:");
  chat.type("/model\n");
  const text = (await chat.sees("switches.")).join("\n");
  expect(text).toMatch(/ OpenAI {6}gpt-6-astra {2}gpt-6-sol /);
  expect(text).toMatch(/ OpenAI {6}openai-chat:gpt-6-astra {2}openai-chat:gpt-6-sol /);
  chat.type("/exit\n");
  expect(await chat.code).toBe(0);
});

describe("a model that is not there", () => {
  const notThere = { status: 404, type: "not_found_error", message: "model: claude-opsu-5-5" };
  const scripts = [
    script({ model: "claude-opsu-5-5" }, [fails(notThere)], [fails(notThere)]),
    script({ model: "claude-opus-5-5" }, [says("One.")], [says("Two.")]),
  ];

  test("is doubted at once, and the one before answers again", async () => {
    const chat = startChat({ model: "claude-opus-5-5/high", scripts });
    await chat.say("first");
    await chat.say("/model claude-opsu-5-5/low");
    await chat.sees("⚠ Did you mean /model claude-opus-5-5?");
    chat.type("second\r");
    await chat.sees("⚠ There is no claude-opsu-5-5: claude-opus-5-5/high answers again.");
    await chat.sees(/❯ second\n claude-opus-5-5 \(simulated\) · high /);
    chat.type("\r");
    await chat.sees("Two.");
    expect(await chat.leave()).toBe(0);
    const again = startChat({ home: chat.home, resume: "", scripts: [] });
    await again.sees(/claude-opus-5-5 \(simulated\) · high /);
    expect(await again.leave()).toBe(0);
  });

  test("stays where there was none before, with the name that was perhaps meant", async () => {
    const chat = startChat({ model: "claude-opsu-5-5", scripts });
    await chat.sees("? for keys");
    chat.type("first\r");
    const lines = await chat.sees("Did you mean /model claude-opus-5-5?");
    expect(lines.join("\n")).not.toContain("answers again");
    await chat.sees(/❯ first\n claude-opsu-5-5 /);
    chat.type("\u0003");
    await chat.sees(/❯\n claude-opsu-5-5 /);
    expect(await chat.leave()).toBe(0);
  });
});

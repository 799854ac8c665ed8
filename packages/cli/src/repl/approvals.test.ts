import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { calls, says, script } from "@mull/emulator";
import { tool, type Message, type Tool } from "mull";
import { startChat, type TestChat, type TestChatOptions } from "./testing/chat.ts";

interface Paying extends TestChat {
  readonly paid: readonly number[];
}

/** A chat whose tool asks before it pays. */
async function startPaying(options: TestChatOptions): Promise<Paying> {
  const paid: number[] = [];
  const pay: Tool = tool<{ readonly sum: number }>({
    name: "pay",
    input: { type: "object", properties: { sum: { type: "number" } }, required: ["sum"] },
    needsApproval: true,
    run: ({ sum }) => {
      paid.push(sum);
      return `${sum} paid`;
    },
  });
  const chat = startChat({ tools: [pay], ...options });
  await chat.sees(/\? for keys|^you:/m);
  return { ...chat, paid };
}

const twice = script(
  {},
  [calls("pay", { sum: 5 })],
  [says("First done.")],
  [calls("pay", { sum: 7 })],
  [says("Second done.")],
);
const sent = (chat: TestChat): string => JSON.stringify(chat.emulator.journal().at(-1)?.body);

/** The answer is there, and the next question can be asked. */
const answered = (word: string): RegExp =>
  new RegExp(`${word} done\\.[^]*(?:\\? for keys|you:)\\s*$`);

describe.each([
  ["on the screen", {}],
  ["in plain lines", { settings: { plain: true } }],
] as const)("R524: a call waits for the person %s", (_, settings) => {
  test("yes runs it once; the next call asks again, and a refusal goes to the model with its reason", async () => {
    const chat = await startPlain(settings);
    chat.type("pay\r");
    await chat.sees(/pay waits for you:[^]*"sum": 5[^]*y ⏎ yes/);
    if (!("settings" in settings)) await chat.sees(/▸ pay \{"sum":5\} +waits for you$/m);
    expect(chat.paid).toEqual([]);
    chat.type("maybe\r");
    await chat.sees(/y ⏎ yes[^]*y ⏎ yes/);
    chat.type("y\r");
    await chat.sees(answered("First"));
    expect(chat.paid).toEqual([5]);
    chat.type("pay again\r");
    await chat.sees(/"sum": 7/);
    chat.type("n not before January\r");
    const lines = await chat.sees(answered("Second"));
    expect(lines.join("\n")).toMatch(/pay \{"sum":7\} +✗ not run: not before January$/m);
    expect(chat.paid).toEqual([5]);
    expect(sent(chat)).toContain("not before January");
    chat.type("/exit\r");
    expect(await chat.code).toBe(0);
  });

  test("always holds for this conversation and this tool, and not for the next conversation", async () => {
    const chat = await startPlain(settings, [
      script({ text: "once more" }, [calls("pay", { sum: 3 })], [says("Third done.")]),
      script({}, [calls("pay", { sum: 1 })], [calls("pay", { sum: 2 })], [says("Both done.")]),
    ]);
    chat.type("pay twice\r");
    await chat.sees(/"sum": 1/);
    chat.type("a\r");
    await chat.sees(answered("Both"));
    expect(chat.paid).toEqual([1, 2]);
    chat.type("/new\r");
    await chat.sees(/[Nn]ew conversation/);
    chat.type("once more\r");
    await chat.sees(/"sum": 3/);
    chat.type("n\r");
    await chat.sees(answered("Third"));
    expect(chat.paid).toEqual([1, 2]);
    chat.type("/exit\r");
    expect(await chat.code).toBe(0);
  });
});

const startPlain = (
  settings: TestChatOptions,
  scripts: TestChatOptions["scripts"] = [twice],
): Promise<Paying> => startPaying({ ...settings, scripts });

test("R524: a turn that is stopped while a call waits leaves a valid conversation", async () => {
  const chat = await startPaying({ scripts: [twice] });
  chat.type("pay\r");
  await chat.sees("pay waits for you");
  chat.type("\u001b");
  await chat.sees(/▸ pay \{"sum":5\} +■ stopped$/m);
  await chat.say("and now?");
  await chat.sees("First done.");
  expect(chat.paid).toEqual([]);
  expect(sent(chat)).toContain("the turn was stopped");
  expect(await chat.leave()).toBe(0);
});

test("R524: a chat that was left while a call waited says so when it is opened again", async () => {
  const chat = await startPaying({ scripts: [twice] });
  chat.type("pay\r");
  await chat.sees("pay waits for you");
  expect(await chat.leave()).toBe(0);
  const again = await startPaying({ scripts: [twice], home: chat.home, resume: "" });
  await again.sees(/❯ pay\nThe turn stopped at pay\. \/retry asks again\./);
  again.type("/retry\r");
  await again.sees("pay waits for you");
  again.type("n\r");
  await again.sees(answered("First"));
  await again.say("/export all.json");
  expect(await again.leave()).toBe(0);
  const { entries } = JSON.parse(readFileSync(join(chat.home, "all.json"), "utf8")) as {
    readonly entries: readonly { readonly message: Message }[];
  };
  const roles = entries.map(({ message }) => message.role);
  expect(roles).toEqual(["user", "assistant", "tool", "user", "assistant", "tool", "assistant"]);
});

test("R524: a text that would be written is shown in lines", async () => {
  const write: Tool = tool<{ readonly path: string; readonly text: string }>({
    name: "write",
    input: { type: "object", properties: {}, required: [] },
    needsApproval: true,
    run: () => "written",
  });
  const input = { path: "C:\\new", text: "one\n\ntwo" };
  const chat = startChat({
    tools: [write],
    scripts: [script({}, [calls("write", input)], [says("Ok.")])],
  });
  await chat.sees("? for keys");
  chat.type("write\r");
  await chat.sees(
    [
      "    {",
      '      "path": "C:\\\\new",',
      '      "text": "one',
      "      ┆",
      '      ┆ two"',
      "    }",
      "  y ⏎ yes",
    ].join("\n"),
  );
  chat.type("y\r");
  await chat.sees("Ok.");
  expect(await chat.leave()).toBe(0);
});

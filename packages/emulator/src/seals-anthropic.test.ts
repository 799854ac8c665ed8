import { describe, expect, it } from "vitest";
import type { JsonObject, JsonValue } from "mull";

import { emulate, type Emulator } from "./emulate.ts";
import { calls, redacts, says, thinks } from "./script/actions.ts";
import { script } from "./script/script.ts";
import { ask, type Answered } from "./testing/ask.ts";

const tools = [{ name: "f", input_schema: { type: "object", properties: {} } }];

const base: JsonObject = {
  model: "claude-opus-5-5",
  max_tokens: 4096,
  thinking: { type: "adaptive", display: "summarized" },
  tools,
};
const user = { role: "user", content: "Begin" };
const results = {
  role: "user",
  content: [{ type: "tool_result", tool_use_id: "toolu_1", content: "4" }],
};

type Block = Record<string, JsonValue>;

/** The objects of a list in an answer. */
const blocksIn = (list: JsonValue | undefined): Block[] =>
  Array.isArray(list) ? (list as readonly JsonValue[]).map((block) => block as Block) : [];

const textOf = (value: JsonValue | undefined): string => (typeof value === "string" ? value : "");

const twoThoughts = (): Emulator =>
  emulate({
    scripts: [
      script({ turn: 1 }, [thinks("One."), redacts(), calls("f", {}, { id: "toolu_1" })]),
      script({ turn: 2 }, [thinks("Two."), says("Done.")]),
    ],
  });

/** Begins a tool loop and returns the assistant's blocks. */
const begin = async (emulator: Emulator, more: JsonObject = {}): Promise<Block[]> => {
  const { body } = await ask(emulator, "anthropic", { ...base, ...more, messages: [user] });
  return blocksIn(body["content"]);
};

const goOn = (
  emulator: Emulator,
  content: readonly Block[],
  more: JsonObject = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<Answered> =>
  ask(
    emulator,
    "anthropic",
    { ...base, messages: [user, { role: "assistant", content }, results], ...more },
    headers,
  );

const modified = /blocks in the latest assistant message cannot be modified/;

describe("P-A3 the latest thinking of Claude", () => {
  it("is accepted as it came", async () => {
    const emulator = twoThoughts();
    const blocks = await begin(emulator);
    expect(blocks.map((block) => block["type"])).toEqual([
      "thinking",
      "redacted_thinking",
      "tool_use",
    ]);
    expect((await goOn(emulator, blocks)).status).toBe(200);
  });

  it.each<[string, (blocks: Block[]) => Block[]]>([
    ["edited", ([a = {}, ...rest]) => [{ ...a, thinking: "Other." }, ...rest]],
    ["reordered", ([a = {}, b = {}, c = {}]) => [b, a, c]],
    ["partly dropped", ([a = {}, , c = {}]) => [a, c]],
    [
      "moved behind other blocks",
      ([a = {}, b = {}, c = {}]) => [{ type: "text", text: "x" }, a, b, c],
    ],
  ])("%s is refused", async (_, change) => {
    const emulator = twoThoughts();
    const blocks = await begin(emulator);
    const { status, message } = await goOn(emulator, change(blocks));
    expect([status, message]).toEqual([400, expect.stringMatching(modified)]);
  });

  it("F-S17 is accepted where the stream broke before a later thought", async () => {
    const emulator = emulate({
      scripts: [
        script({ turn: 1 }, [thinks("One."), says("Well."), thinks("Two."), says("Done.")]),
      ],
    });
    const blocks = await begin(emulator);
    expect(blocks).toHaveLength(4);
    const messages = [user, { role: "assistant", content: blocks.slice(0, 2) }, user];
    expect((await ask(emulator, "anthropic", { ...base, messages })).status).toBe(200);
  });

  it("P-A2 with a truncated or foreign signature is refused", async () => {
    const emulator = twoThoughts();
    const [a = {}, b = {}, c = {}] = await begin(emulator);
    const signature = textOf(a["signature"]);
    const foreign = (await begin(twoThoughts()))[0]?.["signature"] as string;
    for (const bad of [signature.slice(0, -8), foreign]) {
      const { message } = await goOn(emulator, [{ ...a, signature: bad }, b, c]);
      expect(message).toMatch(/messages\.1\.content\.0: Invalid `signature` in `thinking` block/);
    }
    const accepting = emulate({ foreignSeals: "accept" });
    const { status } = await goOn(accepting, [{ ...a, signature: foreign }, b, c]);
    expect(status).toBe(200);
  });

  it("is readable by other emulators with the same secret only", async () => {
    const blocks = await begin(
      emulate({
        secret: "s",
        scripts: [script({}, [thinks("One."), calls("f", {}, { id: "toolu_1" })])],
      }),
    );
    expect((await goOn(emulate({ secret: "s" }), blocks)).status).toBe(200);
    expect((await goOn(emulate({ secret: "t" }), blocks)).status).toBe(400);
  });

  it("P-A7 withheld thinking goes back with its empty text", async () => {
    const emulator = twoThoughts();
    const more = { thinking: { type: "adaptive" } };
    const blocks = await begin(emulator, more);
    expect(blocks[0]).toMatchObject({ thinking: "" });
    expect((await goOn(emulator, blocks, more)).status).toBe(200);
    const { thinking: _, ...bare } = blocks[0] ?? {};
    const { message } = await goOn(emulator, [bare, ...blocks.slice(1)], more);
    expect(message).toContain("thinking.thinking: Field required");
  });
});

describe("P-A5 thinking bound to its prefix", () => {
  const bound = /The block is bound to a different conversation/;
  const binding = { "anthropic-beta": "thinking-binding-controls-2026-08-01" };
  const drop = {
    thinking: {
      type: "adaptive",
      display: "summarized",
      block_binding: { prefix_mismatch_behavior: "drop_block" },
    },
  };

  it.each<[string, JsonObject]>([
    ["another system prompt", { system: "Be brief." }],
    ["another tool", { tools: [...tools, { name: "g", input_schema: { type: "object" } }] }],
  ])("is refused under %s", async (_, more) => {
    const emulator = twoThoughts();
    const { status, message } = await goOn(emulator, await begin(emulator), more);
    expect([status, message]).toEqual([400, expect.stringMatching(bound)]);
  });

  it("is dropped instead where the beta asks for it, and reported", async () => {
    const emulator = twoThoughts();
    const blocks = await begin(emulator);
    const { status, body } = await goOn(
      emulator,
      blocks,
      { system: "Be brief.", ...drop },
      binding,
    );
    expect(status).toBe(200);
    expect(body["input_transformations"]).toEqual([
      { type: "thinking_dropped", path: "messages.1.content.0", reason: "prefix_binding_mismatch" },
      { type: "thinking_dropped", path: "messages.1.content.1", reason: "prefix_binding_mismatch" },
    ]);
  });

  it("moving cache marks or changing effort does not matter", async () => {
    const emulator = twoThoughts();
    const blocks = await begin(emulator);
    const more = {
      output_config: { effort: "low" },
      tools: [{ ...tools[0], cache_control: { type: "ephemeral" } }],
    };
    expect((await goOn(emulator, blocks, more)).status).toBe(200);
  });

  it("is not checked for older accounts and older models", async () => {
    const older = emulate({
      accounts: "older",
      scripts: [script({}, [thinks("One."), calls("f", {}, { id: "toolu_1" })])],
    });
    expect((await goOn(older, await begin(older), { system: "Be brief." })).status).toBe(200);
    const emulator = twoThoughts();
    const model = { model: "claude-opus-4-8" };
    const blocks = await begin(emulator, model);
    expect((await goOn(emulator, blocks, { ...model, system: "Be brief." })).status).toBe(200);
  });

  it("breaks for later blocks when one is taken out of the middle, not from the front", async () => {
    const emulator = emulate({
      scripts: [{ turns: [[thinks("T."), says("S.")]], repeat: true }],
    });
    const messages: JsonValue[] = [];
    for (let i = 0; i < 3; i += 1) {
      messages.push({ role: "user", content: `Question ${i}` });
      const { body } = await ask(emulator, "anthropic", { ...base, messages });
      messages.push({ role: "assistant", content: body["content"] as JsonValue });
    }
    messages.push({ role: "user", content: "Last" });
    const without = (gone: number): JsonValue[] =>
      messages.map((message, i) => {
        const { role, content } = message as { role: string; content: readonly JsonValue[] };
        return i === gone ? { role, content: content.slice(1) } : message;
      });
    const status = async (list: JsonValue[]): Promise<number> =>
      (await ask(emulator, "anthropic", { ...base, messages: list })).status;
    expect(await status(messages)).toBe(200);
    expect(await status(without(1))).toBe(200);
    expect(await status(without(3))).toBe(400);
  });

  it("blocks of another model are dropped silently", async () => {
    const emulator = twoThoughts();
    const blocks = await begin(emulator, { model: "claude-haiku-5-5" });
    const { status, body } = await goOn(emulator, blocks, { model: "claude-opus-5-5" }, binding);
    expect(status).toBe(200);
    expect(JSON.stringify(body["input_transformations"])).toContain("model_binding_mismatch");
  });
});

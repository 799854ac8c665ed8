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
  return body["content"] as unknown as Block[];
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

describe("A3 the latest thinking of Claude", () => {
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
    ["edited", ([a, ...rest]) => [{ ...a, thinking: "Other." }, ...rest]],
    ["reordered", ([a, b, c]) => [b as Block, a as Block, c as Block]],
    ["partly dropped", ([a, , c]) => [a as Block, c as Block]],
    [
      "moved behind other blocks",
      ([a, b, c]) => [{ type: "text", text: "x" }, a as Block, b as Block, c as Block],
    ],
  ])("%s is refused", async (_, change) => {
    const emulator = twoThoughts();
    const blocks = await begin(emulator);
    const { status, message } = await goOn(emulator, change(blocks));
    expect([status, message]).toEqual([400, expect.stringMatching(modified)]);
  });

  it("A2 with a truncated or foreign signature is refused", async () => {
    const emulator = twoThoughts();
    const [a, b, c] = await begin(emulator);
    const signature = String(a?.["signature"]);
    const foreign = (await begin(twoThoughts()))[0]?.["signature"] as string;
    for (const bad of [signature.slice(0, -8), foreign]) {
      const { message } = await goOn(emulator, [{ ...a, signature: bad }, b as Block, c as Block]);
      expect(message).toMatch(/messages\.1\.content\.0: Invalid `signature` in `thinking` block/);
    }
    const accepting = emulate({ foreignSeals: "accept" });
    const { status } = await goOn(accepting, [
      { ...a, signature: foreign },
      b as Block,
      c as Block,
    ]);
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

  it("A7 withheld thinking goes back with its empty text", async () => {
    const emulator = twoThoughts();
    const more = { thinking: { type: "adaptive" } };
    const blocks = await begin(emulator, more);
    expect(blocks[0]).toMatchObject({ thinking: "" });
    expect((await goOn(emulator, blocks, more)).status).toBe(200);
    const { thinking: _, ...bare } = blocks[0] as Block;
    const { message } = await goOn(emulator, [bare, ...blocks.slice(1)], more);
    expect(message).toContain("thinking.thinking: Field required");
  });
});

describe("A5 thinking bound to its prefix", () => {
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

describe("F1 Gemini's thought signatures", () => {
  const ask3 = (
    emulator: Emulator,
    parts: readonly JsonValue[],
    model = "gemini-3.8-flash",
  ): Promise<Answered> =>
    ask(emulator, "google", {
      model,
      contents: [
        { role: "user", parts: [{ text: "Begin" }] },
        ...(parts.length === 0
          ? []
          : [
              { role: "model", parts },
              {
                role: "user",
                parts: parts.map((part) => {
                  const { id, name } = (part as { functionCall: { id: string; name: string } })
                    .functionCall;
                  return { functionResponse: { id, name, response: { output: 4 } } };
                }),
              },
            ]),
      ],
      tools: [{ functionDeclarations: [{ name: "f" }, { name: "g" }] }],
    });
  const calling = (): Emulator =>
    emulate({ scripts: [script({ turn: 1 }, [calls("f", { a: 1 }), calls("g")])] });
  const partsOf = (answered: Answered): Block[] =>
    (answered.body["candidates"] as unknown as [{ content: { parts: Block[] } }])[0].content.parts;

  it("sit on the first of parallel calls and go back there", async () => {
    const emulator = calling();
    const parts = partsOf(await ask3(emulator, []));
    expect(parts.map((part) => part["thoughtSignature"] !== undefined)).toEqual([true, false]);
    expect((await ask3(emulator, parts)).status).toBe(200);
    expect((await ask3(emulator, parts, "gemini-3.6-flash")).status).toBe(200);
  });

  it.each<[string, (parts: Block[]) => Block[]]>([
    [
      "moved to another call",
      ([a, b]) => {
        const { thoughtSignature, ...bare } = a as Block;
        return [{ ...b, thoughtSignature: thoughtSignature as JsonValue }, bare];
      },
    ],
    [
      "truncated",
      ([a, b]) => [
        { ...a, thoughtSignature: String(a?.["thoughtSignature"]).slice(0, -4) },
        b as Block,
      ],
    ],
    ["of Claude", ([a, b]) => [{ ...a, thoughtSignature: "EqQBCkYIARgCKkAx" }, b as Block]],
  ])("are refused when %s", async (_, change) => {
    const emulator = calling();
    const parts = partsOf(await ask3(emulator, []));
    const { status, message } = await ask3(emulator, change(parts));
    expect([status, message]).toEqual([400, expect.stringMatching(/thought signature/i)]);
  });

  it("may be skipped with the documented word", async () => {
    const emulator = calling();
    const [a, b] = partsOf(await ask3(emulator, []));
    const skipped = { ...a, thoughtSignature: "skip_thought_signature_validator" };
    expect((await ask3(emulator, [skipped, b as Block])).status).toBe(200);
  });
});

describe("C1 OpenAI's reasoning items", () => {
  const first = { model: "gpt-6-sol", store: false, input: [{ role: "user", content: "Begin" }] };
  const calling = (): Emulator =>
    emulate({ scripts: [script({ turn: 1 }, [thinks("Hm."), calls("f", {}, { id: "call_1" })])] });
  const output = { type: "function_call_output", call_id: "call_1", output: "4" };
  const loop = async (
    emulator: Emulator,
    change: (items: Block[]) => readonly JsonValue[],
    more: JsonObject = {},
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answered> => {
    const { body } = await ask(emulator, "responses", { ...first, ...more });
    const items = change(body["output"] as unknown as Block[]);
    const input = [...first.input, ...items, output] as JsonValue;
    return ask(emulator, "responses", { ...first, ...more, input }, headers);
  };

  it("go back with their encrypted content, with or without their id", async () => {
    expect((await loop(calling(), (items) => items)).status).toBe(200);
    const { status } = await loop(calling(), ([rs, fc]) => {
      const { id: _, ...bare } = rs as Block;
      return [bare, fc as Block];
    });
    expect(status).toBe(200);
  });

  it("C2 cannot be dropped while the call keeps its id", async () => {
    const { status, message } = await loop(calling(), ([, fc]) => [fc as Block]);
    expect([status, message]).toEqual([
      400,
      expect.stringMatching(
        /^Item 'fc_\w+' of type 'function_call' was provided without its required 'reasoning' item: 'rs_\w+'\.$/,
      ),
    ]);
    const dropped = await loop(calling(), ([, fc]) => {
      const { id: _, ...bare } = fc as Block;
      return [bare];
    });
    expect(dropped.status).toBe(200);
  });

  it.each<[string, (item: Block) => Block]>([
    ["forged", (item) => ({ ...item, encrypted_content: "gAAAAABforged" })],
    [
      "truncated",
      (item) => ({ ...item, encrypted_content: String(item["encrypted_content"]).slice(0, -8) }),
    ],
    ["moved to another item", (item) => ({ ...item, id: "rs_other" })],
  ])("C4 are refused when %s", async (_, change) => {
    const { message } = await loop(calling(), ([rs, fc]) => {
      const { id: _id, ...bare } = fc as Block;
      return [change(rs as Block), bare];
    });
    expect(message).toMatch(/could not be verified/);
  });

  it("C4 are refused in another account", async () => {
    const { message } = await loop(
      calling(),
      (items) => items,
      {},
      { authorization: "Bearer other" },
    );
    expect(message).toMatch(/could not be verified/);
  });

  it("C3 are not found by id when nothing was stored, and found when it was", async () => {
    const bare = ([rs, fc]: Block[]): JsonValue[] => [
      { type: "item_reference", id: rs?.["id"] as string },
      fc as Block,
    ];
    const unstored = await loop(calling(), bare);
    expect([unstored.status, unstored.message]).toEqual([
      404,
      expect.stringMatching(
        /^Item with id 'rs_\w+' not found\. Items are not persisted when `store` is set to false/,
      ),
    ]);
    expect((await loop(calling(), bare, { store: true })).status).toBe(200);
  });

  it("are duplicates when sent behind the response that holds them", async () => {
    const emulator = calling();
    const { body } = await ask(emulator, "responses", { ...first, store: true });
    const { status, message } = await ask(emulator, "responses", {
      ...first,
      store: true,
      previous_response_id: body["id"] as string,
      input: [...(body["output"] as readonly JsonValue[]), output],
    });
    expect([status, message]).toEqual([
      400,
      expect.stringMatching(/^Duplicate item found with id rs_/),
    ]);
  });

  it("are looked for in responses that are not there", async () => {
    const { status, body } = await ask(emulate(), "responses", {
      ...first,
      previous_response_id: "resp_none",
    });
    expect([status, body["error"]]).toEqual([
      400,
      {
        message: "Previous response with id 'resp_none' not found.",
        type: "invalid_request_error",
        param: "previous_response_id",
        code: "previous_response_not_found",
      },
    ]);
  });
});

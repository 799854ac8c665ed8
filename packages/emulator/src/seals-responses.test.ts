import { describe, expect, it } from "vitest";
import type { JsonObject, JsonValue } from "mull";

import { emulate, type Emulator } from "./emulate.ts";
import { calls, thinks } from "./script/actions.ts";
import { script } from "./script/script.ts";
import { ask, type Answered } from "./testing/ask.ts";

type Block = Record<string, JsonValue>;

/** The objects of a list in an answer. */
const blocksIn = (list: JsonValue | undefined): Block[] =>
  Array.isArray(list) ? (list as readonly JsonValue[]).map((block) => block as Block) : [];

const textOf = (value: JsonValue | undefined): string => (typeof value === "string" ? value : "");

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
  const items = change(blocksIn(body["output"]));
  const input = [...first.input, ...items, output] as JsonValue;
  return ask(emulator, "responses", { ...first, ...more, input }, headers);
};

const byReference = ([rs = {}, fc = {}]: Block[]): JsonValue[] => [
  { type: "item_reference", id: textOf(rs["id"]) },
  fc,
];

describe("P-C1 OpenAI's reasoning items", () => {
  it("go back with their encrypted content, with or without their id", async () => {
    expect((await loop(calling(), (items) => items)).status).toBe(200);
    const { status } = await loop(calling(), ([rs = {}, fc = {}]) => {
      const { id: _, ...bare } = rs;
      return [bare, fc];
    });
    expect(status).toBe(200);
  });

  it.each<[string, (item: Block) => Block, string]>([
    [
      "without its summary",
      ({ summary: _summary, ...item }) => item,
      "Missing required parameter: 'input[1].summary'.",
    ],
    [
      "with a status",
      (item) => ({ ...item, status: "completed" }),
      "Unknown parameter: 'input[1].status'.",
    ],
  ])("that are stored are refused %s before they are looked up", async (_, change, expected) => {
    const stored = { store: true };
    const whole = await loop(calling(), (items) => items, stored);
    expect(whole.status).toBe(200);
    const { status, message } = await loop(
      calling(),
      ([rs = {}, fc = {}]) => [change(rs), fc],
      stored,
    );
    expect([status, message]).toEqual([400, expected]);
  });

  it("P-C2 cannot be dropped while the call keeps its id", async () => {
    const { status, message } = await loop(calling(), ([, fc = {}]) => [fc]);
    expect([status, message]).toEqual([
      400,
      expect.stringMatching(
        /^Item 'fc_\w+' of type 'function_call' was provided without its required 'reasoning' item: 'rs_\w+'\.$/,
      ),
    ]);
    const dropped = await loop(calling(), ([, fc = {}]) => {
      const { id: _, ...bare } = fc;
      return [bare];
    });
    expect(dropped.status).toBe(200);
  });

  it.each<[string, (item: Block) => Block]>([
    ["forged", (item) => ({ ...item, encrypted_content: "gAAAAABforged" })],
    [
      "truncated",
      (item) => ({ ...item, encrypted_content: textOf(item["encrypted_content"]).slice(0, -8) }),
    ],
    ["moved to another item", (item) => ({ ...item, id: "rs_other" })],
  ])("P-C4 are refused when %s", async (_, change) => {
    const { message } = await loop(calling(), ([rs = {}, fc = {}]) => {
      const { id: _id, ...bare } = fc;
      return [change(rs), bare];
    });
    expect(message).toMatch(/could not be verified/);
  });

  it("P-C4 are refused in another account", async () => {
    const { message } = await loop(
      calling(),
      (items) => items,
      {},
      { authorization: "Bearer other" },
    );
    expect(message).toMatch(/could not be verified/);
  });

  it("P-C3 are not found by id when nothing was stored, and found when it was", async () => {
    const unstored = await loop(calling(), byReference);
    expect([unstored.status, unstored.message]).toEqual([
      404,
      expect.stringMatching(
        /^Item with id 'rs_\w+' not found\. Items are not persisted when `store` is set to false/,
      ),
    ]);
    expect((await loop(calling(), byReference, { store: true })).status).toBe(200);
  });

  it("are duplicates when sent behind the response that holds them", async () => {
    const emulator = calling();
    const { body } = await ask(emulator, "responses", { ...first, store: true });
    const { status, message } = await ask(emulator, "responses", {
      ...first,
      store: true,
      previous_response_id: textOf(body["id"]),
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

  it("are looked for in conversations, of which there is none", async () => {
    for (const conversation of ["conv_1", { id: "conv_1" }]) {
      const { status, message } = await ask(emulate(), "responses", { ...first, conversation });
      expect([status, message]).toEqual([404, "Conversation with id 'conv_1' not found."]);
    }
  });

  it("P-B10 summaries are refused to organisations that are not verified", async () => {
    const asked = { ...first, reasoning: { summary: "auto" } };
    const unverified = { authorization: "Bearer unverified" };
    const { status, message, body } = await ask(emulate(), "responses", asked, unverified);
    expect([status, message]).toEqual([
      400,
      expect.stringMatching(/^Your organization must be verified/),
    ]);
    expect(body["error"]).toMatchObject({ param: "reasoning.summary", code: "unsupported_value" });
    expect((await ask(emulate(), "responses", first, unverified)).status).toBe(200);
  });
});

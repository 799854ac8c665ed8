import { describe, expect, test } from "vitest";
import type { Reply } from "../types/event.ts";
import type { JsonObject } from "../types/json.ts";
import type { Message, WireId } from "../types/message.ts";
import { History } from "../history/history.ts";
import { chat } from "./ask.ts";
import { readExchange } from "./exchange.ts";
import { writeBody } from "../wire/common/write-body.ts";

/** Everything that `JSON.stringify(JSON.parse(text))` writes in another way. */
const odd =
  '{"id":12345678901234567890,"price":1.0,"big":1e2,"huge":-1e400,"zero":-0,"a":1,"a":2,"text":"\\ud83d\\ude00 \\" }"}';
const plain = '{"a":1}';

const sse = (...events: readonly unknown[]): string =>
  events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
/** A JSON text in which `"ARGS"` stands for arguments that are a value. */
const nested = (value: unknown, args: string): string =>
  JSON.stringify(value).replaceAll('"ARGS"', () => args);

/** An answer with one call, as each wire streams it. */
const answers: Readonly<Record<WireId, (args: string) => string>> = {
  "anthropic-messages": (args) =>
    sse(
      { type: "message_start", message: { id: "m", usage: {} } },
      {
        type: "content_block_start",
        index: 0,
        content_block: { type: "tool_use", id: "toolu_1", name: "f", input: {} },
      },
      ...[args.slice(0, 9), args.slice(9)].map((partial_json) => ({
        type: "content_block_delta",
        index: 0,
        delta: { type: "input_json_delta", partial_json },
      })),
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: { stop_reason: "tool_use" }, usage: {} },
      { type: "message_stop" },
    ),
  "openai-responses": (args) => {
    const item = {
      type: "function_call",
      id: "fc_1",
      call_id: "call_1",
      name: "f",
      arguments: args,
    };
    return sse(
      { type: "response.created", response: { id: "r" } },
      { type: "response.output_item.added", output_index: 0, item: { ...item, arguments: "" } },
      { type: "response.output_item.done", output_index: 0, item },
      { type: "response.completed", response: { id: "r", status: "completed", output: [item] } },
    );
  },
  "openai-chat": (args) =>
    sse({
      choices: [
        {
          index: 0,
          delta: {
            tool_calls: [{ index: 0, id: "call_1", function: { name: "f", arguments: args } }],
          },
          finish_reason: "tool_calls",
        },
      ],
    }),
  "google-generate": (args) =>
    `data: ${nested(
      {
        candidates: [
          {
            content: { parts: [{ functionCall: { id: "g1", name: "f", args: "ARGS" } }] },
            finishReason: "STOP",
          },
        ],
      },
      args,
    )}\n\n`,
};

const models: Readonly<Record<WireId, string>> = {
  "anthropic-messages": "claude-opus-5-5",
  "openai-responses": "gpt-6-sol",
  "openai-chat": "deepseek-v4-pro",
  "google-generate": "gemini-3.8-flash",
};

const historyOf = ({ message }: Reply): readonly Message[] => {
  const call = message.parts.find((part) => part.type === "tool-call");
  return [
    { role: "user", parts: [{ type: "text", text: "Call f." }] },
    message,
    {
      role: "tool",
      parts: [{ type: "tool-result", callId: call?.id ?? "", name: "f", output: "ok" }],
    },
  ];
};

/** The body that a wire's service is sent for a history. */
async function sent(wire: WireId, messages: readonly Message[]): Promise<string> {
  let body = "";
  const tools = [{ name: "f", inputSchema: { type: "object", properties: {} } }];
  await chat(
    models[wire],
    { messages, tools },
    {
      apiKey: "k",
      fetch: (_url, init) => {
        body = init.body as string;
        return Promise.resolve(
          new Response(answers[wire](plain), { headers: { "content-type": "text/event-stream" } }),
        );
      },
    },
  );
  return body;
}

/** How the arguments stand in a body of a wire: as they are, or inside a string. */
const written = (wire: WireId, args: string): string =>
  wire.startsWith("openai") ? `"arguments":${JSON.stringify(args)}` : `:${args}`;

const wires = Object.keys(answers) as readonly WireId[];
const ways = wires.flatMap((from) => wires.map((to): [WireId, WireId] => [from, to]));

/** Google's arguments are a value inside the frame: its escapes are the frame's. */
const asRead = (from: WireId): string =>
  from === "google-generate" ? odd.replace("\\ud83d\\ude00", "\u{1F600}") : odd;

describe("tool arguments go back as the text that was received", () => {
  test.each(ways)("from %s to %s, through JSON", async (from, to) => {
    const reply = readExchange({ wire: from, body: answers[from](odd), model: models[from] });
    const call = reply.message.parts.find((part) => part.type === "tool-call");
    expect(call).toMatchObject({ input: { price: 1, big: 100, a: 2 }, inputText: asRead(from) });
    const { messages } = History.parse(JSON.stringify(History.from(historyOf(reply))));
    const body = await sent(to, messages);
    expect(body).toContain(written(to, asRead(from)));
    expect(() => JSON.parse(body) as unknown).not.toThrow();
  });

  test.each(wires)("%s: arguments that are written the same keep no text", (wire) => {
    const { message } = readExchange({ wire, body: answers[wire](plain), model: models[wire] });
    expect(message.parts.find((part) => part.type === "tool-call")).not.toHaveProperty("inputText");
  });

  test.each(wires)("%s: arguments that a program changed win over the text", async (wire) => {
    const reply = readExchange({ wire, body: answers[wire](odd), model: models[wire] });
    const parts = reply.message.parts.map((part) =>
      part.type === "tool-call" ? { ...part, input: { a: 7 } } : part,
    );
    const body = await sent(wire, historyOf({ ...reply, message: { ...reply.message, parts } }));
    expect(body).toContain(written(wire, '{"a":7}'));
    expect(body).not.toContain("1234567890123456789");
  });

  test.each(wires)("%s: a broken call that was answered can be sent everywhere", async (wire) => {
    const raw = '{"a": [1, 2';
    const message: Message = {
      role: "assistant",
      parts: [
        { type: "tool-call", id: "c1", name: "f", input: {}, invalid: { raw, reason: "no JSON" } },
      ],
    };
    const reply = { message, finish: { reason: "tool-calls" }, usage: {} } as const;
    const body = await sent(wire, historyOf(reply));
    expect(body).toContain(written(wire, wire === "openai-responses" ? raw : "{}"));
  });

  test("whole answers keep the text too, whatever the white space around it", () => {
    const spaced = odd.replaceAll(',"', ',\n  "');
    const claude = nested(
      {
        content: [{ type: "tool_use", id: "t", name: "f", input: "ARGS" }],
        stop_reason: "tool_use",
      },
      spaced,
    );
    const gemini = nested(
      { candidates: [{ content: { parts: [{ functionCall: { name: "f", args: "ARGS" } }] } }] },
      spaced,
    );
    for (const [wire, body] of [
      ["anthropic-messages", claude],
      ["google-generate", gemini],
    ] as const) {
      const [part] = readExchange({ wire, body, stream: false }).message.parts;
      expect(part).toMatchObject({ inputText: asRead("google-generate") });
    }
  });
});

describe("writeBody", () => {
  const input = { a: 1 };
  const messages: readonly Message[] = [
    {
      role: "assistant",
      parts: [{ type: "tool-call", id: "c", name: "f", input, inputText: '{"a":1.0}' }],
    },
  ];
  const body = (beside: JsonObject): JsonObject => ({
    messages: [{ content: [{ input }] }],
    ...beside,
  });

  test("is safe against a body that talks about its marks", () => {
    const mark = "\uE000";
    for (const text of [mark, mark + mark, `say "${mark}`, `"${mark}"`]) {
      const json = writeBody(body({ text, [text]: [text] }), messages);
      expect(json).toContain('{"input":{"a":1.0}}');
      expect(JSON.parse(json)).toEqual(body({ text, [text]: [text] }));
    }
  });

  test("takes no text that is not the JSON of its value", () => {
    for (const inputText of ['{"a":1},"model":"x"', '{"a":2}', '{"a":', "[]"]) {
      const [{ parts }] = messages as readonly [Message];
      const bad = [{ role: "assistant", parts: [{ ...parts[0], inputText }] }] as never;
      expect(writeBody(body({}), bad)).toBe(JSON.stringify(body({})));
    }
  });
});

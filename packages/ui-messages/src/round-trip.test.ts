import * as fc from "fast-check";
import { History, type FilePart, type JsonValue, type Message, type ToolCallPart } from "mull";
import { describe, expect, test } from "vitest";
import { runs } from "../../../test/runs.ts";
import { fromUIMessages } from "./from-ui.ts";
import { toUIMessages } from "./to-ui.ts";
import type { UIMessage } from "./ui-message.ts";

const origin = {
  wire: "anthropic-messages",
  provider: "anthropic",
  model: "claude-opus-5-5",
} as const;
const words = fc.string({ unit: "binary" });
/** JSON has no negative zero. */
const json = fc
  .jsonValue({ maxDepth: 2 })
  .map((value) => JSON.parse(JSON.stringify(value)) as JsonValue);
const seal = fc.record({ origin: fc.constant(origin), data: fc.record({ signature: words }) });
const maybeSealed = { seal: fc.option(seal, { nil: undefined }) };

/** Leaves out fields that are undefined: absent and undefined differ in a history. */
const tidy = <T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };

const textPart = fc
  .record({ type: fc.constant("text" as const), text: words, ...maybeSealed })
  .map(tidy);
const filePart = fc.constantFrom<FilePart>(
  {
    type: "file",
    mediaType: "image/png",
    source: { type: "base64", data: "AAAA" },
    name: "a.png",
  },
  { type: "file", mediaType: "image/png", source: { type: "id", id: "file_1" } },
  {
    type: "file",
    mediaType: "application/pdf",
    source: { type: "url", url: "https://example.com/a.pdf" },
  },
);
const opaquePart = fc.record({
  type: fc.constant("opaque" as const),
  wire: fc.constant("anthropic-messages" as const),
  kind: words,
  data: fc.dictionary(words, json),
});
const thinkingPart = fc
  .record({
    type: fc.constant("thinking" as const),
    text: words,
    visibility: fc.constantFrom(
      "full" as const,
      "summary" as const,
      "hidden" as const,
      "redacted" as const,
    ),
    durationMs: fc.option(fc.nat(), { nil: undefined }),
    cut: fc.option(fc.constant(true as const), { nil: undefined }),
    ...maybeSealed,
  })
  .map(tidy);

const turn = fc
  .record({
    before: fc.array(fc.oneof(textPart, thinkingPart, opaquePart, filePart), {
      minLength: 1,
      maxLength: 4,
    }),
    inputs: fc.array(fc.dictionary(words, json), { maxLength: 3 }),
    isAnswered: fc.boolean(),
    isError: fc.boolean(),
    interrupted: fc.boolean(),
  })
  .map(({ before, inputs, isAnswered, isError, interrupted }): readonly Message[] => {
    const calls = inputs.map((input, index) => ({
      type: "tool-call" as const,
      id: `call_${index}`,
      name: "f",
      input,
    }));
    const results = calls.map((call) => ({
      type: "tool-result" as const,
      callId: call.id,
      name: "f",
      output: "ok",
      ...(isError && { isError: true as const }),
    }));
    return [
      {
        role: "assistant",
        origin,
        parts: [...before, ...calls],
        ...(interrupted && { interrupted: true }),
      },
      ...(calls.length > 0 && isAnswered ? [{ role: "tool" as const, parts: results }] : []),
    ];
  });

const question = fc
  .array(fc.oneof(textPart, filePart), { minLength: 1, maxLength: 3 })
  .map((parts): readonly Message[] => [{ role: "user", parts }]);
const history = fc.array(fc.oneof(question, turn), { maxLength: 6 }).map((list) => list.flat());

const openCall = (id: string): ToolCallPart => ({ type: "tool-call", id, name: "pay", input: {} });

const denied = (approval: { readonly id: string; readonly reason?: string }): UIMessage => ({
  id: "1",
  role: "assistant",
  parts: [{ type: "tool-f", toolCallId: "a", state: "output-denied", input: {}, approval }],
});

describe("histories through UI messages", () => {
  test("F-H4 P-I1 P-I3 P-I5 any history comes back whole, seals byte for byte", () => {
    fc.assert(
      fc.property(history, (messages) => {
        const ui = JSON.parse(JSON.stringify(toUIMessages(messages))) as UIMessage[];
        expect(fromUIMessages(ui)).toEqual(messages);
        History.from(fromUIMessages(ui));
      }),
      { numRuns: runs(300) },
    );
  });

  test("R528 calls that wait and calls that were refused come back as they were", () => {
    const refused = {
      type: "tool-result" as const,
      callId: "b",
      name: "pay",
      output: "Refused, the call was not run: too dear",
      isError: true as const,
      refused: "too dear",
    };
    const messages: readonly Message[] = [
      { role: "user", parts: [{ type: "text", text: "Pay." }] },
      { role: "assistant", parts: [openCall("a"), openCall("b")] },
      { role: "tool", parts: [refused] },
    ];
    const ui = toUIMessages(messages, { waiting: ["a"] });
    expect(ui[1]?.parts.slice(2)).toMatchObject([
      { toolCallId: "a", state: "approval-requested", approval: { id: "a" } },
      {
        toolCallId: "b",
        state: "output-denied",
        approval: { approved: false, reason: "too dear" },
      },
    ]);
    expect(fromUIMessages(ui)).toEqual(messages);
  });

  test("a whole tool loop is one UI message with its parts in order (P-D5)", () => {
    const [, answer] = toUIMessages([
      { role: "user", parts: [{ type: "text", text: "q" }] },
      {
        role: "assistant",
        parts: [
          { type: "thinking", text: "t", visibility: "summary" },
          { type: "tool-call", id: "c", name: "searchWeb", input: {} },
        ],
      },
      {
        role: "tool",
        parts: [{ type: "tool-result", callId: "c", name: "searchWeb", output: "ok" }],
      },
      { role: "assistant", parts: [{ type: "text", text: "a" }] },
    ]);
    expect(
      answer?.parts.map((part) => part.type).filter((type) => !type.startsWith("data-")),
    ).toEqual(["step-start", "reasoning", "tool-searchWeb", "step-start", "text"]);
  });

  test("results without their calls are kept as they are", () => {
    const messages: readonly Message[] = [
      { role: "assistant", parts: [{ type: "text", text: "a" }] },
      { role: "tool", parts: [{ type: "tool-result", callId: "lost", name: "f", output: "x" }] },
    ];
    expect(fromUIMessages(toUIMessages(messages))).toEqual(messages);
  });
});

describe("messages AI SDK clients wrote themselves", () => {
  test("P-I5 seals of the SDK's own providers are found", () => {
    const [answer] = fromUIMessages(
      [
        {
          id: "1",
          role: "assistant",
          parts: [
            {
              type: "reasoning",
              text: "Hm.",
              providerMetadata: { anthropic: { signature: "EqQB" } },
            },
            {
              type: "reasoning",
              text: "",
              providerMetadata: { anthropic: { redactedData: "EmwK" } },
            },
            {
              type: "reasoning",
              text: "",
              providerMetadata: { openai: { itemId: "rs_1", reasoningEncryptedContent: "gAAA" } },
            },
            {
              type: "tool-f",
              toolCallId: "c",
              state: "output-available",
              input: { a: 1 },
              output: { b: 2 },
              callProviderMetadata: { google: { thoughtSignature: "EpAI" } },
            },
          ],
        },
      ],
      { origin: { model: "claude-opus-5-5" } },
    );
    const seals = answer?.parts.map((part) => part.seal?.data);
    expect(seals).toEqual([
      { signature: "EqQB" },
      { redacted: "EmwK" },
      { id: "rs_1", encrypted_content: "gAAA", summary: [] },
      { thoughtSignature: "EpAI" },
    ]);
    expect(answer?.parts[1]).toMatchObject({ visibility: "redacted" });
  });

  test.each([{ id: "1", role: "user", content: "hi" }, null, "hi"])(
    "what is no UI message is refused with its place: %j",
    (old) => {
      const messages = [{ id: "0", role: "user", parts: [] }, old] as readonly UIMessage[];
      expect(() => fromUIMessages(messages)).toThrow("messages[1] has no parts");
    },
  );

  test.each<[unknown, string]>([
    [null, "messages is not a list"],
    [{ id: "1", role: "user", parts: [] }, "messages is not a list"],
    [[{ id: "1", role: "data", parts: [] }], "messages[0].role is not system, user or assistant"],
    [[{ id: "1", role: "user", parts: [null] }], "messages[0].parts[0] is not a part with a type"],
  ])("what a client made up is refused in words, and never the system's: %j", (given, why) => {
    expect(() => fromUIMessages(given as readonly UIMessage[])).toThrow(
      expect.objectContaining({ isMullError: true, message: expect.stringContaining(why) }),
    );
  });

  test("a call that a person denied comes back as denied, with the reason", () => {
    const results = [denied({ id: "x", reason: "too dear" }), denied({ id: "y" })].map(
      (message) => fromUIMessages([message])[1]?.parts[0],
    );
    expect(results).toMatchObject([
      { callId: "a", isError: true, output: "Refused, the call was not run: too dear" },
      { callId: "a", isError: true, output: "Refused, the call was not run: no reason was given" },
    ]);
  });

  test("calls still streaming are left out; failed ones come back as errors", () => {
    const messages = fromUIMessages([
      {
        id: "1",
        role: "assistant",
        parts: [
          { type: "dynamic-tool", toolName: "f", toolCallId: "a", state: "input-streaming" },
          {
            type: "dynamic-tool",
            toolName: "f",
            toolCallId: "b",
            state: "output-error",
            input: {},
            errorText: "no",
          },
        ],
      },
    ]);
    expect(messages).toMatchObject([
      { role: "assistant", parts: [{ type: "tool-call", id: "b" }] },
      { role: "tool", parts: [{ callId: "b", output: "no", isError: true }] },
    ]);
  });
});

import { describe, expect, test } from "vitest";
import { resolveModel } from "../providers/index.ts";
import type { FilePart, Message, Origin, ThinkingPart } from "../types/message.ts";
import type { ChatRequest } from "../types/request.ts";
import type { ComposeContext } from "./compose.ts";
import { call, createChecked, result, say, turnsOf } from "./testing/talk.ts";

const claude = "claude-opus-5-5";
const stored: FilePart = {
  type: "file",
  mediaType: "application/pdf",
  source: { type: "id", id: "file_1" },
};
const elsewhere: Origin = { wire: "openai-responses", provider: "elsewhere", model: "m" };
const empty: Message = { role: "assistant", parts: [] };
const blank: Message = { role: "user", parts: [] };
const words: Message = { role: "system", parts: [{ type: "text", text: "Mind the gap." }] };
/** Nothing of it has a place in a request. */
const unwritten: Message = {
  role: "assistant",
  parts: [{ type: "opaque", wire: "anthropic-messages", kind: "effort-update", data: {} }],
};
const again = (text: string): readonly Message[] => [
  say("user", `${text}?`),
  say("assistant", `${text}.`),
];
const thoughtOf = (model: string): ThinkingPart => ({
  type: "thinking",
  text: "Hm.",
  visibility: "full",
  seal: {
    origin: { wire: "anthropic-messages", provider: "anthropic", model },
    data: { signature: "s" },
  },
});
/** An answer of Claude's, its thought bound to what stood before it. */
const bound = (prefix: string, text: string): Message => {
  const { seal, ...thought } = thoughtOf(claude);
  return {
    role: "assistant",
    parts: [
      { ...thought, ...(seal && { seal: { ...seal, prefix } }) },
      { type: "text", text },
    ],
  };
};

const called = (origin: Origin, ...ids: readonly string[]): Message =>
  ({ ...call(...ids), origin }) as Message;

interface Story {
  readonly what: string;
  readonly model: string;
  /** What is sent, request by request, behind some turns that are over. */
  readonly requests: readonly (readonly Message[])[];
  readonly fields?: Omit<ChatRequest, "messages">;
  readonly context?: ComposeContext;
  readonly start?: readonly Message[];
}

const loop = [say("user", "Go on?"), call("x")];

/** Histories whose turns depend on what stands behind them, each with a request for every step. */
const stories: readonly Story[] = [
  {
    what: "an empty answer behind results, and a question behind it",
    model: claude,
    requests: [
      [...loop, result("x"), empty],
      [...loop, result("x"), empty, ...again("So"), say("user", "Well?")],
      [...loop, result("x"), empty, ...again("So"), ...again("Yes"), say("user", "Well?")],
    ],
  },
  {
    what: "an answer without a word behind results, then words of the system",
    model: "mistral-large",
    requests: [
      [...loop, result("x"), empty],
      [...loop, result("x"), empty, words, say("user", "Well?")],
    ],
  },
  {
    what: "a result nobody asked for between two answers",
    model: claude,
    requests: [
      [...again("So"), result("lost"), call("x"), result("x")],
      [...again("So"), result("lost"), call("x"), result("x"), call("y"), result("y")],
    ],
  },
  {
    what: "a result nobody asked for behind a question",
    model: claude,
    requests: [[say("user", "So?")], [say("user", "So?"), result("lost")]],
  },
  {
    what: "a result that came when the answer behind its place was taken back",
    model: "openai-chat:gpt-5-mini",
    requests: [
      [say("user", "Go on?"), call("x", "y"), result("x"), call("z"), result("z")],
      [say("user", "Go on?"), call("x", "y"), result("x"), result("y"), call("z"), result("z")],
    ],
  },
  {
    what: "a question in place of an answer that was taken back",
    model: claude,
    requests: [
      [...loop, result("x"), call("y"), result("y")],
      [...loop, result("x"), say("user", "Stop."), result("x")],
    ],
  },
  {
    what: "an answer in place of a question that was taken back",
    model: "gemini-3.8-flash",
    requests: [
      [...again("So"), say("user", "Well?")],
      [...again("So"), { role: "assistant", parts: [thoughtOf("m"), { type: "text", text: "!" }] }],
    ],
  },
  {
    what: "an id that came before",
    model: claude,
    requests: [[say("user", "So?")], [say("user", "So?"), call("call_0"), result("call_0")]],
  },
  {
    what: "results in two messages, the first with a file of another vendor",
    model: "gpt-5.2",
    requests: [1, 2].map((more) => [
      say("user", "Go on?"),
      called(elsewhere, "x", "y"),
      {
        role: "tool",
        parts: [{ type: "tool-result", callId: "x", name: "look", output: [stored] }],
      },
      result("y"),
      call("z"),
      result("z"),
      ...again("So").slice(0, more - 1),
    ]),
  },
  {
    what: "a file between call and result, which the next answer says whose it is",
    model: "gpt-5.2",
    requests: [1, 2].map((more) => [
      ...loop,
      { role: "user", parts: [stored] },
      result("x"),
      called(elsewhere, "y"),
      result("y"),
      ...again("So").slice(0, more - 1),
    ]),
  },
  {
    what: "an answer of nothing this service writes",
    model: claude,
    requests: [1, 2].map((more) => [
      say("user", "So?"),
      unwritten,
      ...again("Well").slice(0, more),
      say("user", "And?"),
    ]),
  },
  {
    what: "the same behind results",
    model: claude,
    requests: [
      [...loop, result("x"), unwritten],
      [...loop, result("x"), unwritten, say("user", "And?")],
      [...loop, result("x"), unwritten, ...again("Well"), say("user", "And?")],
    ],
  },
  {
    what: "words of the system that wait for an answer",
    model: claude,
    requests: [1, 2].map((more) => [
      say("user", "So?"),
      words,
      empty,
      ...again("Well").slice(0, more),
      say("user", "And?"),
    ]),
  },
  {
    what: "a first question of nothing",
    model: "gemini-3.8-flash",
    start: [blank, say("assistant", "Hello.")],
    requests: [[say("user", "So?")], [say("user", "So?"), blank], [say("user", "So?"), blank]],
  },
  {
    what: "a response of one's own behind a question",
    model: "gemini-3.8-flash",
    requests: [
      [say("user", "So?")],
      [
        say("user", "So?"),
        {
          role: "user",
          parts: [
            {
              type: "opaque",
              wire: "google-generate",
              kind: "functionResponse",
              data: { functionResponse: { name: "look", response: {} } },
            },
          ],
        },
      ],
    ],
  },
  {
    what: "an open loop of nobody knows whom",
    model: "claude-haiku-4-5",
    fields: { thinkingBudget: 2000 },
    context: { openLoop: "warn" },
    start: [called(elsewhere, "first"), result("first"), ...again("Begun")],
    requests: [[say("user", "So?")], [say("user", "So?"), call("x"), result("x")]],
  },
];

const isSame = (got: unknown, whole: unknown): void => expect(got).toEqual(whole);

describe("turns that depend on what follows them", () => {
  test.each(stories)("$what", ({ model, requests, fields, context = {}, start = [] }) => {
    const composeNext = createChecked(isSame);
    const target = resolveModel(model);
    const before = [say("user", "Hello?"), ...start, ...turnsOf(4)];
    // A blank beginning is the beginning.
    const past = start[0]?.role === "user" ? before.slice(1) : before;
    const messages = [...past, say("user", "And?")];
    composeNext(target, { messages, ...fields }, context);
    const reused = requests.map(
      (news) =>
        composeNext(target, { messages: [...past, ...news], ...fields }, context).written?.count,
    );
    expect(reused).toHaveLength(requests.length);
  });

  test("a thought that stands in two answers is left out of the open loop alone", () => {
    const composeNext = createChecked(isSame);
    const target = resolveModel("claude-haiku-4-5");
    const thought = thoughtOf("claude-haiku-4-5");
    const past: readonly Message[] = [
      say("user", "Hello?"),
      { role: "assistant", parts: [thought, { type: "text", text: "Hello." }] },
      ...turnsOf(4),
    ];
    const open: readonly Message[] = [
      say("user", "So?"),
      {
        role: "assistant",
        parts: [{ type: "text", text: "Well." }, thought, ...call("x").parts] as never,
      },
      result("x"),
    ];
    const withheld = [1, 1, 3].map((news) => {
      const request = { messages: [...past, ...open.slice(0, news)], thinkingBudget: 2000 };
      return composeNext(target, request, { openLoop: "demote" }).prepared.withheld;
    });
    expect(withheld.flat()).toEqual([]);
  });

  test("A5 who may not read a bound thought keeps the turns without it", () => {
    const composeNext = createChecked(isSame);
    const past = [say("user", "Hello?"), bound("0123456789abcdef", "Hello."), ...turnsOf(4)];
    const messages = [...past, say("user", "So?")];
    const [, second] = [1, 2].map(() => composeNext(resolveModel("gpt-5.2"), { messages }, {}));
    expect(second?.prepared.withheld).toHaveLength(1);
    expect(second?.written).toBeDefined();
  });

  test("a thought bound to what is no more there takes later ones with it", () => {
    const composeNext = createChecked(isSame);
    const target = resolveModel(claude);
    const past = [say("user", "Hello?"), bound("0123456789abcdef", "Hello."), ...turnsOf(4)];
    const asked = [...past, say("user", "So?")];
    composeNext(target, { messages: asked }, {});
    const { prefix = "" } = composeNext(target, { messages: asked }, {}).prepared;
    const messages = [...asked, bound(prefix, "Yes."), say("user", "Well?")];
    expect(composeNext(target, { messages }, {}).prepared.withheld).toHaveLength(2);
  });
});

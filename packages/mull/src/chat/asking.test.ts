import { describe, expect, test } from "vitest";
import { resolveModel } from "../providers/index.ts";
import type { Message, ThinkingPart } from "../types/message.ts";
import type { ChatRequest } from "../types/request.ts";
import type { ChatTarget, ComposeContext } from "./compose.ts";
import { call, createChecked, result, say, turnsOf } from "./testing/talk.ts";

const claude = resolveModel("claude-opus-5-5");
const openai = resolveModel("openai-chat:gpt-5-mini");

/** What an answer of Claude's holds that depends on who reads it. */
const thoughtful = (prefix?: string): Message => {
  const origin = {
    wire: "anthropic-messages",
    provider: claude.provider.id,
    model: claude.model.id,
    endpoint: "https://one.example",
    account: "one",
  } as const;
  const seal = { origin, data: { signature: "s" }, ...(prefix !== undefined && { prefix }) };
  const thought: ThinkingPart = { type: "thinking", text: "Hm.", visibility: "full", seal };
  const block = {
    type: "opaque",
    wire: origin.wire,
    kind: "text",
    data: { type: "text" },
  } as const;
  return { role: "assistant", origin, parts: [thought, block, { type: "text", text: "Yes." }] };
};

interface Ask {
  readonly target?: ChatTarget;
  readonly fields?: Omit<ChatRequest, "messages">;
  readonly context?: ComposeContext;
}

interface Change {
  readonly what: string;
  readonly target: ChatTarget;
  readonly after: Ask;
  readonly before?: Ask;
}

const rowOf = (seals: ChatTarget["model"]["seals"]): ComposeContext["modelOf"] =>
  seals && (() => ({ ...claude.model, seals }));
const isBoundTo = (seals: ChatTarget["model"]["seals"]): ComposeContext => ({
  endpoint: "https://one.example",
  account: "one",
  modelOf: rowOf(seals),
});
const byEndpoint = isBoundTo({ reads: [], endpointBound: true });
const byAccount = isBoundTo({ reads: [], accountBound: true });
const tools = [{ name: "look", inputSchema: { type: "object" } }];
const callId = { maxLength: 9, pattern: "^[a-z0-9]{9}$" };

/** Each changes what becomes of messages that were sent before. */
const changes: readonly Change[] = [
  { what: "the system prompt", target: openai, after: { fields: { system: "Be brief." } } },
  { what: "the tools a seal is bound to", target: claude, after: { fields: { tools } } },
  { what: "the level", target: claude, after: { fields: { level: "none" } } },
  {
    what: "the endpoint",
    target: claude,
    before: { context: byEndpoint },
    after: { context: { ...byEndpoint, endpoint: "https://two.example" } },
  },
  {
    what: "the account",
    target: claude,
    before: { context: byAccount },
    after: { context: { ...byAccount, account: "two" } },
  },
  {
    what: "the provider",
    target: claude,
    after: { target: { ...claude, provider: { ...claude.provider, id: "another" } } },
  },
  {
    what: "what is special about the provider",
    target: openai,
    after: { target: { ...openai, provider: { ...openai.provider, quirks: { callId } } } },
  },
  {
    what: "the model",
    target: claude,
    after: { target: { ...claude, model: { ...claude.model, replay: "forbidden" } } },
  },
  {
    what: "messages of the caller's own",
    target: openai,
    after: { fields: { extra: { messages: [{ role: "user", content: "Hi" }] } } },
  },
];

const isSame = (got: unknown, whole: unknown): void => expect(got).toEqual(whole);

describe("what becomes of a message depends on", () => {
  test.each(changes)("$what: all of it is composed anew", ({ target, before = {}, after }) => {
    const composeNext = createChecked(isSame);
    const start = [say("user", "Hello?")];
    const ask = (messages: readonly Message[], { fields, context = {}, ...asked }: Ask) =>
      composeNext(asked.target ?? target, { messages, ...fields }, context);
    const { prefix } = ask(start, before).prepared;
    const messages = [...start, thoughtful(prefix), ...turnsOf(4), say("user", "And?")];
    const [, second, third] = [before, before, after].map((asked) => ask(messages, asked));
    expect(second?.written).toBeDefined();
    expect(third?.written).toBeUndefined();
    expect(third?.encoded.body).not.toEqual(second?.encoded.body);
  });

  test("no mark of the cache, which stands at the end of every request", () => {
    const composeNext = createChecked(isSame);
    const cache = { breakpoints: true };
    const loop = Array.from({ length: 5 }, (_, at) => [call(`x${at}`), result(`x${at}`)]).flat();
    const messages = [...turnsOf(3), say("user", "Go."), ...loop];
    const reused = [14, 17, 19, 21, 23].map(
      (end) => composeNext(claude, { messages: messages.slice(0, end), cache }, {}).written?.count,
    );
    expect(reused).toEqual([undefined, 15, 17, 19, 21]);
  });

  test("nothing of a place that is told in the rest alone", () => {
    const composeNext = createChecked(isSame);
    const file = { type: "base64", data: "iVBORw0KGgo=" } as const;
    const picture: Message = {
      role: "assistant",
      parts: [
        { type: "text", text: "Look:" },
        { type: "file", mediaType: "image/png", source: file },
      ],
    };
    const past = turnsOf(4);
    const news = [say("user", "Draw."), picture, say("user", "And?")];
    const [, , told, taken] = [1, 1, 3, 1].map((count) =>
      composeNext(claude, { messages: [...past, ...news.slice(0, count)] }, {}),
    );
    expect(told?.notes.map(({ message }) => message).join(" ")).toContain("messages.17");
    expect(told?.written).toBeUndefined();
    // What was kept stays for a request that tells none.
    expect(taken?.written).toBeDefined();
  });
});

import { describe, expect, test } from "vitest";
import { isMullError } from "../types/error.ts";
import type { Message } from "../types/message.ts";
import type { ChatRequest } from "../types/request.ts";
import { streamChat } from "./ask.ts";
import { result, say } from "./testing/talk.ts";

/** The body that is sent, or why nothing is. */
async function outcomeOf(ref: string, request: ChatRequest): Promise<unknown> {
  const sent: unknown[] = [];
  const stream = streamChat(ref, request, {
    apiKey: "key",
    fetch: (_, init) => {
      sent.push(JSON.parse(init.body as string));
      return Promise.resolve(new Response("no", { status: 401 }));
    },
  });
  const error = await stream.result().catch((cause: unknown) => cause);
  if (!isMullError(error)) throw error;
  return sent.length > 0 ? sent : { message: error.message, field: error.field, rule: error.rule };
}

/** An answer with a result whose call stands at the service. */
const withResult = (id: string): Message => ({
  role: "assistant",
  parts: [
    {
      type: "opaque",
      wire: "openai-responses",
      kind: "function_call_output",
      data: { type: "function_call_output", call_id: id, output: "1" },
    },
    { type: "text", text: `Answer ${id}.` },
  ],
});

/** Long enough to be kept. */
const turns = Array.from({ length: 60 }, (_, at) => [
  say("user", `Question ${at}?`),
  withResult(`call_${at}`),
]).flat();

const wronglyNamed: Message = {
  role: "assistant",
  parts: [{ type: "tool-call", id: "call_wrong", name: "no name", input: {} }],
};

const laters: readonly Later[] = [
  {
    what: "a setting beside which they are wrong",
    ref: "openai:gpt-5.5",
    first: { extra: { previous_response_id: "resp_1" } },
    says: /^(?!.*function_call_output)/,
  },
  {
    what: "something wrong behind them",
    ref: "openai-chat:gpt-5-mini",
    news: [wronglyNamed, result("call_wrong")],
    says: /messages\[121\]/,
  },
];

interface Later {
  readonly what: string;
  readonly ref: string;
  readonly first?: Partial<ChatRequest>;
  readonly news?: readonly Message[];
  /** What the outcome tells. */
  readonly says: RegExp;
}

describe("rules on turns that were sent before", () => {
  test.each(laters)("see $what, as in a history never sent", async (later) => {
    const { ref, first, news = [], says } = later;
    const messages = [...structuredClone(turns), say("user", "And?")];
    const before = await outcomeOf(ref, { messages, ...first });
    for (let at = 0; at < 2; at++) await outcomeOf(ref, { messages, ...first });
    const next = { messages: [...messages, ...news] };
    const got = await outcomeOf(ref, next);
    const fresh = await outcomeOf(ref, structuredClone(next));
    expect(got).toEqual(fresh);
    expect(JSON.stringify(got)).toMatch(says);
    expect(JSON.stringify(before)).not.toMatch(says);
  });
});

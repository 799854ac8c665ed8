import type { Message, ToolCallPart } from "../../types/message.ts";
import { createComposeNext, type ComposeNext } from "../compose-next.ts";
import { compose } from "../compose.ts";
import { writeBody } from "../write-body.ts";

export const say = (role: "user" | "assistant", text: string): Message => ({
  role,
  parts: [{ type: "text", text }],
});

export const call = (...ids: readonly string[]): Message => ({
  role: "assistant",
  parts: ids.map((id): ToolCallPart => ({ type: "tool-call", id, name: "look", input: { id } })),
});

export const result = (callId: string): Message => ({
  role: "tool",
  parts: [{ type: "tool-result", callId, name: "look", output: `Found ${callId}.` }],
});

/** A question, a call, its result and an answer. */
const turnOf = (at: number): readonly Message[] => [
  say("user", `Question ${at}?`),
  call(`call_${at}`),
  result(`call_${at}`),
  say("assistant", `Answer ${at}.`),
];

/** Turns that are over. */
export const turnsOf = (count: number): readonly Message[] =>
  Array.from({ length: count }, (_, at) => turnOf(at)).flat();

/** Turns that are over, and a question. */
export const talkOf = (turns: number): readonly Message[] => [
  ...turnsOf(turns),
  say("user", "And?"),
];

export const limits = { leastMessages: 8, mostText: 1e6, rests: 3 };

/** Composes what is new, and has everything held against the whole. */
export function createChecked(check: (got: unknown, whole: unknown) => void): ComposeNext {
  const composeNext = createComposeNext(limits);
  return (target, request, context) => {
    const expected = outcomeOf(() => compose(target, request, context));
    const got = outcomeOf(() => composeNext(target, request, context));
    if (got instanceof Error || expected instanceof Error) {
      check(got, expected);
      throw expected;
    }
    const { written, ...next } = got;
    check(next, expected);
    check(writeBody(next.encoded.body, written), writeBody(expected.encoded.body));
    return got;
  };
}

function outcomeOf<T>(run: () => T): T | Error {
  try {
    return run();
  } catch (error) {
    return error as Error;
  }
}

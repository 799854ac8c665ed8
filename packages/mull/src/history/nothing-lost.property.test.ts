import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findModel } from "../catalogue/find-model.ts";
import type { JsonObject } from "../types/json.ts";
import type { Message, WireId } from "../types/message.ts";
import { compose } from "../chat/compose.ts";
import { resolveModel } from "../providers/index.ts";
import { heal } from "../rules/apply-rules.ts";
import { repair } from "../rules/lint.ts";
import { anthropicCases } from "../rules/testing/anthropic-cases.ts";
import { googleCases } from "../rules/testing/google-cases.ts";
import { openaiChatCases, openaiResponsesCases } from "../rules/testing/openai-cases.ts";
import { MullError } from "../types/error.ts";
import { prepare } from "./prepare.ts";

/** A step of a conversation, in no order anybody would want. Every text is a word of its own. */
interface Step {
  readonly kind: "user" | "answer" | "call" | "result" | "blank" | "thought";
  readonly id: "a" | "b";
}

type Word = (at: number) => string;
const wordOf: Word = (at) => `word${at}end`;

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.record({
    kind: fc.constantFrom("user", "answer", "call", "result", "result", "blank", "thought"),
    id: fc.constantFrom("a", "b"),
  }),
  { minLength: 1, maxLength: 9 },
);

interface Speech {
  readonly model: string;
  readonly write: (step: Step, word: string) => JsonObject;
  readonly body: (list: readonly JsonObject[]) => JsonObject;
}

const speeches: Readonly<Record<WireId, Speech>> = {
  "anthropic-messages": {
    model: "claude-opus-5-5",
    write: ({ kind, id }, word) => {
      const role = kind === "user" || kind === "result" || kind === "blank" ? "user" : "assistant";
      if (kind === "thought")
        return { role, content: [{ type: "thinking", thinking: word, signature: "c2ln" }] };
      if (kind === "call")
        return { role, content: [{ type: "tool_use", id, name: "look", input: {} }] };
      if (kind === "result")
        return { role, content: [{ type: "tool_result", tool_use_id: id, content: word }] };
      return { role, content: kind === "blank" ? [] : word };
    },
    body: (messages) => ({ model: "claude-opus-5-5", max_tokens: 100, stream: true, messages }),
  },
  "openai-responses": {
    model: "gpt-6-sol",
    write: ({ kind, id }, word) => {
      if (kind === "call")
        return { type: "function_call", call_id: id, name: "look", arguments: "{}" };
      if (kind === "result") return { type: "function_call_output", call_id: id, output: word };
      if (kind === "thought") return { type: "reasoning", id: `rs_${word}`, summary: [] };
      return {
        role: kind === "answer" ? "assistant" : "user",
        content: kind === "blank" ? "" : word,
      };
    },
    body: (input) => ({ model: "gpt-6-sol", input }),
  },
  "openai-chat": {
    model: "gpt-5",
    write: ({ kind, id }, word) => {
      if (kind === "call") {
        const call = { id, type: "function", function: { name: "look", arguments: "{}" } };
        return { role: "assistant", tool_calls: [call] };
      }
      if (kind === "result") return { role: "tool", tool_call_id: id, content: word };
      if (kind === "thought") return { role: "system", content: "Think." };
      return {
        role: kind === "answer" ? "assistant" : "user",
        content: kind === "blank" ? "" : word,
      };
    },
    body: (messages) => ({ model: "gpt-5", messages }),
  },
  "google-generate": {
    model: "gemini-3.8-flash",
    write: ({ kind, id }, word) => {
      const role = kind === "user" || kind === "result" || kind === "blank" ? "user" : "model";
      if (kind === "thought") return { role, parts: [{ thought: true, thoughtSignature: "c2ln" }] };
      if (kind === "call") return { role, parts: [{ functionCall: { id, name: "look" } }] };
      if (kind === "result")
        return {
          role,
          parts: [{ functionResponse: { id, name: "look", response: { output: word } } }],
        };
      return { role, parts: kind === "blank" ? [] : [{ text: word }] };
    },
    body: (contents) => ({ contents }),
  },
};

/** Everything each service is known to say when it refuses a request. */
const refusals: Readonly<Record<WireId, readonly string[]>> = {
  "anthropic-messages": anthropicCases.map(({ says }) => says),
  "openai-responses": [
    ...openaiResponsesCases.map(({ says }) => says),
    "Unknown parameter: 'input[0].content'.",
    "Unknown parameter: 'input[0].output'.",
  ],
  "openai-chat": openaiChatCases.map(({ says }) => says),
  "google-generate": googleCases.map(({ says }) => says),
};

const messageOf = ({ kind, id }: Step, word: string): Message => {
  switch (kind) {
    case "call":
      return {
        role: "assistant",
        parts: [{ type: "tool-call", id, name: "look", input: {} }],
      };
    case "result":
      return {
        role: "tool",
        parts: [{ type: "tool-result", callId: id, name: "look", output: word }],
      };
    case "thought":
      return { role: "assistant", parts: [{ type: "thinking", text: word, visibility: "full" }] };
    case "answer":
      return { role: "assistant", parts: [{ type: "text", text: word }] };
    case "user":
    case "blank":
      return { role: "user", parts: [{ type: "text", text: kind === "blank" ? "" : word }] };
    default:
      return kind satisfies never;
  }
};

const saidIn = (list: readonly Step[]): readonly string[] =>
  list.flatMap(({ kind }, at) => (kind === "user" || kind === "result" ? [wordOf(at)] : []));

const lostFrom = (value: unknown, list: readonly Step[]): readonly string[] => {
  const text = JSON.stringify(value);
  return saidIn(list).filter((word) => !text.includes(word));
};

describe.each(Object.entries(speeches))(
  "nothing a person said or a tool returned is lost: %s",
  (name, speech) => {
    const wire = name as WireId;

    test("in a repaired request", () => {
      fc.assert(
        fc.property(steps, (list) => {
          const body = speech.body(list.map((step, at) => speech.write(step, wordOf(at))));
          const path = `/v1beta/models/${speech.model}:generateContent`;
          expect(lostFrom(repair({ wire, model: speech.model, path, body }).body, list)).toEqual(
            [],
          );
        }),
        { seed: 7, numRuns: 150 },
      );
    });

    test("in a request that was refused and repaired", () => {
      const model = findModel(speech.model);
      let repaired = 0;
      fc.assert(
        fc.property(steps, fc.constantFrom(...refusals[wire]), (list, says) => {
          const body = speech.body(list.map((step, at) => speech.write(step, wordOf(at))));
          const error = new MullError(says, { category: "invalid_argument" });
          const healed = heal({ wire, model, body, error });
          if (healed === undefined) return;
          repaired++;
          expect(lostFrom(healed.body, list)).toEqual([]);
        }),
        { seed: 7, numRuns: 400 },
      );
      expect(repaired).toBeGreaterThan(20);
    });

    test("in the body that is sent", () => {
      const target = resolveModel(speech.model);
      fc.assert(
        fc.property(steps, (list) => {
          const messages = list.map((step, at) => messageOf(step, wordOf(at)));
          const { encoded } = compose(target, { messages });
          expect(lostFrom(encoded.body, list)).toEqual([]);
        }),
        { seed: 7, numRuns: 150 },
      );
    });

    test("in a compiled history", () => {
      const model = findModel(speech.model);
      fc.assert(
        fc.property(steps, (list) => {
          const { messages } = prepare(
            list.map((step, at) => messageOf(step, wordOf(at))),
            {
              model,
              wire,
              provider: model.provider,
              setting: { type: "default" },
              modelOf: (id) => findModel(id),
            },
          );
          expect(lostFrom(messages, list)).toEqual([]);
        }),
        { seed: 7, numRuns: 150 },
      );
    });
  },
);

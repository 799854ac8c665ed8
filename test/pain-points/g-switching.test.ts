import { findModel, lint, resolveModel } from "mull";
import { prepare } from "mull/rules";
import { describe, expect, test } from "vitest";
import {
  answer,
  bodyFor,
  claudeSays,
  composed,
  deepseekSays,
  functionCall,
  geminiCall,
  geminiSays,
  gptSays,
  listAt,
  reasoning,
  results,
  signature,
  thought,
  toolUse,
  user,
  words,
} from "./kit.ts";

const makers = {
  "claude-opus-5-5": claudeSays(thought(), toolUse()),
  "gpt-6-sol": gptSays(reasoning(), functionCall()),
  "gemini-3.8-flash": geminiSays(geminiCall("C1")),
  "deepseek:deepseek-v4-pro": deepseekSays({
    content: "",
    reasoning_content: "hm",
    tool_calls: [
      { id: "c1", type: "function", function: { name: "get_weather", arguments: "{}" } },
    ],
  }),
};
const everybody = Object.keys(makers);

describe("G. switching", () => {
  test.each(Object.entries(makers))(
    "P-G1 P-G6 a loop handed over: %s, then anybody",
    (from, body) => {
      const call = answer(from, body);
      for (const to of [...everybody, "claude-sonnet-4-5", "gpt-5.2", "gemini-3.1-pro-preview"]) {
        const { encoded, plan } = composed(to, [user("hi"), call, results(call)]);
        const { model } = resolveModel(to);
        const errors = lint({ ...encoded, wire: plan.wire, model }).findings.filter(
          ({ severity }) => severity === "error",
        );
        expect([from, to, errors]).toEqual([from, to, []]);
      }
    },
  );

  test("P-G2 prepare is the utility: pure, with a reason for every change", () => {
    const call = answer("gpt-6-sol", gptSays(reasoning(), functionCall()));
    const messages = Object.freeze([user("hi"), call, results(call)]);
    const model = findModel("gemini-3.8-flash");
    const prepared = prepare(messages, {
      model,
      provider: "google",
      wire: "google-generate",
      setting: { type: "default" },
      modelOf: (id) => findModel(id),
    });
    expect(prepared.withheld).toEqual([
      {
        code: "thinking-withheld",
        message: 1,
        part: 0,
        detail: "thought of gpt-6-sol: made on openai-responses, not readable on google-generate",
      },
    ]);
  });

  test("P-G3 the same Claude at another host reads its own signatures", () => {
    const said = answer("claude-opus-5-5", claudeSays(thought(), words("Yes.")));
    const bedrock = { ...said, parts: said.parts.map((part) => elsewhere(part)) };
    const body = bodyFor("claude-opus-5-5", [user("a"), bedrock, user("b")]);
    expect(JSON.stringify(body)).toContain(signature);
  });

  test("P-G4 coming back finds everything as it was", () => {
    const call = answer("gpt-6-sol", gptSays(reasoning(), functionCall()));
    const other = answer("claude-opus-5-5", claudeSays(thought(), words("Yes.")));
    const alone = listAt(
      bodyFor("gpt-6-sol", [user("hi"), call, results(call), user("b")]),
      "input",
    );
    const after = [user("hi"), call, results(call), other, user("b")];
    bodyFor("claude-opus-5-5", after);
    const back = listAt(bodyFor("gpt-6-sol", after), "input");
    expect(back.slice(0, 4)).toEqual(alone.slice(0, 4));
  });

  test("P-G5 an endpoint that signs nothing gets unsigned thinking as thinking", () => {
    const target = resolveModel("claude-sonnet-4-5");
    const said = answer(
      "claude-sonnet-4-5",
      claudeSays({ type: "thinking", thinking: "hm" }, words("Yes.")),
    );
    const prepared = prepare([user("a"), said, user("b")], {
      model: target.model,
      provider: "gateway",
      wire: "anthropic-messages",
      setting: { type: "budget", tokens: 2000 },
      quirks: { unsignedThinking: true },
      modelOf: (id) => findModel(id),
    });
    expect(prepared.messages[1]?.parts.map(({ type }) => type)).toEqual(["thinking", "text"]);
  });
});

function elsewhere<P extends { readonly seal?: { readonly origin: object } }>(part: P): P {
  if (part.seal === undefined) return part;
  const origin = { ...part.seal.origin, provider: "bedrock", endpoint: "https://bedrock.example" };
  return { ...part, seal: { ...part.seal, origin } };
}

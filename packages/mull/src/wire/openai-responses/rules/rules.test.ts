import { describe, expect, it } from "vitest";
import { findModel } from "../../../catalogue/find-model.ts";
import type { Model } from "../../../types/model.ts";
import { rulesOf } from "../../../rules.ts";
import {
  answer,
  call,
  check,
  inputOf,
  items,
  output,
  repair,
  thought,
  user,
} from "../testing/rule-case.ts";

describe("rules", () => {
  it("have stable, unique ids, and say what they do", () => {
    const ids = rulesOf("openai-responses").map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(rulesOf("openai-responses").every(({ summary }) => summary.endsWith("."))).toBe(true);
  });

  it("leave a sound request alone", () => {
    const sound = [
      inputOf({
        ...items(user, thought, call, output, { ...thought, id: "rs_2" }, answer, user),
        reasoning: { effort: "low", summary: "auto" },
        store: false,
      }),
      inputOf({ input: undefined, previous_response_id: "resp_1" }),
      inputOf({ previous_response_id: "resp_1", ...items(output, { ...answer, id: "msg_9" }) }),
      inputOf(items({ type: "item_reference", id: "fc_1" }, output)),
      inputOf(items({ type: "program" }, { ...call, id: undefined, caller: {} }, user)),
      inputOf({ store: false, ...items(thought, { role: "assistant", content: "x" }) }),
      inputOf(items(user, answer), undefined, "ok"),
      inputOf(items(thought, answer), undefined, "ok"),
      inputOf(items({ ...thought, id: undefined }, user)),
      inputOf({ temperature: 0.5, reasoning: { effort: "none" } }),
      inputOf({ text: { format: { type: "text" } }, tool_choice: "auto" }),
      inputOf(items(thought, user), findModel("o3")),
      inputOf(items(user, answer), findModel("gpt-4o")),
      inputOf(items(call, output), findModel("deepseek-v4-flash")),
      inputOf({ temperature: 0.1 }, { ...findModel("gpt-6-sol"), defaultThinking: "none" }),
      inputOf(
        { reasoning: { effort: "low" } },
        { ...findModel("gpt-6-sol"), thinking: { kind: "switch", off: "omit" } },
      ),
    ];
    for (const input of sound) {
      expect(check(input)).toEqual([]);
      expect(repair(input).body).toEqual(input.body);
    }
  });

  it("doubt, but do not refuse, what is assumed about a model", () => {
    const assumed: Model = { ...findModel("gpt-6-sol"), assumed: true, sampling: "never" };
    const found = check(inputOf({ reasoning: { effort: "minimal" }, temperature: 1 }, assumed));
    expect(found.map(({ severity }) => severity)).toEqual(["warning"]);
    const plain: Model = { ...assumed, thinking: { kind: "none" } };
    expect(check(inputOf({ reasoning: { effort: "low" } }, plain))).toMatchObject([
      { severity: "warning" },
    ]);
  });

  it("rename what Chat Completions calls otherwise", () => {
    const chat = inputOf({
      max_completion_tokens: 40,
      reasoning_effort: "low",
      reasoning: { summary: "auto" },
      seed: 1,
    });
    expect(repair(chat).body).toEqual({
      model: "gpt-6-sol",
      input: "Hi",
      max_output_tokens: 40,
      reasoning: { effort: "low", summary: "auto" },
    });
    expect(repair(inputOf({ n: 1 })).body).toEqual({ model: "gpt-6-sol", input: "Hi" });
    const messages = inputOf({ input: undefined, messages: [user] });
    expect(check(messages).map(({ rule }) => rule)).toContain("openai/chat-parameters");
  });

  it("quote an output whose call is gone; its pictures stay pictures", () => {
    const image = { type: "input_image", image_url: "https://example.test/a.png" };
    const parts = [{ type: "output_text", text: "3" }, { type: "input_text" }, image];
    const text = 'The tool of call call_1 returned:\n"""\n3\n\n"""';
    expect(repair(inputOf(items({ ...output, output: parts }))).body["input"]).toEqual([
      { role: "user", content: [{ type: "input_text", text }, image] },
    ]);
  });

  it("answer lost calls, and gather scattered outputs", () => {
    const custom = { type: "custom_tool_call", call_id: "call_2", name: "sh", input: "ls" };
    expect(repair(inputOf(items(thought, call, custom, output))).body["input"]).toEqual([
      thought,
      call,
      custom,
      {
        type: "custom_tool_call_output",
        call_id: "call_2",
        output: "The result of this call was lost.",
      },
      output,
    ]);
  });
});

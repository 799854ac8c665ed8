import { expect, test } from "vitest";
import { findModel } from "../catalogue/find-model.ts";
import { MullError } from "../types/error.ts";
import { heal } from "./apply-rules.ts";
import { repair } from "./lint.ts";

test("an open schema of the answer is loosened in a request without tools", () => {
  const schema = { type: "object", properties: { a: { type: "string" } } };
  const format = { type: "json_schema", name: "a", strict: true, schema };
  const { body } = repair({
    wire: "openai-responses",
    body: { model: "gpt-6-sol", input: "Hi", text: { format } },
  });
  expect(body).toEqual({
    model: "gpt-6-sol",
    input: "Hi",
    text: { format: { ...format, strict: false } },
  });
});

test("an open schema of a tool is loosened, and tools of the service stay as they are", () => {
  const parameters = { type: "object", properties: { a: { type: "string" } } };
  const tool = { type: "function", name: "a", strict: true, parameters };
  const search = { type: "web_search" };
  const request = { model: "gpt-6-sol", input: "Hi", tools: [search, tool] };
  const { body } = repair({ wire: "openai-responses", body: request });
  expect(body["tools"]).toEqual([search, { ...tool, strict: false }]);
});

test("an effort that the service refuses for others that nobody knows stays as it is", () => {
  const body = { model: "gpt-6-sol", messages: [], reasoning_effort: "low" };
  const text =
    "'reasoning_effort' does not support 'low' with this model. Supported values are: 'vast'.";
  const error = new MullError(text, { category: "invalid_argument" });
  expect(heal({ wire: "openai-chat", model: findModel("gpt-6-sol"), body, error })).toBeUndefined();
});

test("thoughts that are not stored are left out; references keep their ids", () => {
  const reference = { type: "item_reference", id: "msg_1" };
  const thought = { type: "reasoning", id: "rs_1", summary: [] };
  const said = { type: "message", role: "user", content: "Hi", id: "msg_2" };
  const error = new MullError("Item with id 'rs_1' not found.", { category: "not_found" });
  const body = { model: "gpt-6-sol", input: [reference, thought, said] };
  const healed = heal({ wire: "openai-responses", model: findModel("gpt-6-sol"), body, error });
  expect(healed?.body["input"]).toContainEqual(reference);
  expect(healed?.body["input"]).not.toContainEqual(thought);
});

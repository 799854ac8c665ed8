import { describe, expect, it } from "vitest";
import { findModel } from "../../../catalogue/find-model.ts";
import {
  answer,
  call,
  type Case,
  check,
  inputOf,
  items,
  judge,
  long,
  output,
  thought,
  user,
  wanted,
} from "../testing/rule-case.ts";

const cases: readonly Case[] = [
  {
    rule: "openai/call-name",
    body: items(user, { ...call, name: "functions.look" }, output),
    path: "input[1].name",
    message:
      "Invalid 'input[1].name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.",
    code: "invalid_value",
  },
  {
    rule: "openai/reasoning-follower",
    body: items(user, thought, { role: "assistant", content: "x" }, user),
    path: "input[1]",
    message: "Item 'rs_1' of type 'reasoning' was provided without its required following item.",
  },
  {
    rule: "openai/reasoning-follower",
    body: items(user, thought),
    path: "input[1]",
    message: "Item 'rs_1' of type 'reasoning' was provided without its required following item.",
  },
  {
    rule: "openai/reasoning-follower",
    body: items(thought, user),
    path: "input[0]",
    message: "Item 'rs_1' of type 'reasoning' was provided without its required following item.",
  },
  {
    rule: "openai/reasoning-follower",
    body: items(thought, output, call),
    path: "input[0]",
    message: "Item 'rs_1' of type 'reasoning' was provided without its required following item.",
  },
  {
    rule: "openai/reasoning-of-item",
    body: items(user, call, output),
    path: "input[1]",
    message:
      "Item 'fc_1' of type 'function_call' was provided without its required 'reasoning' item: 'rs_1'.",
    severity: "warning",
  },
  {
    rule: "openai/reasoning-of-item",
    body: items(user, answer),
    verdict: "invalid",
    path: "input[1]",
    message:
      "Item 'msg_1' of type 'message' was provided without its required 'reasoning' item: 'rs_1'.",
  },
  {
    rule: "openai/encrypted-content",
    body: items(thought, answer),
    verdict: "invalid",
    path: "input[0].encrypted_content",
    message:
      "The encrypted content for item rs_1 could not be verified. Reason: Encrypted content could not be decrypted or parsed.",
    code: "invalid_encrypted_content",
  },
  {
    rule: "openai/encrypted-content",
    body: items({ ...thought, id: undefined, encrypted_content: "gAAAAAAARg==" }, user),
    verdict: "invalid",
    path: "input[0].encrypted_content",
    message:
      "The encrypted content gAAA...Rg== could not be verified. Reason: Encrypted content could not be decrypted or parsed.",
    code: "invalid_encrypted_content",
  },
  {
    rule: "openai/stored-item",
    body: { store: false, ...items({ ...thought, encrypted_content: undefined }, call, output) },
    path: "input[0]",
    message:
      "Item with id 'rs_1' not found. Items are not persisted when `store` is set to false. Try again with `store` set to true, or remove this item from your input.",
    status: 404,
  },
  {
    rule: "openai/item-id",
    body: items(thought, { ...call, id: "item_1" }, output),
    path: "input[1].id",
    message: "Invalid 'input[1].id': 'item_1'. Expected an ID that begins with 'fc'.",
    code: "invalid_value",
  },
  {
    rule: "openai/item-id",
    body: items({ ...thought, id: "id_1" }, answer),
    path: "input[0].id",
    message: "Invalid 'input[0].id': 'id_1'. Expected an ID that begins with 'rs'.",
    code: "invalid_value",
    severity: "warning",
  },
  {
    rule: "openai/item-id",
    body: items({ ...answer, id: "" }),
    path: "input[0].id",
    message:
      "Invalid 'input[0].id': ''. Expected an ID that contains letters, numbers, underscores, or dashes, but this value contained additional characters.",
    code: "invalid_value",
  },
  {
    rule: "openai/item-id",
    body: items(thought, { ...answer, id: `msg_${long}` }),
    path: "input[1].id",
    message:
      "Invalid 'input[1].id': string too long. Expected a string with maximum length 64, but got a string with length 74 instead.",
    code: "string_above_max_length",
  },
  {
    rule: "openai/item-id",
    body: items(thought, thought, answer),
    path: "input[1]",
    message:
      "Duplicate item found with id rs_1. Remove duplicate items from your input and try again.",
  },
  {
    rule: "openai/call-id-length",
    body: items(thought, { ...call, call_id: long }, { ...output, call_id: long }),
    path: "input[1].call_id",
    message:
      "Invalid 'input[1].call_id': string too long. Expected a string with maximum length 64, but got a string with length 70 instead.",
    code: "string_above_max_length",
  },
  {
    rule: "openai/configuration-update",
    model: "gpt-5.6",
    body: items({ type: "configuration_update", reasoning: { effort: "low" } }, user),
    path: "input[0].type",
    message: "The 'configuration_update' item type is not supported with this model.",
    code: "unsupported_value",
  },
  {
    rule: "openai/configuration-update",
    body: items({ type: "configuration_update" }, { type: "configuration_update" }),
    path: "input[1].type",
    message: "Two 'configuration_update' items are next to each other.",
    severity: "warning",
  },
  {
    rule: "openai/call-answered",
    body: items(thought, call, user),
    path: "input[1]",
    message: "No tool output found for function call call_1.",
  },
  {
    rule: "openai/output-called",
    body: items(user, output),
    path: "input[1]",
    message: "No tool call found for function call output with call_id call_1.",
  },
  {
    rule: "openai/output-called",
    body: items(output),
    path: "input[0]",
    message: "No tool call found for function call output with call_id call_1.",
  },
  {
    rule: "deepseek/output-directly-after-call",
    model: "deepseek-v4-flash",
    body: items(call, { role: "assistant", content: "x" }, { ...call, call_id: "call_2" }, output, {
      ...output,
      call_id: "call_2",
    }),
    path: "input[0]",
    message: "No tool output found for tool call call_1.",
    code: "invalid_request_error",
  },
];

describe("rules of histories", () => {
  it("name calls without any id", () => {
    const nameless = { type: "function_call", name: "f", arguments: "{}" };
    const findings = check(inputOf(items(nameless)));
    expect(findings.map(({ rule }) => rule)).toEqual([
      "openai/item-fields",
      "openai/call-answered",
    ]);
  });

  it.each(cases)("$rule: $message", (each) => {
    expect(judge(each, findModel)).toEqual(wanted(each));
  });
});

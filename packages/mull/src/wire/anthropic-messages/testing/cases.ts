import type { JsonObject } from "../../../types/json.ts";
import type { RuleInput } from "../../../types/rule.ts";

/** A request that no rule objects to. */
export const fine: JsonObject = {
  max_tokens: 4096,
  messages: [{ role: "user", content: [{ type: "text", text: "hi" }] }],
  stream: true,
};

export interface Case {
  readonly rule: string;
  readonly model: string;
  /** Over `fine`. */
  readonly body: JsonObject;
  readonly headers?: Readonly<Record<string, string>>;
  /** The service's words, or how they begin. */
  readonly says: string;
  /** What the repair makes of the fields in `body`; absent if there is none. */
  readonly becomes?: JsonObject;
  readonly verifySeal?: RuleInput["verifySeal"];
}

export const user = (...content: readonly JsonObject[]): JsonObject => ({ role: "user", content });
export const said = (...content: readonly JsonObject[]): JsonObject => ({
  role: "assistant",
  content,
});
export const text = (words: string): JsonObject => ({ type: "text", text: words });
export const thought: JsonObject = { type: "thinking", thinking: "t", signature: "s" };
export const redacted: JsonObject = { type: "redacted_thinking", data: "d" };
export const call = (id: string): JsonObject => ({ type: "tool_use", id, name: "f", input: {} });
export const result = (id: string): JsonObject => ({
  type: "tool_result",
  tool_use_id: id,
  content: "ok",
});
export const failure = (id: string): JsonObject => ({
  type: "tool_result",
  tool_use_id: id,
  content: "The call was not answered.",
  is_error: true,
});
export const tool: JsonObject = { name: "f", input_schema: { type: "object" } };

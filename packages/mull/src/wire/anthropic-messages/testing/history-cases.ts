import type { JsonObject } from "../../../types/json.ts";
import {
  call,
  failure,
  fine,
  redacted,
  result,
  said,
  text,
  thought,
  user,
  type Case,
} from "./cases.ts";

const ask = user(text("q"));
const budget = { thinking: { type: "enabled", budget_tokens: 1024 } };
const adaptive = { thinking: { type: "adaptive", display: "omitted" } };
const ends = user(text("go on"));
const system = { role: "system", content: [text("s")] };
const update = { role: "system", content: [], output_config: { effort: "low" } };
const stripped = { messages: [ask, said(text("a")), ends] };
const verdict =
  (word: "invalid" | "foreign-prefix") =>
  (seal: string): "ok" | "invalid" | "foreign-prefix" =>
    seal === "bad" ? word : "ok";
const quoted = (tool: string): JsonObject => text(`The tool ${tool} returned:\n"""\nok\n"""`);
const drawing = { type: "image", source: { type: "url", url: "https://example.com/a.png" } };
const plainId = "a_b_e726b11905478f76";
const bad = { ...thought, signature: "bad" };

/** Requests refused for what their messages hold. */
export const historyCases: readonly Case[] = [
  {
    rule: "anthropic/empty-message",
    model: "claude-opus-5",
    body: { messages: [{ role: "user", content: "" }, ask] },
    says: "messages.0: all messages must have non-empty content except for the optional final assistant message",
    becomes: { messages: [ask] },
  },
  {
    rule: "anthropic/empty-text",
    model: "claude-opus-5",
    body: { messages: [user(text(""), text("q"))] },
    says: "messages: text content blocks must be non-empty",
    becomes: { messages: [ask] },
  },
  {
    rule: "anthropic/empty-text",
    model: "claude-opus-5",
    body: { messages: [ask, said(text(" ")), ends] },
    says: "messages: text content blocks must contain non-whitespace text",
  },
  {
    rule: "anthropic/system-placement",
    model: "claude-opus-4-7",
    body: { system: "first", messages: [ask, system] },
    says: 'messages: Unexpected role "system".',
    becomes: { system: [text("first"), text("s")], messages: [ask] },
  },
  {
    rule: "anthropic/system-placement",
    model: "claude-opus-5-5",
    body: { messages: [ask, said(text("a")), system, ends] },
    says: "messages.2: a `system` message must follow a `user` message",
    becomes: { system: [text("s")], messages: [ask, said(text("a")), ends] },
  },

  {
    rule: "anthropic/tool-result-missing",
    model: "claude-opus-5",
    body: { messages: [ask, said(call("a"), call("b")), user(text("x"), result("b"))] },
    says: "messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: a, b.",
    becomes: {
      messages: [ask, said(call("a"), call("b")), user(result("b"), failure("a"), text("x"))],
    },
  },
  {
    rule: "anthropic/tool-result-missing",
    model: "claude-opus-5",
    body: { messages: [ask, said(call("a")), said(thought, call("b"), text("x"))] },
    says: "messages.2: `tool_use` ids were found without `tool_result` blocks immediately after: a, b.",
    becomes: {
      messages: [
        ask,
        said(call("a"), thought, text("x"), call("b")),
        user(failure("a"), failure("b")),
      ],
    },
  },
  {
    rule: "anthropic/tool-result-orphan",
    model: "claude-opus-5",
    body: { messages: [user(result("x"), text("q"))] },
    says: "messages.0.content.0: unexpected `tool_use_id` found in `tool_result` blocks: x.",
    becomes: { messages: [user(quoted("of call x"), text("q"))] },
  },
  {
    rule: "anthropic/tool-result-missing",
    model: "claude-opus-5-5",
    body: {
      messages: [ask, said(call("a")), { ...system, output_config: null }, user(result("a"))],
    },
    says: "messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: a.",
    becomes: {
      messages: [ask, said(call("a")), user(result("a")), { ...system, output_config: null }],
    },
  },
  {
    rule: "anthropic/tool-result-missing",
    model: "claude-opus-5-5",
    body: {
      messages: [
        ask,
        said(call("a"), call("b")),
        system,
        user(result("b"), result("a"), text("x")),
        said(text("a")),
        ends,
      ],
    },
    says: "messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: a, b.",
    becomes: {
      messages: [
        ask,
        said(call("a"), call("b")),
        user(result("b"), result("a")),
        system,
        user(text("x")),
        said(text("a")),
        ends,
      ],
    },
  },
  {
    rule: "anthropic/tool-result-orphan",
    model: "claude-opus-5",
    body: {
      messages: [
        user({
          ...result("x"),
          is_error: true,
          content: [text("no"), { type: "tool_reference", tool_name: "y" }, drawing],
        }),
      ],
    },
    says: "messages.0.content.0: unexpected",
    becomes: {
      messages: [
        user(
          text(
            `The tool of call x failed:\n"""\nno\n{"type":"tool_reference","tool_name":"y"}\n"""`,
          ),
          drawing,
        ),
      ],
    },
  },
  {
    rule: "anthropic/tool-result-orphan",
    model: "claude-opus-5",
    body: { messages: [user(result("x")), ask] },
    says: "messages.0.content.0: unexpected",
    becomes: { messages: [user(quoted("of call x")), ask] },
  },
  {
    rule: "anthropic/tool-result-twice",
    model: "claude-opus-5",
    body: { messages: [ask, said(call("a")), user(result("a"), result("a"), text("x"))] },
    says: "messages.2.content.1: each tool_use must have a single result.",
    becomes: { messages: [ask, said(call("a")), user(result("a"), quoted("f"), text("x"))] },
  },
  {
    rule: "anthropic/tool-ids",
    model: "claude-opus-5",
    body: { messages: [ask, said(call("a|b")), user(result("a|b"))] },
    says: "messages.1.content.0.tool_use.id: String should match pattern",
    becomes: { messages: [ask, said(call(plainId)), user(result(plainId))] },
  },
  {
    rule: "anthropic/tool-ids",
    model: "claude-opus-5",
    body: { messages: [ask, said(call("a")), user(result("a"), result(""))] },
    says: "messages.2.content.1.tool_result.tool_use_id: String should match pattern",
  },
  {
    rule: "anthropic/tools",
    model: "claude-opus-5",
    body: {
      tools: [{ name: "f", input_schema: { type: "object", properties: { "filter[id]": {} } } }],
    },
    says: "tools.0.custom.input_schema.properties: Property keys should match pattern",
  },
  {
    rule: "anthropic/tool-use-names",
    model: "claude-opus-5",
    body: { messages: [ask, said({ ...call("a"), name: "functions.look" }), user(result("a"))] },
    says: "messages.1.content.0.tool_use.name: String should match pattern",
    becomes: {
      messages: [ask, said({ ...call("a"), name: "functions_look" }), user(result("a"))],
    },
  },
  {
    rule: "anthropic/tool-input",
    model: "claude-opus-5",
    body: {
      messages: [
        ask,
        said({ ...call("a"), input: "x" }, { ...call("b"), input: undefined }),
        user(result("a"), result("b")),
      ],
    },
    says: "messages.1.content.0.tool_use.input: Input should be a valid dictionary",
    becomes: {
      messages: [
        ask,
        said({ ...call("a"), input: { input: "x" } }, call("b")),
        user(result("a"), result("b")),
      ],
    },
  },
  {
    rule: "anthropic/tool-error-text",
    model: "claude-opus-5",
    body: {
      messages: [ask, said(call("a")), user({ ...result("a"), content: [], is_error: true })],
    },
    says: "messages.2.content.0.tool_result: content cannot be empty if `is_error` is true",
    becomes: {
      messages: [
        ask,
        said(call("a")),
        user({ ...result("a"), content: "The tool failed.", is_error: true }),
      ],
    },
  },

  {
    rule: "anthropic/leading-thinking",
    model: "claude-sonnet-4-5",
    body: {
      ...budget,
      messages: [
        ask,
        said(thought, text("a")),
        ends,
        said(text("b"), call("c")),
        user(result("c")),
      ],
    },
    says: "messages.3.content.0.type: Expected `thinking` or `redacted_thinking`, but found `text`. When `thinking` is enabled, a final `assistant` message must start with a thinking block",
    becomes: {
      messages: [ask, said(text("a")), ends, said(text("b"), call("c")), user(result("c"))],
    },
  },
  {
    rule: "anthropic/leading-thinking",
    model: "claude-opus-4-6",
    body: {
      ...budget,
      messages: [ask, said(call("a")), user(result("a")), said(call("b")), user(result("b"))],
    },
    says: "messages.3.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`.",
    becomes: { thinking: { type: "adaptive" } },
  },
  {
    rule: "anthropic/leading-thinking",
    model: "claude-sonnet-4-5",
    body: { ...budget, messages: [ask, said(text("a"))] },
    says: "messages.1.content.0.type: Expected `thinking`",
  },
  {
    rule: "anthropic/leading-thinking-lost",
    model: "claude-opus-5",
    body: { ...adaptive, messages: [ask, said(call("a")), user(result("a"))] },
    says: "The running tool loop has no thinking",
  },
  {
    rule: "anthropic/prefill",
    model: "claude-opus-4-6",
    body: { messages: [ask, said(text("a"))] },
    says: "This model does not support assistant message prefill. The conversation must end with a user message.",
    becomes: { messages: [ask, said(text("a")), user(text("Continue."))] },
  },
  {
    rule: "anthropic/trailing-thinking",
    model: "claude-opus-5",
    body: { messages: [ask, said(thought, text("a"), thought, redacted), ends] },
    says: "messages.1: The final block in an assistant message cannot be `thinking`.",
    becomes: { messages: [ask, said(thought, text("a")), ends] },
  },
  {
    rule: "anthropic/trailing-thinking",
    model: "claude-opus-5",
    body: { messages: [ask, said(thought), ends] },
    says: "messages.1: The final block",
    becomes: { messages: [ask, ends] },
  },
  {
    rule: "anthropic/signature-required",
    model: "claude-opus-5",
    body: { messages: [ask, said({ type: "thinking", thinking: "t" }, text("a")), ends] },
    says: "messages.1.content.0.thinking.signature: Field required",
    becomes: stripped,
  },
  {
    rule: "anthropic/signature-required",
    model: "claude-opus-5",
    body: {
      messages: [
        ask,
        said({ type: "thinking", signature: "s" }, { type: "redacted_thinking" }, text("a")),
        ends,
      ],
    },
    says: "messages.1.content.0.thinking.thinking: Field required",
    becomes: stripped,
  },
  {
    rule: "anthropic/signature",
    model: "claude-opus-5",
    body: { messages: [ask, said({ ...thought, signature: "" }, text("a")), ends] },
    says: "messages.1.content.0: Invalid `signature` in `thinking` block",
    becomes: stripped,
  },
  {
    rule: "anthropic/signature",
    model: "claude-opus-5",
    verifySeal: verdict("invalid"),
    body: { messages: [ask, said(thought, { ...redacted, data: "bad" }, text("a")), ends] },
    says: "messages.1.content.1: Invalid `data` in `redacted_thinking` block",
    becomes: stripped,
  },
  {
    rule: "anthropic/prefix-binding",
    model: "claude-opus-5-5",
    verifySeal: verdict("foreign-prefix"),
    body: { messages: [ask, said(bad, text("a")), ends] },
    says: 'messages.1.content.0: Invalid `signature` in `thinking` block. The block is bound to a different conversation. Remove the block, or set `thinking.block_binding.prefix_mismatch_behavior` to "drop_block". That setting requires',
    becomes: stripped,
  },
  {
    rule: "anthropic/prefix-binding",
    model: "claude-opus-5-5",
    verifySeal: verdict("foreign-prefix"),
    headers: { "anthropic-beta": "thinking-binding-controls-2026-08-01" },
    body: { messages: [ask, said(bad, text("a")), ends] },
    says: "messages.1.content.0: Invalid `signature` in `thinking` block. The block is bound",
    becomes: stripped,
  },
  {
    rule: "anthropic/thinking-cache-control",
    model: "claude-opus-5",
    body: {
      messages: [ask, said({ ...thought, cache_control: { type: "ephemeral" } }, text("a")), ends],
    },
    says: "messages.1.content.0.thinking.cache_control: Extra inputs are not permitted",
    becomes: { messages: [ask, said(thought, text("a")), ends] },
  },
  {
    rule: "anthropic/effort-update",
    model: "claude-opus-5-5",
    body: { messages: [ask, update, ends, { ...system, output_config: { effort: "low" } }] },
    says: "messages.1.output_config: Extra inputs are not permitted",
    becomes: { messages: [ask, ends, system], max_tokens: fine["max_tokens"] },
  },
];

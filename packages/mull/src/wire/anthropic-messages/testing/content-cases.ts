import type { JsonObject } from "../../../types/json.ts";
import { call, said, text, user, type Case } from "./cases.ts";

const model = "claude-opus-5";
const picture = (media_type: string, data: string): JsonObject => ({
  type: "image",
  source: { type: "base64", media_type, data },
});

const pdf = (data: string): JsonObject => ({
  type: "document",
  source: { type: "base64", media_type: "application/pdf", data },
});

/** Requests refused for what is in a block or a tool. */
export const contentCases: readonly Case[] = [
  {
    rule: "anthropic/beta-name",
    model,
    body: {},
    headers: { "anthropic-beta": "interleaved-thinking-2025-05-14, interleaved" },
    says: "Unexpected value(s) `interleaved` for the `anthropic-beta` header. Please consult",
  },
  {
    rule: "anthropic/beta-name",
    model,
    body: {},
    headers: {
      "anthropic-beta":
        "claude-code-20250219,interleaved-thinking-2025-04-14,interleaved-thinking-2027-01-01,not-heard-of-2025-01-01",
    },
    says: "Unexpected value(s) `interleaved-thinking-2025-04-14` for the `anthropic-beta` header.",
  },
  {
    rule: "anthropic/unknown-type",
    model,
    body: { messages: [user(text("See"), { type: "image_url", image_url: { url: "x" } })] },
    says: "messages.0.content.1: Input tag 'image_url' found using 'type' does not match any of the expected tags: 'advisor_tool_result', 'bash_code_execution_tool_result',",
  },
  {
    rule: "anthropic/unknown-type",
    model,
    body: { tools: [{ type: "function", function: { name: "f", parameters: {} } }] },
    says: "tools.0: Input tag 'function' found using 'type' does not match any of the expected tags: 'advisor_20260301', 'bash_20241022',",
  },
  {
    rule: "anthropic/unknown-type",
    model,
    body: { messages: [user({ text: "q" })] },
    says: "messages.0.content.0.type: Field required",
  },
  {
    rule: "anthropic/unknown-name",
    model,
    body: { messages: [{ ...user(text("q")), name: "Ada" }] },
    says: "messages.0.name: Extra inputs are not permitted",
    becomes: { messages: [user(text("q"))] },
  },
  {
    rule: "anthropic/unknown-name",
    model,
    body: { system: [{ ...text("s"), cache_control: { type: "ephemeral", scope: "global" } }] },
    says: "system.0.text.cache_control.ephemeral.scope: Extra inputs are not permitted",
    becomes: { system: [{ ...text("s"), cache_control: { type: "ephemeral" } }] },
  },
  {
    rule: "anthropic/unknown-name",
    model,
    body: { tools: [{ name: "f", input_schema: { type: "object" }, parameters: {} }] },
    says: "tools.0.custom.parameters: Extra inputs are not permitted",
    becomes: { tools: [{ name: "f", input_schema: { type: "object" } }] },
  },
  {
    rule: "anthropic/file",
    model,
    body: { messages: [user(picture("image/bmp", "AAAA"))] },
    says: "messages.0.content.0.image.source.base64.media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'",
  },
  {
    rule: "anthropic/file",
    model,
    body: {
      messages: [
        user(text("q")),
        said(call("toolu_1")),
        user({
          type: "tool_result",
          tool_use_id: "toolu_1",
          content: [picture("image/png", "A".repeat(10_485_764))],
        }),
      ],
    },
    says: "messages.2.content.0.tool_result.content.0.image.source.base64: image exceeds 10 MB maximum: 10485764 bytes > 10485760 bytes",
  },
  {
    rule: "anthropic/file",
    model,
    body: { messages: [user(picture("image/png", ""))] },
    says: "messages.0.content.0.image.source.base64: image cannot be empty",
  },
  {
    rule: "anthropic/file",
    model,
    body: { messages: [user(picture("image/png", "data:image/png;base64,iVBORw0KGgo="))] },
    says: "messages.0.content.0.image.source.base64: invalid base64 data",
  },
  {
    rule: "anthropic/file",
    model,
    body: { messages: [user(text("q"), picture("image/png", "/9j/4AAQSkZJRg=="))] },
    says: "messages.0.content.1.image.source.base64.data: Image does not match the provided media type image/png",
  },
  {
    rule: "anthropic/file",
    model,
    body: { messages: [user(pdf("./report.pdf"))] },
    says: "messages.0.content.0.pdf.source.base64.data: The PDF specified was not valid.",
  },
  {
    rule: "anthropic/tool-union",
    model,
    body: { tools: [{ name: "f", input_schema: { type: "object", oneOf: [] } }] },
    says: "tools.0.custom.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level",
  },
  {
    rule: "anthropic/stream-flag",
    model,
    body: { stream: "yes" },
    says: "stream: Input should be a valid boolean",
  },
  {
    rule: "anthropic/empty-text",
    model,
    body: { messages: [user(text(" \n"), text("q"))] },
    says: "messages: text content blocks must contain non-whitespace text",
    becomes: { messages: [user(text("q"))] },
  },
  {
    rule: "anthropic/unknown-name",
    model,
    body: { messages: [user({ ...text("q"), id: "lc_1", index: 0 })] },
    says: "messages.0.content.0.text.id: Extra inputs are not permitted",
    becomes: { messages: [user(text("q"))] },
  },
  {
    rule: "anthropic/unknown-name",
    model,
    body: {
      messages: [
        user(text("q")),
        said(call("toolu_1")),
        user({
          type: "tool_result",
          tool_use_id: "toolu_1",
          content: [{ ...text("4"), id: "lc_1" }],
        }),
      ],
    },
    says: "messages.2.content.0.tool_result.content.0.text.id: Extra inputs are not permitted",
  },
  {
    rule: "anthropic/trailing-space",
    model: "claude-haiku-4-5",
    body: { messages: [user(text("q")), { role: "assistant", content: "It is " }] },
    says: "messages: final assistant content cannot end with trailing whitespace",
    becomes: { messages: [user(text("q")), said(text("It is"))] },
  },
];

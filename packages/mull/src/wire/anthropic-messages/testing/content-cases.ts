import type { JsonObject } from "../../../types/json.ts";
import { call, said, text, user, type Case } from "./cases.ts";

const model = "claude-opus-5";
const picture = (media_type: string, data: string): JsonObject => ({
  type: "image",
  source: { type: "base64", media_type, data },
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
    rule: "anthropic/block-type",
    model,
    body: { messages: [user(text("See"), { type: "image_url", image_url: { url: "x" } })] },
    says: "messages.0.content.1: Input tag 'image_url' found using 'type' does not match any of the expected tags: 'document', 'image',",
  },
  {
    rule: "anthropic/tool-type",
    model,
    body: { tools: [{ type: "function", function: { name: "f", parameters: {} } }] },
    says: "tools.0: Input tag 'function' found using 'type' does not match any of the expected tags: 'bash_20250124', 'custom',",
  },
  {
    rule: "anthropic/image",
    model,
    body: { messages: [user(picture("image/bmp", "AAAA"))] },
    says: "messages.0.content.0.image.source.base64.media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'",
  },
  {
    rule: "anthropic/image",
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
];

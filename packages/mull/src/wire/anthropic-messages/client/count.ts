import type { TokenCounter } from "../../../types/wire.ts";
import { pickFields } from "../../common/pick-fields.ts";
import { readCount } from "../../common/token-count.ts";

/** What is counted. A cap, `stream` and sampling change no count, and are refused here. */
const counted = [
  "model",
  "messages",
  "system",
  "tools",
  "tool_choice",
  "thinking",
  "output_config",
  "cache_control",
  "context_management",
  "mcp_servers",
];

export const anthropicCounter: TokenCounter = {
  encode: ({ path, body }) => ({ path: `${path}/count_tokens`, body: pickFields(body, counted) }),
  decode: (body) => readCount(body["input_tokens"]),
};

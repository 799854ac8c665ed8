import { pick } from "../../../types/json.ts";
import type { TokenCounter } from "../../../types/wire.ts";
import { readCount } from "../../common/json-reading.ts";

/** The fields that count. The endpoint refuses caps, `stream` and sampling parameters, which change no count. */
const counted = (
  "model messages system tools tool_choice thinking " +
  "output_config cache_control context_management mcp_servers"
).split(" ");

export const anthropicCounter: TokenCounter = {
  encode: ({ path, body }) => ({ path: `${path}/count_tokens`, body: pick(body, counted) }),
  decode: (body) => readCount(body["input_tokens"]),
};

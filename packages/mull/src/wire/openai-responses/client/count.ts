import { pick } from "../../../types/json.ts";
import type { TokenCounter } from "../../../types/wire.ts";
import { readCount } from "../../common/json-reading.ts";

/** What the endpoint takes; everything else is refused as an unknown parameter. */
const counted = (
  "model input instructions tools tool_choice parallel_tool_calls " +
  "reasoning text previous_response_id conversation truncation"
).split(" ");

export const responsesCounter: TokenCounter = {
  encode: ({ path, body }) => ({ path: `${path}/input_tokens`, body: pick(body, counted) }),
  decode: (body) => readCount(body["input_tokens"]),
};

import type { Fetch } from "mull";
import { encodeSse } from "mull/wire";
import type { Upstream } from "../parts.ts";

interface Asked {
  readonly max_tokens: number;
  readonly tools?: readonly { readonly name: string }[];
}

export interface Hungry {
  readonly upstream: () => Upstream;
  /** The caps of the requests, in order of arrival. */
  readonly caps: readonly number[];
}

/** A service that bills the whole cap, and calls a tool for as long as it has one. */
export function hungryService({
  loops,
  input = 1,
}: {
  readonly loops: boolean;
  /** Tokens it bills for a question of any length. */
  readonly input?: number;
}): Hungry {
  const caps: number[] = [];
  const answer: Fetch = async (_, init) => {
    const { max_tokens: cap, tools = [] } = JSON.parse(init.body as string) as Asked;
    caps.push(cap);
    const tool = loops ? tools[0]?.name : undefined;
    const block =
      tool === undefined
        ? { type: "text", text: "Done." }
        : { type: "tool_use", id: `toolu_${caps.length}`, name: tool, input: {} };
    const usage = { input_tokens: input, output_tokens: cap };
    const message = { id: `msg_${caps.length}`, type: "message", role: "assistant", model: "m" };
    const events = [
      { type: "message_start", message: { ...message, content: [], usage } },
      { type: "content_block_start", index: 0, content_block: block },
      { type: "content_block_stop", index: 0 },
      {
        type: "message_delta",
        delta: { stop_reason: tool === undefined ? "end_turn" : "tool_use" },
        usage,
      },
      { type: "message_stop" },
    ];
    const body = events.map((event) =>
      encodeSse({ event: event.type, data: JSON.stringify(event) }),
    );
    return new Response(body.join(""), { headers: { "content-type": "text/event-stream" } });
  };
  return {
    caps,
    upstream: () => ({ fetch: answer, env: {}, apiKey: "hungry", isSimulated: false }),
  };
}

import { estimateTokens } from "../history/estimate.ts";
import type { Reply } from "../types/event.ts";
import type { AssistantPart } from "../types/message.ts";
import type { WireRequest } from "../types/request.ts";
import type { Usage } from "../types/usage.ts";

/** Nothing is billed before that. A model that thinks in secret has begun, though no part has come. */
export const hasBegun = ({ id, message, usage }: Reply): boolean =>
  id !== undefined || message.parts.length > 0 || usage.input !== undefined;

/**
 * What an answer that is not whole took at least. Services count at the end: of a stopped answer
 * Anthropic has told the input, Google the tokens so far, OpenAI nothing. What they have not told is
 * estimated from what was sent and what came.
 */
export function spentSoFar({ message, usage }: Reply, request: WireRequest): Usage {
  const { raw: _, warning: __, ...known } = usage;
  const { cacheRead = 0, cacheWrite = 0 } = known;
  const input = known.input ?? estimateRequest(request);
  const output = more(
    known.output,
    message.parts.filter((part) => !isThought(part)),
  );
  const thought = more(known.thinking, message.parts.filter(isThought));
  const thinking = thought === 0 ? known.thinking : thought;
  return {
    ...known,
    input,
    output,
    ...(thinking !== undefined && { thinking }),
    ...(thinking !== known.thinking && { thinkingSource: "estimated" }),
    total: input + cacheRead + cacheWrite + output + (thinking ?? 0),
    estimated: true,
  };
}

const isThought = ({ type }: AssistantPart): boolean => type === "thinking";

/** A count that came early stands for less than what has come since. */
const more = (counted: number | undefined, parts: readonly AssistantPart[]): number =>
  Math.max(counted ?? 0, estimateTokens([{ role: "assistant", parts }]));

function estimateRequest({ messages, system = "", tools = [] }: WireRequest): number {
  const around = JSON.stringify([system, tools]);
  return estimateTokens([...messages, { role: "user", parts: [{ type: "text", text: around }] }]);
}

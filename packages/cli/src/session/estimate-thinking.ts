import type { ChatResult, ThinkingPart, Usage } from "mull";

const charactersPerToken = 4;
export const estimateTokens = (text: string): number => Math.ceil(text.length / charactersPerToken);

/**
 * The counts with thinking estimated from its text, if the service did not count it but sent all
 * of it. Such a service has thinking in its output: it is taken out, so that no token counts twice.
 */
export function estimateThinking(
  usage: Usage,
  blocks: readonly Pick<ThinkingPart, "text" | "visibility">[],
): Usage {
  if (usage.thinking !== undefined) return usage;
  const isWhole = blocks.length > 0 && blocks.every(({ visibility }) => visibility === "full");
  if (!isWhole) return usage;
  const thinking = estimateTokens(blocks.map(({ text }) => text).join(""));
  const { output } = usage;
  return {
    ...usage,
    thinking,
    thinkingSource: "estimated",
    ...(output !== undefined && { output: Math.max(0, output - thinking) }),
  };
}

/** The same for one answer of a service. */
export const estimateStep = ({ usage, message }: Pick<ChatResult, "usage" | "message">): Usage =>
  estimateThinking(
    usage,
    message.parts.filter((part) => part.type === "thinking"),
  );

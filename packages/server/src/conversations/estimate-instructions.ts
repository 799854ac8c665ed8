import { estimateTokens, type Tool } from "mull";

/** The tokens that every request carries beside its messages: the system prompt and the tools. */
export const estimateInstructions = (system: string | undefined, tools: readonly Tool[]): number =>
  estimateTokens([
    {
      role: "user",
      parts: [
        { type: "text", text: system ?? "" },
        {
          type: "text",
          text: tools.length === 0 ? "" : JSON.stringify(tools.map((tool) => tool.spec)),
        },
      ],
    },
  ]);

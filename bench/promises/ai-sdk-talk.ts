import { createMull } from "@mull/ai-sdk";
import { jsonSchema, streamText, tool, type ModelMessage } from "ai-7";
import { refs } from "./mull-talk.ts";
import type { OpenTalk } from "./probes.ts";

/** The AI SDK with models of ours, in the same talk: it keeps the messages, and asks once at a time. */
export const openAISDKTalk: OpenTalk = (fetch) => {
  // The probe stands in front of the emulator, so nobody sees that it is one.
  const mull = createMull({ fetch, apiKey: "bench-key", simulated: true });
  const messages: ModelMessage[] = [];
  return {
    say: (text) => void messages.push({ role: "user", content: text }),
    answer: () => {
      const { content } = messages.at(-1)!;
      for (const part of typeof content === "string" ? [] : content) {
        if (part.type !== "tool-call") continue;
        const { toolCallId, toolName } = part;
        const output = { type: "text" as const, value: "Nothing was found." };
        messages.push({
          role: "tool",
          content: [{ type: "tool-result", toolCallId, toolName, output }],
        });
      }
    },
    ask: async (wire) => {
      const model = mull(refs[wire]);
      const result = streamText({
        model,
        messages,
        tools: { look: tool({ inputSchema: jsonSchema({ type: "object", properties: {} }) }) },
        maxRetries: 0,
        onError: () => undefined,
      });
      await result.consumeStream();
      messages.push(...(await result.responseMessages));
    },
  };
};

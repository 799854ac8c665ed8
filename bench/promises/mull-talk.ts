import { Agent, tool, type WireId } from "mull";
import type { OpenTalk } from "./probes.ts";

export const refs: Readonly<Record<WireId, string>> = {
  "anthropic-messages": "claude-sonnet-4-5/med",
  "openai-responses": "gpt-5/med",
  "openai-chat": "openai-chat:gpt-5/med",
  "google-generate": "gemini-3.8-flash/med",
};

/** mull in the same talk: one request at a time, so that another model can take over in between. */
export const openMullTalk: OpenTalk = (fetch) => {
  const agent = new Agent(refs["anthropic-messages"], {
    fetch,
    apiKey: "bench-key",
    tools: [tool({ name: "look", run: () => "Nothing was found." })],
    maxSteps: 1,
  });
  let question: string | undefined;
  return {
    say: (text) => {
      question = text;
    },
    // The agent has run its tool already.
    answer: () => undefined,
    ask: async (wire) => {
      agent.use(refs[wire]);
      const stream = question === undefined ? agent.resumeStream() : agent.sendStream(question);
      question = undefined;
      for await (const _ of stream);
    },
  };
};

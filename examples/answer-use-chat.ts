import { emulate } from "@mull/emulator";
import { encodeUIChunk, toUIStream, uiStreamEnd, uiStreamHeaders } from "@mull/ui-messages";
import { Agent } from "mull";

const agent = new Agent("claude-opus-5-5/med", { fetch: emulate(), apiKey: "simulated" });

/** A turn as the UI message stream that `useChat` of the AI SDK reads. */
function answer(question: string): Response {
  const turn = agent.sendStream(question);
  const frames = new ReadableStream<string>({
    async start(controller) {
      for await (const chunk of toUIStream(turn.events())) {
        controller.enqueue(encodeUIChunk(chunk));
      }
      controller.enqueue(uiStreamEnd);
      controller.close();
    },
  });
  return new Response(frames.pipeThrough(new TextEncoderStream()), { headers: uiStreamHeaders });
}

console.log(await answer("What is 23 * 47?").text());

import { Session } from "node:inspector/promises";
import { Agent } from "mull";

const frames = [
  { type: "message_start", message: { id: "msg_1", model: "claude-opus-5-5", content: [] } },
  { type: "content_block_start", index: 0, content_block: { type: "thinking", thinking: "" } },
  { type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "Hm." } },
  { type: "content_block_delta", index: 0, delta: { type: "signature_delta", signature: "c2ln" } },
  { type: "content_block_stop", index: 0 },
  { type: "content_block_start", index: 1, content_block: { type: "text", text: "" } },
  { type: "content_block_delta", index: 1, delta: { type: "text_delta", text: "Hel" } },
  { type: "content_block_delta", index: 1, delta: { type: "text_delta", text: "lo" } },
  { type: "content_block_stop", index: 1 },
  { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 5 } },
  { type: "message_stop" },
];
const answer = frames.map((frame) => `data: ${JSON.stringify(frame)}\n\n`).join("");

/** Prints the files of the library that run from the head of an answer to its last chunk. */
const session = new Session();
session.connect();
await session.post("Profiler.enable");
const fetch = async (): Promise<Response> => {
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  return new Response(answer, { headers: { "content-type": "text/event-stream" } });
};
const chunks = new Agent("claude-opus-5-5/high", { apiKey: "test", fetch }).sendStream("Hello?");
for await (const { event } of chunks) if (event.type === "turn") break;
const { result } = await session.post("Profiler.takePreciseCoverage");
const files = result.flatMap(({ url, functions }) => {
  const file = /packages\/mull\/src\/(.*)$/.exec(url)?.[1];
  // What begins at 0 is the module itself.
  const hasRun = functions.some(
    ({ ranges: [whole] }) => whole!.startOffset > 0 && whole!.count > 0,
  );
  return file !== undefined && hasRun ? [file] : [];
});
console.log(JSON.stringify(files));

import { emulate } from "@mull/emulator";
import { Agent } from "mull";

const recording = Buffer.from("RIFF$\0\0\0WAVE").toString("base64");

const agent = new Agent("gemini-3.8-flash/low", { fetch: emulate(), apiKey: "simulated" });
await agent.send([
  { type: "file", mediaType: "audio/wav", source: { type: "base64", data: recording } },
  { type: "text", text: "What is said here?" },
]);

// Claude takes no sound: it is told that there was some. The history keeps it.
agent.use("claude-opus-5-5/low");
const { receipt } = await agent.send("What is 23 * 47?");
for (const { code, detail } of receipt.changes) console.log(`${code}: ${detail}`);

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Anthropic from "@anthropic-ai/sdk";
import { emulate } from "@mull/emulator";
import { play, record, showCassette } from "@mull/vcr";

const folder = await mkdtemp(join(tmpdir(), "cassette-"));
const cassette = join(folder, "primes.jsonl");

async function ask(fetch: typeof globalThis.fetch): Promise<string> {
  const client = new Anthropic({ apiKey: "example", fetch });
  const message = await client.messages.create({
    model: "claude-opus-5-5",
    max_tokens: 2000,
    messages: [{ role: "user", content: "What are the first ten primes?" }],
  });
  return message.content.map((block) => (block.type === "text" ? block.text : "")).join("");
}

const recorder = record({ fetch: emulate(), cassette }); // with the global fetch it records the real service
const live = await ask(recorder);
await recorder.done();

const player = play(cassette);
const replayed = await ask(player); // no network
await player.done();
console.log(live === replayed, showCassette(cassette).split("\n")[0]);
await rm(folder, { recursive: true });

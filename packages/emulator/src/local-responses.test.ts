import OpenAI, { APIError } from "openai";
import { describe, expect, it } from "vitest";

import { emulate, type Emulator } from "./emulate.ts";

const addresses = {
  ollama: "http://localhost:11434/v1",
  vllm: "http://localhost:8000/v1",
  sglang: "http://localhost:30000/v1",
  llamacpp: "http://localhost:8080/v1",
  lmstudio: "http://localhost:1234/v1",
} as const;
type Server = keyof typeof addresses;
const servers = Object.keys(addresses) as readonly Server[];

const client = (server: Server, fetch: Emulator = emulate()): OpenAI =>
  new OpenAI({ apiKey: "none", baseURL: addresses[server], fetch, maxRetries: 0 });

const model = "qwen3:8b";
const first = { model, input: "What is 15% of 80?", reasoning: { effort: "high" } } as const;

const goOn = async (server: Server): Promise<string> => {
  const openai = client(server);
  const { id } = await openai.responses.create(first);
  try {
    const input = "Double that";
    return (await openai.responses.create({ model, input, previous_response_id: id })).output_text;
  } catch (error) {
    return error instanceof APIError ? error.message.replace(id, "ID") : String(error);
  }
};

describe("P-J6 the Responses API of servers of this machine", () => {
  it.each(servers)("%s serves any model, thinks in the open, and takes it back", async (server) => {
    const openai = client(server);
    const answer = await openai.responses.create(first);
    expect(answer.output_text).toContain("**12**");
    const thought = answer.output.find((item) => item.type === "reasoning");
    const shown = server === "ollama" ? thought?.summary : thought?.content;
    expect(shown?.[0]?.text).toContain("80");
    const next = await openai.responses.create({
      model,
      input: [
        { role: "user", content: first.input },
        ...(answer.output as OpenAI.Responses.ResponseInputItem[]),
        { role: "user", content: "Double that" },
      ],
    });
    expect(next.output_text).toContain("**24**");
  });

  it.each(servers)("%s streams it without padding", async (server) => {
    const types = new Set<string>();
    for await (const event of await client(server).responses.create({ ...first, stream: true })) {
      types.add(event.type);
      expect(event).not.toHaveProperty("obfuscation");
    }
    const delta = server === "ollama" ? "reasoning_summary_text" : "reasoning_text";
    expect(types).toContain(`response.${delta}.delta`);
    expect(types).toContain("response.completed");
  });

  it.each([
    ["sglang", "**24**"],
    ["lmstudio", "**24**"],
    ["ollama", 'You said: "Double that"'],
    ["llamacpp", "400 llama.cpp does not support 'previous_response_id'."],
    ["vllm", "404 Response with id 'ID' not found."],
  ] as const)("%s deals with previous_response_id in its way", async (server, said) => {
    expect(await goOn(server)).toContain(said);
  });

  it("says that nothing is stored where nothing is", async () => {
    const { store } = (await client("ollama").responses.create(first)) as { store?: boolean };
    expect(store).toBe(false);
  });
});

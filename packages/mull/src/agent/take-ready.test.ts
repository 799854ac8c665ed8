import { describe, expect, test } from "vitest";
import { Agent } from "./agent.ts";
import type { AgentEvent } from "./event.ts";

const frame = (data: { readonly type: string } & Readonly<Record<string, unknown>>): string =>
  `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;

const answer = [
  frame({ type: "message_start", message: { id: "m", role: "assistant", usage: {} } }),
  frame({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }),
  ...["a", "b", "c", "d"].map((text) =>
    frame({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } }),
  ),
  frame({ type: "content_block_stop", index: 0 }),
  frame({ type: "message_delta", delta: { stop_reason: "end_turn" }, usage: {} }),
  frame({ type: "message_stop" }),
].join("");

const stream = (): ReturnType<Agent["sendStream"]> =>
  new Agent("claude-opus-5-5", {
    apiKey: "test",
    fetch: async () => new Response(answer, { headers: { "content-type": "text/event-stream" } }),
  }).sendStream("Hi");

const kinds = (events: readonly AgentEvent[]): readonly string[] =>
  events.map((event) => (event.type === "answer" ? event.event.type : event.type));

describe("what came together", () => {
  test("P-E1: taken at once it is the same events in the same order, each once", async () => {
    const oneByOne: AgentEvent[] = [];
    for await (const event of stream().events()) oneByOne.push(event);
    const together: AgentEvent[] = [];
    let waits = 0;
    const turn = stream();
    for await (const event of turn.events()) {
      waits++;
      together.push(event, ...turn.takeReady());
    }
    expect(kinds(together)).toEqual(kinds(oneByOne));
    expect(waits).toBeLessThan(oneByOne.length);
    expect(turn.takeReady()).toEqual([]);
    expect((await turn.result()).text).toBe("abcd");
  });
});

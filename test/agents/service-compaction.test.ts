import { Agent, type Fetch, type JsonObject } from "mull";
import { expect, test, vi } from "vitest";

const stream = (events: readonly JsonObject[]): Response =>
  new Response(
    events
      .map(
        (event) =>
          `event: ${JSON.stringify(event["type"]).slice(1, -1)}\ndata: ${JSON.stringify(event)}\n\n`,
      )
      .join(""),
    { headers: { "content-type": "text/event-stream" } },
  );

const block = (
  index: number,
  start: JsonObject,
  ...deltas: readonly JsonObject[]
): readonly JsonObject[] => [
  { type: "content_block_start", index, content_block: start },
  ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
  { type: "content_block_stop", index },
];

const claude = (): Response =>
  stream([
    {
      type: "message_start",
      message: {
        id: "m",
        type: "message",
        role: "assistant",
        model: "claude-opus-5-5",
        content: [],
        stop_reason: null,
        usage: { input_tokens: 1, output_tokens: 1 },
      },
    },
    ...block(
      0,
      { type: "compaction", content: null, encrypted_content: null },
      { type: "compaction_delta", content: "In short.", encrypted_content: "c2VhbA==" },
    ),
    ...block(1, { type: "text", text: "" }, { type: "text_delta", text: "Yes." }),
    { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 5 } },
    { type: "message_stop" },
  ]);

const compaction = { type: "compaction", id: "cmp_1", encrypted_content: "c2VhbA==" };
const message = {
  type: "message",
  id: "msg_1",
  role: "assistant",
  status: "completed",
  content: [{ type: "output_text", text: "Yes.", annotations: [] }],
};
const openai = (): Response =>
  stream([
    { type: "response.created", response: { id: "r", model: "gpt-6-sol", status: "in_progress" } },
    { type: "response.output_item.added", output_index: 0, item: compaction },
    { type: "response.output_item.done", output_index: 0, item: compaction },
    { type: "response.output_item.done", output_index: 1, item: message },
    {
      type: "response.completed",
      response: { id: "r", model: "gpt-6-sol", status: "completed", output: [compaction, message] },
    },
  ]);

test.each([
  [
    "claude-opus-5-5/low",
    claude,
    {
      edits: [{ type: "compact_20260112", trigger: { type: "input_tokens", value: 100_000 } }],
    },
    { type: "compaction", content: "In short.", encrypted_content: "c2VhbA==" },
  ],
  [
    "gpt-6-sol/low",
    openai,
    [{ type: "compaction", compact_threshold: 100_000 }],
    { type: "compaction", encrypted_content: "c2VhbA==" },
  ],
] as const)(
  "R443 %s shortens by itself: asked for, read, kept and sent back",
  async (model, answer, context_management, sent) => {
    const bodies: JsonObject[] = [];
    const fetch: Fetch = (_url, init) => {
      bodies.push(JSON.parse(init.body as string) as JsonObject);
      return Promise.resolve(answer());
    };
    const options = { apiKey: "k", serviceCompactsAt: 100_000, fetch };
    const agent = new Agent(model, options);
    expect((await agent.send("One?")).text).toBe("Yes.");
    const other = Agent.restore(JSON.stringify(agent), options);
    await other.send("Two?");
    expect(bodies[0]).toMatchObject({ context_management });
    const items = (bodies[1]?.["input"] ?? bodies[1]?.["messages"]) as readonly JsonObject[];
    const blocks = items.flatMap((item) => (Array.isArray(item["content"]) ? item["content"] : []));
    expect([...items, ...(blocks as readonly JsonObject[])]).toContainEqual(
      expect.objectContaining(sent),
    );
  },
);

test("R443 a fallback that cannot is named before anything is sent", async () => {
  const fetch = vi.fn<Fetch>(() => Promise.resolve(claude()));
  const agent = new Agent("claude-opus-5-5/low", {
    apiKey: "k",
    serviceCompactsAt: 100_000,
    fallback: ["gemini-3.8-flash/low"],
    fetch,
  });
  await expect(agent.send("One?")).rejects.toMatchObject({
    field: "serviceCompactsAt",
    message: expect.stringContaining("gemini-3.8-flash") as string,
  });
  expect(fetch).not.toHaveBeenCalled();
});

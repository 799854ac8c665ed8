import { describe, expect, test } from "vitest";
import { History } from "../history/history.ts";
import { Agent } from "./agent.ts";

const frames = (
  ...events: readonly { readonly type: string; readonly [field: string]: unknown }[]
): Response =>
  new Response(
    events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(""),
    {
      headers: { "content-type": "text/event-stream" },
    },
  );

const refusal = (message: string, code: string | null = null): Response =>
  new Response(
    JSON.stringify({ type: "error", error: { type: "invalid_request_error", message, code } }),
    {
      status: 400,
      headers: { "content-type": "application/json" },
    },
  );

const claudeSays = (text: string): Response =>
  frames(
    {
      type: "message_start",
      message: {
        id: "msg_1",
        type: "message",
        role: "assistant",
        content: [],
        usage: { input_tokens: 1, output_tokens: 1 },
      },
    },
    { type: "content_block_start", index: 0, content_block: { type: "text", text } },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 2 } },
    { type: "message_stop" },
  );

const gptSays = (text: string): Response =>
  frames({
    type: "response.completed",
    response: {
      id: "resp_1",
      status: "completed",
      output: [
        {
          type: "message",
          id: "msg_1",
          role: "assistant",
          content: [{ type: "output_text", text, annotations: [] }],
        },
      ],
      usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
    },
  });

/** Answers from the list, in order, and keeps what was asked. */
function answering(...answers: readonly (() => Response)[]): {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly bodies: string[];
} {
  const bodies: string[] = [];
  return {
    bodies,
    fetch: (_url, init) => {
      bodies.push(typeof init.body === "string" ? init.body : "");
      const answer = answers[bodies.length - 1] ?? (() => refusal("nothing left to answer"));
      return Promise.resolve(answer());
    },
  };
}

const sealed = History.from([
  { role: "user", parts: [{ type: "text", text: "hi" }] },
  {
    role: "assistant",
    parts: [
      {
        type: "thinking",
        text: "Hm.",
        visibility: "summary",
        seal: {
          origin: { wire: "anthropic-messages", provider: "anthropic", model: "claude-opus-4-8" },
          data: { signature: "EqQBfrom-another-conversation" },
        },
      },
      { type: "text", text: "hello" },
    ],
  },
]);

describe("what a service refused once", () => {
  test("P-A5 P-A6 a refused seal is not sent again, and stays in the history", async () => {
    const { fetch, bodies } = answering(
      () => refusal("messages.1.content.0: Invalid `signature` in `thinking` block"),
      () => claudeSays("one"),
      () => claudeSays("two"),
    );
    const agent = new Agent("claude-opus-4-8/high", { fetch, apiKey: "k", history: sealed });
    const first = await agent.send("again");
    expect(first.receipt.repairs).toMatchObject([
      { rule: "anthropic/signature", sealsRefused: true },
    ]);
    const second = await agent.send("and again");
    expect(bodies).toHaveLength(3);
    expect(bodies[2]).not.toContain("EqQBfrom-another-conversation");
    expect(second.receipt.withheld[0]?.detail).toContain("refused it");
    expect(JSON.stringify(agent.history)).toContain("EqQBfrom-another-conversation");
  });

  test("P-B10 a summary refused to the organisation is not asked for again", async () => {
    const { fetch, bodies } = answering(
      () =>
        refusal(
          "Your organization must be verified to generate reasoning summaries. Please go to: settings",
          "unsupported_value",
        ),
      () => gptSays("one"),
      () => gptSays("two"),
    );
    const agent = new Agent("gpt-5/med", { fetch, apiKey: "k" });
    await agent.send("hi");
    const second = await agent.send("again");
    expect(bodies).toHaveLength(3);
    expect(JSON.parse(bodies[2] ?? "")).toMatchObject({ reasoning: { effort: "medium" } });
    expect(bodies[2]).not.toContain("summary");
    expect(second.receipt.notes.map((note) => note.code)).toContain("summary-refused");
  });

  test("History.map keeps the branches that do not pass through it", () => {
    const forked = sealed
      .fork(1)
      .append({ role: "assistant", parts: [{ type: "text", text: "other" }] });
    const mapped = forked.map((message) => message);
    expect(mapped.branches()).toHaveLength(2);
    expect(mapped.messages).toEqual(forked.messages);
  });
});

import { describe, expect, it } from "vitest";
import {
  context,
  run,
  replyOf,
  created,
  completed,
  added,
  done,
  delta,
  thought,
  sealedThought,
  message,
  answer,
  wholeCall,
  turn,
} from "../testing/frames.ts";

describe("streams", () => {
  it("tell every piece, then every part, then the whole (R144, R152, R153, R154, R156)", () => {
    const { events } = run(turn);
    expect(events.map(({ type }) => type).join(" ")).toBe(
      "start thinking thinking part text text text part tool-call tool-input tool-input part finish",
    );
    const reply = replyOf({ events });
    const { origin } = context;
    expect(reply.message.parts).toEqual([
      {
        type: "thinking",
        text: "Adding.",
        visibility: "summary",
        startedAt: 1000,
        durationMs: 0,
        seal: {
          origin,
          data: { id: "rs_1", summary: sealedThought.summary, encrypted_content: "gAAAwhole" },
        },
      },
      {
        type: "text",
        text: "It is 4",
        seal: { origin, data: { id: "msg_1", phase: "final_answer" } },
      },
      {
        type: "tool-call",
        id: "call_1",
        name: "add",
        input: { a: 2 },
        seal: { origin, data: { id: "fc_1" } },
      },
    ]);
    expect(reply.finish).toEqual({ reason: "tool-calls", raw: "completed" });
  });

  it("give a call another id if an earlier one has it", () => {
    const again = { ...wholeCall, id: "fc_2" };
    const outcome = run([
      created,
      added(0, wholeCall),
      done(0, wholeCall),
      added(1, again),
      done(1, again),
      completed,
    ]);
    expect(outcome.events.flatMap((event) => (event.type === "tool-call" ? event.id : []))).toEqual(
      ["call_1", "made-here"],
    );
    expect(replyOf(outcome).message.parts).toMatchObject([{ id: "call_1" }, { id: "made-here" }]);
  });

  it("put a blank line between the parts of a summary (R153)", () => {
    const summary = ["One.", "Two."].map((text) => ({ type: "summary_text", text }));
    const outcome = run([
      created,
      added(0, thought),
      delta("reasoning_summary_text", 0, "One.", { summary_index: 0 }),
      delta("reasoning_summary_text", 0, "Two", { summary_index: 1 }),
      delta("reasoning_summary_text", 0, ".", { summary_index: 1 }),
      done(0, { ...thought, summary }),
      completed,
    ]);
    const told = outcome.events.flatMap((event) =>
      event.type === "thinking" ? [event.delta] : [],
    );
    expect(told).toEqual(["One.", "\n\nTwo", "."]);
    expect(replyOf(outcome).message.parts).toMatchObject([{ text: "One.\n\nTwo." }]);
  });

  it("read plain thoughts once where a server sends them twice (D8)", () => {
    const outcome = run([
      added(0, thought),
      delta("reasoning_text", 0, "Hm", { content_index: 0 }),
      delta("reasoning_summary_text", 0, "Hm", { summary_index: 0 }),
      delta("reasoning_text", 0, ".", { content_index: 0 }),
      done(0, { ...thought, content: [{ type: "reasoning_text", text: "Hm." }] }),
      completed,
    ]);
    expect(outcome.events.filter(({ type }) => type === "thinking")).toHaveLength(2);
    expect(replyOf(outcome).message.parts).toMatchObject([{ text: "Hm.", visibility: "full" }]);
  });

  it("tell what was never streamed, so that the pieces add up (R152, R154)", () => {
    const outcome = run([
      created,
      done(0, sealedThought),
      done(1, answer),
      done(2, wholeCall),
      done(3, {
        type: "custom_tool_call",
        id: "ctc_1",
        call_id: "call_2",
        name: "sh",
        input: "ls",
      }),
      done(4, { type: "web_search_call", id: "ws_1" }),
      completed,
    ]);
    const deltas = outcome.events.flatMap((event) => ("delta" in event ? [event.delta] : []));
    expect(deltas).toEqual(["Adding.", "It is 4", '{"a":2}', "ls"]);
    expect(replyOf(outcome).message.parts.map(({ type }) => type)).toEqual([
      "thinking",
      "text",
      "tool-call",
      "tool-call",
      "opaque",
    ]);
  });

  it("take items and late seals from the closing event (Azure)", () => {
    const bare = { ...sealedThought, encrypted_content: undefined };
    const outcome = run([
      created,
      added(0, thought),
      done(0, bare),
      {
        type: "response.completed",
        response: {
          status: "completed",
          output: [sealedThought, answer, { ...sealedThought, id: "rs_2" }],
        },
      },
    ]);
    const seals = replyOf(outcome).message.parts.map(
      (part) => part.seal?.data["encrypted_content"],
    );
    expect(seals).toEqual(["gAAAwhole", undefined, "gAAAwhole"]);
  });

  it("keep a seal that came in time", () => {
    const late = { ...sealedThought, encrypted_content: "other" };
    const response = { status: "completed", output: [late] };
    const outcome = run([done(0, sealedThought), { type: "response.completed", response }]);
    expect(replyOf(outcome).message.parts[0]?.seal?.data["encrypted_content"]).toBe("gAAAwhole");
  });

  it("place events without output_index by the item's id", () => {
    const outcome = run([
      { type: "response.output_item.added", item: message },
      { type: "response.output_text.delta", item_id: "msg_1", delta: "It" },
      { type: "response.output_item.done", item: answer },
      completed,
    ]);
    expect(replyOf(outcome).message.parts).toMatchObject([{ text: "It is 4" }]);
  });

  it("make an id for a call without one and flag it", () => {
    const nameless = { type: "function_call", arguments: "{}" };
    const { message: read } = replyOf(run([added(0, nameless), done(0, nameless), completed]));
    expect(read.parts).toEqual([
      { type: "tool-call", id: "made-here", name: "", input: {}, localId: true },
    ]);
  });

  it("take what was never closed as whole once the answer is over, calls excepted", () => {
    const outcome = run([
      ...turn.slice(0, 4),
      ...turn.slice(5, 10),
      ...turn.slice(11, 14),
      completed,
    ]);
    expect(replyOf(outcome).message.parts).toEqual([
      { type: "thinking", text: "Adding.", visibility: "summary", startedAt: 1000, durationMs: 0 },
      { type: "text", text: "It is 4" },
      expect.objectContaining({ type: "tool-call", id: "call_1", cut: true, send: false }),
    ]);
    expect(outcome.events.filter(({ type }) => type === "part")).toHaveLength(3);
  });

  it("finish as incomplete with the reason", () => {
    const response = { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } };
    const outcome = run([created, { type: "response.incomplete", response }]);
    expect(replyOf(outcome).finish).toEqual({
      reason: "length",
      raw: "incomplete",
      note: "max_output_tokens",
    });
  });
});

import { describe, expect, test } from "vitest";
import type { Reply, StreamEvent } from "../../types/event.ts";
import type { JsonObject } from "../../types/json.ts";
import type { AssistantPart, WireId } from "../../types/message.ts";
import { mirrors } from "../mirrors.ts";
import {
  contextOf,
  decode,
  eventsOf,
  originOf,
  replyIn,
  serving,
} from "../../../../../test/wires/event-streams.ts";
import { replyDecoders } from "../reply-decoders.ts";

const live = (wire: WireId, part: AssistantPart, more: Partial<Reply> = {}): Reply => {
  const reply: Reply = {
    message: { role: "assistant", parts: [part] },
    finish: { reason: "stop" },
    usage: { input: 1, output: 1 },
    ...more,
  };
  const { write } = mirrors[wire].openStream(serving());
  return replyIn(
    decode(
      wire,
      eventsOf(reply, 2).flatMap((event) => write(event)),
    ),
  );
};

describe("R155 what only one wire has", () => {
  test("Anthropic: signature and citations behind the text they belong to", () => {
    const wire = "anthropic-messages";
    const sealed: AssistantPart = {
      type: "thinking",
      text: "Hm, yes.",
      visibility: "full",
      seal: { origin: originOf(wire), data: { signature: "sig" } },
    };
    expect(live(wire, sealed).message.parts).toMatchObject([sealed]);
    const cited: AssistantPart = {
      type: "text",
      text: "So they say.",
      extra: { wire, fields: { citations: [{ title: "a" }] } },
    };
    expect(live(wire, cited).message.parts).toEqual([cited]);
    const told = live(wire, cited, { metadata: { diagnostics: { a: 1 }, container: { id: "c" } } });
    expect(told.metadata).toEqual({ diagnostics: { a: 1 }, container: { id: "c" } });
  });

  test("Google: a signature behind streamed text stands on an empty part", () => {
    const wire = "google-generate";
    const seal = { origin: originOf(wire), data: { thoughtSignature: "sig" } };
    expect(live(wire, { type: "text", text: "Yes.", seal }).message.parts).toEqual([
      { type: "text", text: "Yes." },
      { type: "text", text: "", seal },
    ]);
  });

  test("Responses: encrypted content comes with the item, streamed or not", () => {
    const wire = "openai-responses";
    const data = { id: "rs_1", encrypted_content: "seal", summary: [] };
    const seal = { origin: originOf(wire), data };
    const shown = live(wire, { type: "thinking", text: "Hm, yes.", visibility: "full", seal });
    expect(shown.message.parts[0]?.seal?.data["encrypted_content"]).toBe("seal");
    const hidden: AssistantPart = { type: "thinking", text: "", visibility: "hidden", seal };
    expect(live(wire, hidden).message.parts[0]?.seal?.data).toMatchObject(data);
  });

  test("Responses: summary and content are numbered apart, and items need no id", () => {
    const wire = "openai-responses";
    const data = {
      id: "rs_1",
      summary: [
        { type: "summary_text", text: "A" },
        { type: "summary_text", text: "B" },
      ],
      content: [{ type: "reasoning_text", text: "C" }],
    };
    const item = { type: "compaction", encrypted_content: "x" };
    const parts: readonly AssistantPart[] = [
      { type: "thinking", text: "C", visibility: "full", seal: { origin: originOf(wire), data } },
      { type: "opaque", wire, kind: "compaction", data: item },
    ];
    const reply: Reply = {
      message: { role: "assistant", parts },
      finish: { reason: "stop" },
      usage: {},
    };
    const frames = mirrors[wire]
      .encodeStream(reply, serving())
      .map(({ data: frame }) => JSON.parse(frame) as JsonObject);
    const deltas = frames.filter(({ delta }) => delta !== undefined);
    expect(deltas.map((frame) => [frame["summary_index"], frame["content_index"]])).toEqual([
      [0, undefined],
      [1, undefined],
      [undefined, 0],
    ]);
    expect(frames.findLast(({ type }) => type === "response.output_item.done")).toMatchObject({
      item,
    });
  });

  test("Responses: a refusal that is streamed before it is known stays a text", () => {
    const read = live("openai-responses", { type: "text", text: "No.", refusal: true });
    expect(read.message.parts).toMatchObject([{ type: "text", text: "No." }]);
    expect(read.message.parts[0]).not.toHaveProperty("refusal");
  });

  test.each(["openai-chat", "openai-responses"] as const)(
    "%s: the finish tells it then",
    (wire) => {
      const finish = { reason: "refusal" } as const;
      const text = { type: "text", text: "No." } as const;
      expect(live(wire, text, { finish }).finish.reason).toBe("content-filter");
      const reply = (part: AssistantPart): Reply => ({
        message: { role: "assistant", parts: [part] },
        finish,
        usage: {},
      });
      const whole = (part: AssistantPart): Reply =>
        replyDecoders[wire](mirrors[wire].encodeReply(reply(part), serving()), contextOf(wire));
      expect(whole(text).finish.reason).toBe("content-filter");
      expect(whole({ ...text, refusal: true }).finish.reason).toBe("refusal");
    },
  );

  test("Chat: details beside a thought say all of it", () => {
    const wire = "openai-chat";
    const details = [{ type: "reasoning.text", text: "Hm." }];
    const data = { field: "reasoning_details", reasoning_details: details };
    const part: AssistantPart = {
      type: "thinking",
      text: "Hm.",
      visibility: "full",
      seal: { origin: originOf(wire), data },
    };
    const reply: Reply = {
      message: { role: "assistant", parts: [part] },
      finish: { reason: "stop" },
      usage: {},
    };
    const frames = mirrors[wire].encodeStream(reply, serving());
    expect(frames.filter(({ data: frame }) => frame.includes("Hm."))).toHaveLength(1);
    expect(replyIn(decode(wire, frames)).message.parts).toMatchObject([part]);
  });

  test("Google: a call whose arguments are no object keeps no text", () => {
    const text =
      '{"contents":[{"role":"model","parts":[{"functionCall":{"name":"f","args":"1.0"}}]}]}';
    const body = JSON.parse(text) as JsonObject;
    const path = "/v1beta/models/m:generateContent";
    const { messages } = mirrors["google-generate"].decodeRequest({
      path,
      headers: {},
      body,
      text,
    });
    expect(messages[0]?.parts[0]).not.toHaveProperty("inputText");
  });

  test("Chat: what is said about the whole answer comes with its end", () => {
    const said = { service_tier: "flex" };
    const read = live("openai-chat", { type: "text", text: "Yes." }, { metadata: said });
    expect(read.metadata).toMatchObject(said);
  });

  test.each(["openai-chat", "openai-responses"] as const)("%s: custom tools get text", (wire) => {
    const fields = { type: "custom", name: "shell", custom: { name: "shell" } };
    const request = {
      model: "m",
      messages: [],
      thinking: { type: "default" },
      show: false,
      stream: true,
      tools: [{ name: "look", inputSchema: {} }, { vendor: { wire, fields } }],
    } as const;
    const part: AssistantPart = { type: "tool-call", id: "c", name: "shell", input: "ls -l" };
    const { write } = mirrors[wire].openStream({ ...serving(), request });
    const reply: Reply = {
      message: { role: "assistant", parts: [part] },
      finish: { reason: "tool-calls" },
      usage: {},
    };
    const events: readonly StreamEvent[] = [
      { type: "tool-call", index: 0, id: "c", name: "shell" },
      { type: "tool-input", index: 0, delta: "ls -l" },
      { type: "part", index: 0, part },
      { type: "finish", reply },
    ];
    const read = replyIn(
      decode(
        wire,
        events.flatMap((event) => write(event)),
      ),
    );
    expect(read.message.parts).toMatchObject([part]);
  });
});

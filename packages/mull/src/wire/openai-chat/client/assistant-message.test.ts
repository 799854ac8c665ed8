import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../types/json.ts";
import type { AssistantPart, Message, ThinkingPart } from "../../../types/message.ts";
import type { Model } from "../../../types/model.ts";
import { openaiChat } from "../index.ts";
import { openServer } from "../testing/models.ts";

const origin = { wire: "openai-chat", provider: "acme", model: "m" } as const;

const write = (parts: readonly AssistantPart[], row: Partial<Model> = {}): unknown => {
  const messages: readonly Message[] = [{ role: "assistant", parts }];
  const { body } = openaiChat.encode(
    { model: "m", messages, thinking: { type: "default" }, show: "auto", stream: false },
    { model: { ...openServer, ...row } },
  );
  return (body["messages"] as readonly JsonObject[])[0];
};

const thought = (text: string, data: JsonObject): ThinkingPart => ({
  type: "thinking",
  text,
  visibility: "full",
  seal: { origin, data },
});
const chunk = {
  type: "opaque",
  wire: "openai-chat",
  kind: "image_url",
  data: { type: "x" },
} as const;

const isAsked = (parts: readonly AssistantPart[], row: Partial<Model>): boolean =>
  Object.hasOwn(write(parts, row) as object, "reasoning_content");

describe("an answer on Chat Completions", () => {
  it("D16: what is not sent, empty or a refusal makes no block", () => {
    const written = write([
      { type: "text", text: "a" },
      { type: "text", text: "never", send: false },
      { type: "text", text: "" },
      chunk,
      { type: "text", text: "no", refusal: true },
      { type: "text", text: "b" },
    ]);
    expect(written).toEqual({
      role: "assistant",
      content: [{ type: "text", text: "a" }, { type: "x" }, { type: "text", text: "b" }],
      refusal: "no",
    });
  });

  it("P-E6: thoughts of one name are one text, other names stay apart", () => {
    const parts = [
      thought("a", { field: "reasoning" }),
      thought("b", { field: "reasoning_content" }),
      thought("c", { field: "reasoning" }),
      thought("kept beside", { field: "details", details: [{ id: "1" }] }),
      thought("", { field: "details", details: [{ id: "1" }, { id: "2" }] }),
    ];
    expect(write(parts)).toEqual({
      role: "assistant",
      content: "",
      reasoning: "ac",
      reasoning_content: "b",
      details: [{ id: "1" }, { id: "2" }],
    });
  });

  it("F-S11: a field called __proto__ stays a field", () => {
    const data = JSON.parse('{"field":"__proto__","message":{"__proto__":1}}') as JsonObject;
    const written = write([thought("a", data), { type: "text", text: "b" }]) as object;
    expect(Object.getPrototypeOf(written)).toBe(Object.prototype);
    expect(Object.entries(written)).toEqual([
      ["role", "assistant"],
      ["content", "b"],
      ["__proto__", 1],
    ]);
  });

  it("P-E6: a model that insists on thinking gets the field even where there was none", () => {
    const call = { type: "tool-call", id: "c", name: "f", input: {} } as const;
    expect(isAsked([chunk], { replay: "required" })).toBe(true);
    expect(isAsked([call], { replay: "tool-calls" })).toBe(true);
    expect(isAsked([{ ...call, send: false }, chunk], { replay: "tool-calls" })).toBe(false);
    expect(isAsked([chunk], { replay: "optional" })).toBe(false);
  });
});

import { describe, expect, it } from "vitest";
import { isJsonObject, type JsonObject } from "../../../types/json.ts";
import type { Quirks } from "../../../types/quirks.ts";
import { readRecordings } from "../../../../../../test/recordings.ts";
import { openaiChat } from "../index.ts";
import { openaiChatMirror } from "../service/mirror.ts";
import { openServer } from "../testing/models.ts";

const accepted = readRecordings("openai-chat").filter(({ response }) => response.status < 300);

/** The server as the recorded client spelled it. */
const quirksOf = (body: JsonObject): Quirks => ({
  systemRole: "system",
  capField: "max_tokens" in body ? "max_tokens" : "max_completion_tokens",
  knob: ["reasoning", "thinking", "enable_thinking"].some((name) => name in body)
    ? "none"
    : "reasoning_effort",
  omitStreamUsage: !("stream_options" in body),
  topK: true,
  toolImages: true,
});

/** `null` and absent, empty text and no text are the same to every server. */
const isNothing = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === "" ||
  (Array.isArray(value) && value.length === 0);

const textOf = (block: { readonly text?: string }): string => block.text ?? "";

/** One text block is a string; neighbouring plain texts are one text; an empty text is none. */
function normaliseContent(content: unknown): unknown {
  if (!Array.isArray(content)) return isNothing(content) ? null : content;
  const isPlain = content.every(
    (block) => isJsonObject(block) && block["type"] === "text" && Object.keys(block).length === 2,
  );
  return isPlain
    ? content.map(textOf).join("") || null
    : content.map(normaliseImage).map(normaliseThinking);
}

/** Mistral takes the bare address and the object that everybody takes. */
const normaliseImage = (block: JsonObject): JsonObject =>
  typeof block["image_url"] === "string"
    ? { ...block, image_url: { url: block["image_url"] } }
    : block;

/** Thinking chunks go back closed, with their texts as one. */
const normaliseThinking = (block: JsonObject): JsonObject => {
  const inner = block["thinking"];
  if (block["type"] !== "thinking" || !Array.isArray(inner)) return block;
  const text = inner.map(textOf).join("");
  return { ...block, thinking: [{ type: "text", text }], closed: true };
};

/** Arguments are compared as values, `index` is no field of a request, `function` is the default type. */
const normaliseCall = (call: JsonObject): JsonObject => {
  const { index: _index, function: body, ...rest } = call;
  const { name, arguments: args } = body as { name: string; arguments: string };
  return {
    type: "function",
    ...rest,
    function: { name, arguments: JSON.parse(args || "{}") ?? {} },
  };
};

function normaliseMessage(message: JsonObject): JsonObject {
  const { role, content, tool_calls: calls, name: _name, ...rest } = message;
  const kept = Object.entries(rest).filter(
    ([key, value]) =>
      // Some clients send the same thinking under two names.
      !isNothing(value) && !(key === "reasoning" && value === rest["reasoning_content"]),
  );
  return {
    // `developer` is the newer word for `system`.
    role: role === "developer" ? "system" : role,
    content: normaliseContent(content),
    ...(Array.isArray(calls) && calls.length > 0 && { tool_calls: calls.map(normaliseCall) }),
    ...Object.fromEntries(kept),
  } as JsonObject;
}

function normalise(body: JsonObject): JsonObject {
  const { messages, tools, stop, stream, ...rest } = body;
  const kept = Object.entries(rest).filter(([, value]) => !isNothing(value));
  const list = (messages as readonly JsonObject[]).map(normaliseMessage);
  return {
    ...Object.fromEntries(kept),
    // A message that says nothing is not sent.
    messages: list.filter(
      (message) => Object.values(message).filter((value) => value !== null).length > 1,
    ),
    ...(Array.isArray(tools) &&
      tools.length > 0 && {
        tools: tools.map((tool: JsonObject) => ({ type: "function", ...tool })),
      }),
    ...(!isNothing(stop) && { stop: typeof stop === "string" ? [stop] : stop }),
    // `false` is the default.
    ...(stream === true && { stream }),
  };
}

describe("recorded requests", () => {
  it("what a service accepted is read and written again without loss", () => {
    for (const { id, request } of accepted) {
      if (!request.body) continue;
      const read = openaiChatMirror.decodeRequest({
        path: "/chat/completions",
        headers: {},
        body: request.body,
      });
      const { body } = openaiChat.encode(read, {
        model: openServer,
        quirks: quirksOf(request.body),
      });
      expect({ id, ...normalise(body) }).toEqual({ id, ...normalise(request.body) });
    }
  });
});

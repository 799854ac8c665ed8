import type { JsonObject, JsonValue, WireId } from "mull";

import { valuesOf } from "./witness.ts";

/**
 * An answer as it stands in the body, read without mull's readers: what they make of it is
 * compared with this.
 */
export interface RawAnswer {
  readonly textPieces: readonly string[];
  readonly thinkingPieces: readonly string[];
  readonly calls: readonly {
    readonly id?: string;
    readonly name: string;
    readonly input: unknown;
  }[];
  readonly usage: {
    readonly input: number;
    readonly output: number;
    readonly thinking: number | undefined;
    readonly total: number;
  };
}

const object = (value: JsonValue | undefined): JsonObject => (value ?? {}) as JsonObject;
const list = (value: JsonValue | undefined): readonly JsonObject[] =>
  (value ?? []) as readonly JsonObject[];
const text = (value: JsonValue | undefined): string => (typeof value === "string" ? value : "");
const count = (value: JsonValue | undefined): number => (typeof value === "number" ? value : 0);
const pieces = (values: readonly string[]): readonly string[] =>
  values.filter((value) => value !== "");

const call = (id: JsonValue | undefined, name: JsonValue | undefined, input: unknown) => ({
  ...(typeof id === "string" && { id }),
  name: text(name),
  input,
});

const google = (values: readonly JsonObject[]): RawAnswer => {
  const parts = values
    .flatMap((value) => list(value["candidates"]))
    .flatMap((candidate) => list(object(candidate["content"])["parts"]));
  const usage = object(values.at(-1)?.["usageMetadata"]);
  return {
    textPieces: pieces(parts.map((part) => (part["thought"] === true ? "" : text(part["text"])))),
    thinkingPieces: pieces(
      parts.map((part) => (part["thought"] === true ? text(part["text"]) : "")),
    ),
    calls: parts
      .flatMap((part) => (part["functionCall"] === undefined ? [] : [object(part["functionCall"])]))
      .map((made) => call(made["id"], made["name"], made["args"])),
    usage: {
      input: count(usage["promptTokenCount"]) - count(usage["cachedContentTokenCount"]),
      output: count(usage["candidatesTokenCount"]),
      thinking: usage["thoughtsTokenCount"] as number | undefined,
      total: count(usage["totalTokenCount"]),
    },
  };
};

const anthropicUsage = (usage: JsonObject): RawAnswer["usage"] => {
  const thinking = object(usage["output_tokens_details"])["thinking_tokens"] as number | undefined;
  const input = count(usage["input_tokens"]);
  const output = count(usage["output_tokens"]);
  return { input, output: output - (thinking ?? 0), thinking, total: input + output };
};

const anthropicWhole = (body: JsonObject): RawAnswer => {
  const blocks = list(body["content"]);
  return {
    textPieces: pieces(blocks.map((block) => text(block["text"]))),
    thinkingPieces: pieces(blocks.map((block) => text(block["thinking"]))),
    calls: blocks
      .filter((block) => block["type"] === "tool_use")
      .map((block) => call(block["id"], block["name"], block["input"])),
    usage: anthropicUsage(object(body["usage"])),
  };
};

const anthropicStream = (events: readonly JsonObject[]): RawAnswer => {
  const deltas = events.map((event) => ({ ...object(event["delta"]), index: event["index"] }));
  const usage = events.reduce<JsonObject>(
    (known, event) => ({
      ...known,
      ...object(object(event["message"])["usage"]),
      ...object(event["usage"]),
    }),
    {},
  );
  const argumentsOf = (index: JsonValue | undefined): unknown =>
    JSON.parse(
      deltas
        .filter((delta) => delta["index"] === index)
        .map((delta) => text((delta as JsonObject)["partial_json"]))
        .join("") || "{}",
    );
  return {
    textPieces: pieces(deltas.map((delta) => text((delta as JsonObject)["text"]))),
    thinkingPieces: pieces(deltas.map((delta) => text((delta as JsonObject)["thinking"]))),
    calls: events
      .filter((event) => object(event["content_block"])["type"] === "tool_use")
      .map((event) => {
        const block = object(event["content_block"]);
        return call(block["id"], block["name"], argumentsOf(event["index"]));
      }),
    usage: anthropicUsage(usage),
  };
};

const responsesWhole = (body: JsonObject): RawAnswer => {
  const items = list(body["output"]);
  const usage = object(body["usage"]);
  const thinking = object(usage["output_tokens_details"])["reasoning_tokens"] as number | undefined;
  return {
    textPieces: pieces(
      items.flatMap((item) => list(item["content"])).map((content) => text(content["text"])),
    ),
    thinkingPieces: pieces(
      items.flatMap((item) => list(item["summary"])).map((summary) => text(summary["text"])),
    ),
    calls: items
      .filter((item) => item["type"] === "function_call")
      .map((item) => call(item["call_id"], item["name"], JSON.parse(text(item["arguments"])))),
    usage: {
      input: count(usage["input_tokens"]),
      output: count(usage["output_tokens"]) - (thinking ?? 0),
      thinking,
      total: count(usage["total_tokens"]),
    },
  };
};

const responsesStream = (events: readonly JsonObject[]): RawAnswer => {
  const deltasOf = (type: string): readonly string[] =>
    pieces(events.filter((event) => event["type"] === type).map((event) => text(event["delta"])));
  const completed = events.find((event) => event["type"] === "response.completed");
  return {
    ...responsesWhole(object(completed?.["response"])),
    textPieces: deltasOf("response.output_text.delta"),
    thinkingPieces: deltasOf("response.reasoning_summary_text.delta"),
  };
};

const chat = (values: readonly JsonObject[]): RawAnswer => {
  const messages = values
    .flatMap((value) => list(value["choices"]))
    .map((choice) => object(choice["message"] ?? choice["delta"]));
  const calls = new Map<JsonValue | undefined, { id: string; name: string; raw: string }>();
  for (const made of messages.flatMap((message) => list(message["tool_calls"]))) {
    const key = made["index"] ?? made["id"];
    const known = calls.get(key) ?? { id: "", name: "", raw: "" };
    const called = object(made["function"]);
    calls.set(key, {
      id: known.id || text(made["id"]),
      name: known.name || text(called["name"]),
      raw: known.raw + text(called["arguments"]),
    });
  }
  const usage = object(values.findLast((value) => value["usage"] != null)?.["usage"]);
  const details = object(usage["completion_tokens_details"]);
  const thinking = details["reasoning_tokens"] as number | undefined;
  return {
    textPieces: pieces(messages.map((message) => text(message["content"]))),
    thinkingPieces: pieces(messages.map((message) => text(message["reasoning_content"]))),
    calls: [...calls.values()].map(({ id, name, raw }) => call(id, name, JSON.parse(raw))),
    usage: {
      input: count(usage["prompt_tokens"]),
      output: count(usage["completion_tokens"]) - (thinking ?? 0),
      thinking,
      total: count(usage["total_tokens"]),
    },
  };
};

/** Reads a recorded body, whole or streamed. */
export const readRaw = (wire: WireId, body: string, isStreamed: boolean): RawAnswer => {
  const values = isStreamed ? valuesOf(body) : [JSON.parse(body) as JsonObject];
  switch (wire) {
    case "google-generate":
      return google(values);
    case "openai-chat":
      return chat(values);
    case "anthropic-messages":
      return isStreamed ? anthropicStream(values) : anthropicWhole(object(values[0]));
    case "openai-responses":
      return isStreamed ? responsesStream(values) : responsesWhole(object(values[0]));
    default:
      return wire satisfies never;
  }
};

import type { JsonObject, JsonValue, WireId } from "mull";
import { isJsonObject } from "mull/wire";

import { post } from "./wires.ts";

/** A client that returns what it was sent, as raw JSON, with the losses of a real one. */
export interface RawClient {
  readonly ask: (text: string) => void;
  /** The next request. */
  readonly request: () => Request;
  /** Takes an answer and returns the calls in it. */
  readonly take: (answer: JsonObject) => readonly RawCall[];
  readonly answer: (results: readonly string[]) => void;
  /** Starts again from what it wrote to its disk. */
  readonly resume: () => void;
}

interface RawCall {
  readonly id: string | undefined;
  readonly name: string;
}

/** What a real client does to what it was sent. */
export interface Habits {
  /** On the way back inside a running loop. */
  readonly loop?: (item: JsonObject) => JsonObject | undefined;
  /** After it was started again. */
  readonly resume?: (item: JsonObject) => JsonObject | undefined;
  /** The same for what it sent itself. */
  readonly resumeOwn?: (item: JsonObject) => JsonObject;
}

const list = (value: JsonValue | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : [];
const object = (value: JsonValue | undefined): JsonObject => (isJsonObject(value) ? value : {});
const text = (value: JsonValue | undefined): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;

const nameOf = ({ name }: JsonObject): string => text(name) ?? "";

const schema: JsonObject = { type: "object", properties: { city: { type: "string" } } };
const toolNames = ["weather", "clock"];

/** What differs between the wires: where a conversation stands, and what its pieces look like. */
interface Form {
  readonly path: (model: string) => string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: (model: string, conversation: readonly JsonObject[]) => JsonObject;
  readonly question: (words: string) => JsonObject;
  /** The items of an answer, as they go back. */
  readonly items: (answer: JsonObject) => readonly JsonObject[];
  /** Several items stand in one message. */
  readonly wrap: (items: readonly JsonObject[]) => readonly JsonObject[];
  readonly calls: (items: readonly JsonObject[]) => readonly RawCall[];
  readonly results: (
    calls: readonly RawCall[],
    results: readonly string[],
  ) => readonly JsonObject[];
}

const forms: Readonly<Record<WireId, Form>> = {
  "anthropic-messages": {
    path: () => "/v1/messages",
    headers: { "anthropic-version": "2023-06-01" },
    body: (model, messages) => ({
      model,
      max_tokens: 16_000,
      thinking: { type: "adaptive" },
      output_config: { effort: "high" },
      messages,
      tools: toolNames.map((name) => ({ name, description: name, input_schema: schema })),
    }),
    question: (content) => ({ role: "user", content }),
    items: (answer) => list(answer["content"]),
    wrap: (content) => [{ role: "assistant", content }],
    calls: (items) =>
      items.flatMap((item) =>
        item["type"] === "tool_use" ? [{ id: text(item["id"]), name: nameOf(item) }] : [],
      ),
    results: (calls, results) => [
      {
        role: "user",
        content: calls.map(({ id }, at) => ({
          type: "tool_result",
          tool_use_id: id,
          content: results[at] ?? "",
        })),
      },
    ],
  },
  "openai-responses": {
    path: () => "/v1/responses",
    body: (model, input) => ({
      model,
      store: false,
      include: ["reasoning.encrypted_content"],
      reasoning: { effort: "high", summary: "auto" },
      input,
      tools: toolNames.map((name) => ({
        type: "function",
        name,
        description: name,
        parameters: schema,
        strict: false,
      })),
    }),
    question: (content) => ({ type: "message", role: "user", content }),
    items: (answer) => list(answer["output"]),
    wrap: (items) => items,
    calls: (items) =>
      items.flatMap((item) =>
        item["type"] === "function_call" ? [{ id: text(item["call_id"]), name: nameOf(item) }] : [],
      ),
    results: (calls, results) =>
      calls.map(({ id }, at) => ({
        type: "function_call_output",
        call_id: id,
        output: results[at] ?? "",
      })),
  },
  "openai-chat": {
    path: () => "/v1/chat/completions",
    body: (model, messages) => ({
      model,
      reasoning_effort: "high",
      messages,
      tools: toolNames.map((name) => ({
        type: "function",
        function: { name, description: name, parameters: schema },
      })),
    }),
    question: (content) => ({ role: "user", content }),
    items: (answer) => [object(object(list(answer["choices"])[0])["message"])],
    wrap: (items) => items,
    calls: (items) =>
      items.flatMap((item) =>
        list(item["tool_calls"]).map((call) => ({
          id: text(call["id"]),
          name: nameOf(object(call["function"])),
        })),
      ),
    results: (calls, results) =>
      calls.map(({ id }, at) => ({
        role: "tool",
        tool_call_id: id,
        content: results[at] ?? "",
      })),
  },
  "google-generate": {
    path: (model) => `/v1beta/models/${model}:generateContent`,
    body: (_, contents) => ({
      contents,
      generationConfig: { thinkingConfig: { thinkingLevel: "HIGH", includeThoughts: true } },
      tools: [
        {
          functionDeclarations: toolNames.map((name) => ({
            name,
            description: name,
            parametersJsonSchema: schema,
          })),
        },
      ],
    }),
    question: (words) => ({ role: "user", parts: [{ text: words }] }),
    items: (answer) => list(object(list(answer["candidates"])[0]?.["content"])["parts"]),
    wrap: (parts) => [{ role: "model", parts }],
    calls: (items) =>
      items.flatMap(({ functionCall }) =>
        isJsonObject(functionCall)
          ? [{ id: text(functionCall["id"]), name: nameOf(functionCall) }]
          : [],
      ),
    results: (calls, results) => [
      {
        role: "user",
        parts: calls.map(({ id, name }, at) => ({
          functionResponse: {
            ...(id !== undefined && { id }),
            name,
            response: { output: results[at] ?? "" },
          },
        })),
      },
    ],
  },
};

/** Opens a client of a wire that asks for this model and keeps what `habits` let it keep. */
export function openRawClient(wire: WireId, model: string, habits: Habits = {}): RawClient {
  const form = forms[wire];
  const turns: (readonly JsonObject[])[] = [];
  const answers: number[] = [];
  let open: readonly RawCall[] = [];
  const keep = (
    items: readonly JsonObject[],
    way: Habits["loop"] = (item) => item,
  ): readonly JsonObject[] => items.map(way).filter((item) => item !== undefined);
  return {
    ask: (words) => void turns.push([form.question(words)]),
    request: () => {
      const conversation = turns.flatMap((items, at) =>
        answers.includes(at) ? form.wrap(items) : items,
      );
      return post(form.path(model), form.body(model, conversation), form.headers);
    },
    take: (answer) => {
      const items = form.items(answer);
      const kept = keep(items, habits.loop);
      answers.push(turns.length);
      turns.push(kept);
      open = form.calls(kept);
      return open;
    },
    answer: (results) => void turns.push(...form.results(open, results).map((item) => [item])),
    resume: () => {
      for (const [at, items] of turns.entries())
        turns[at] = keep(items, answers.includes(at) ? habits.resume : habits.resumeOwn);
    },
  };
}

import type { WireId } from "mull";

/** How much of each kind an answer streams, in deltas. */
export interface StreamShape {
  readonly thinking: number;
  readonly text: number;
  readonly input: number;
}

/** Characters that a reader must have seen in the end. */
export interface Tally {
  readonly thinking: number;
  readonly text: number;
  readonly input: number;
}

export interface RecordedStream {
  readonly wire: WireId;
  readonly bytes: Uint8Array;
  /** Where each event ends in the bytes. */
  readonly ends: readonly number[];
  readonly events: number;
  readonly tally: Tally;
}

const words = [
  " the",
  " model",
  " weighs",
  ' "both"',
  " sides,",
  "\n\n",
  " then",
  " decides",
  " — slowly",
  " 3.14",
  " and",
  " writes",
  " it",
  " down.",
  " naïve",
  " tokens",
];

const pieces = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => words[(at * 7 + (at >> 4)) % words.length]!);

/** A JSON object whose text comes in `count` pieces. */
function inputPieces(count: number): readonly string[] {
  if (count === 0) return [];
  const inner = pieces(Math.max(0, count - 2)).map((word) => JSON.stringify(word).slice(1, -1));
  return ['{"note":"', ...inner, '"}'];
}

interface Spoken {
  readonly thinking: readonly string[];
  readonly text: readonly string[];
  readonly input: readonly string[];
}

const named = (frame: { readonly type: string }): string =>
  `event: ${frame.type}\ndata: ${JSON.stringify(frame)}\n\n`;
const unnamed = (frame: object, end = "\n\n"): string => `data: ${JSON.stringify(frame)}${end}`;

function anthropicFrames(said: Spoken): readonly string[] {
  const block = (index: number, start: object, deltas: readonly object[]): readonly string[] => [
    named({ type: "content_block_start", index, content_block: start } as { type: string }),
    ...deltas.map((delta) =>
      named({ type: "content_block_delta", index, delta } as { type: string }),
    ),
    named({ type: "content_block_stop", index } as { type: string }),
  ];
  const usage = { input_tokens: 25, output_tokens: 1 };
  const message = {
    id: "msg_01bench",
    type: "message",
    role: "assistant",
    model: "claude-opus-5-5",
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage,
  };
  return [
    named({ type: "message_start", message } as { type: string }),
    named({ type: "ping" }),
    ...block(0, { type: "thinking", thinking: "", signature: "" }, [
      ...said.thinking.map((thinking) => ({ type: "thinking_delta", thinking })),
      { type: "signature_delta", signature: "RXFRQkNrWUlDeEFD" },
    ]),
    ...block(
      1,
      { type: "text", text: "" },
      said.text.map((text) => ({ type: "text_delta", text })),
    ),
    ...(said.input.length === 0
      ? []
      : block(
          2,
          { type: "tool_use", id: "toolu_01bench", name: "note", input: {} },
          said.input.map((partial_json) => ({ type: "input_json_delta", partial_json })),
        )),
    named({
      type: "message_delta",
      delta: { stop_reason: said.input.length === 0 ? "end_turn" : "tool_use" },
      usage: { output_tokens: 900 },
    } as { type: string }),
    named({ type: "message_stop" }),
  ];
}

const openaiResponse = (
  status: string,
  output: readonly object[],
  usage: object | null,
): object => ({
  response: {
    id: "resp_bench",
    object: "response",
    created_at: 1_790_000_000,
    status,
    model: "gpt-5.5",
    output,
    parallel_tool_calls: true,
    reasoning: { effort: "high", summary: "auto" },
    tool_choice: "auto",
    tools: [],
    usage,
  },
});

const join = (parts: readonly string[]): string => parts.join("");

const padding = (at: number): object => ({ obfuscation: "Zk3Q9vTq1aXcL8".slice(at % 9) });

function responsesFrames(said: Spoken): readonly string[] {
  let sequence_number = 0;
  const frame = (type: string, fields: object): string =>
    named({ type, sequence_number: sequence_number++, ...fields } as { type: string });
  const summary = { type: "summary_text", text: join(said.thinking) };
  const content = { type: "output_text", annotations: [], logprobs: [], text: join(said.text) };
  const reasoning = { id: "rs_bench", type: "reasoning", summary: [summary] };
  const message = {
    id: "msg_bench",
    type: "message",
    status: "completed",
    content: [content],
    role: "assistant",
  };
  const call = {
    id: "fc_bench",
    type: "function_call",
    status: "completed",
    arguments: join(said.input),
    call_id: "call_bench",
    name: "note",
  };
  const usage = {
    input_tokens: 25,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 900,
    output_tokens_details: { reasoning_tokens: 400 },
    total_tokens: 925,
  };
  const thought = { item_id: "rs_bench", output_index: 0, summary_index: 0 };
  const spoken = { item_id: "msg_bench", output_index: 1, content_index: 0 };
  const asked = { item_id: "fc_bench", output_index: 2 };
  return [
    frame("response.created", openaiResponse("in_progress", [], null)),
    frame("response.in_progress", openaiResponse("in_progress", [], null)),
    frame("response.output_item.added", { output_index: 0, item: { ...reasoning, summary: [] } }),
    frame("response.reasoning_summary_part.added", { ...thought, part: { ...summary, text: "" } }),
    ...said.thinking.map((delta, at) =>
      frame("response.reasoning_summary_text.delta", { ...thought, delta, ...padding(at) }),
    ),
    frame("response.reasoning_summary_text.done", { ...thought, text: summary.text }),
    frame("response.reasoning_summary_part.done", { ...thought, part: summary }),
    frame("response.output_item.done", { output_index: 0, item: reasoning }),
    frame("response.output_item.added", {
      output_index: 1,
      item: { ...message, status: "in_progress", content: [] },
    }),
    frame("response.content_part.added", { ...spoken, part: { ...content, text: "" } }),
    ...said.text.map((delta, at) =>
      frame("response.output_text.delta", { ...spoken, delta, logprobs: [], ...padding(at) }),
    ),
    frame("response.output_text.done", { ...spoken, text: content.text, logprobs: [] }),
    frame("response.content_part.done", { ...spoken, part: content }),
    frame("response.output_item.done", { output_index: 1, item: message }),
    frame("response.output_item.added", {
      output_index: 2,
      item: { ...call, status: "in_progress", arguments: "" },
    }),
    ...said.input.map((delta, at) =>
      frame("response.function_call_arguments.delta", { ...asked, delta, ...padding(at) }),
    ),
    frame("response.function_call_arguments.done", { ...asked, arguments: call.arguments }),
    frame("response.output_item.done", { output_index: 2, item: call }),
    frame("response.completed", openaiResponse("completed", [reasoning, message, call], usage)),
  ];
}

const chatChunk = (delta: object, finish_reason: string | null, more: object = {}): string =>
  unnamed({
    id: "chatcmpl-bench",
    object: "chat.completion.chunk",
    created: 1_790_000_000,
    model: "deepseek-v4-pro",
    system_fingerprint: "fp_bench",
    choices: [{ index: 0, delta, logprobs: null, finish_reason }],
    ...more,
  });

function chatFrames(said: Spoken): readonly string[] {
  const call = { index: 0, id: "call_bench", type: "function" };
  const usage = {
    prompt_tokens: 25,
    completion_tokens: 900,
    total_tokens: 925,
    completion_tokens_details: { reasoning_tokens: 400 },
  };
  return [
    chatChunk({ role: "assistant", content: null, reasoning_content: "" }, null),
    ...said.thinking.map((word) => chatChunk({ content: null, reasoning_content: word }, null)),
    ...said.text.map((word) => chatChunk({ content: word, reasoning_content: null }, null)),
    chatChunk({ tool_calls: [{ ...call, function: { name: "note", arguments: "" } }] }, null),
    ...said.input.map((word) =>
      chatChunk({ tool_calls: [{ index: 0, function: { arguments: word } }] }, null),
    ),
    chatChunk({ content: "" }, "tool_calls", { usage }),
    "data: [DONE]\n\n",
  ];
}

/** Gemini sends arguments whole: one call with all of them. */
function googleFrames(said: Spoken): readonly string[] {
  let output = 0;
  const chunk = (part: object, more: object = {}): string =>
    unnamed(
      {
        candidates: [{ content: { parts: [part], role: "model" }, ...more, index: 0 }],
        usageMetadata: {
          promptTokenCount: 25,
          candidatesTokenCount: output++,
          totalTokenCount: 425 + output,
          promptTokensDetails: [{ modality: "TEXT", tokenCount: 25 }],
          thoughtsTokenCount: 400,
        },
        modelVersion: "gemini-3.8-flash",
        responseId: "bench",
      },
      "\r\n\r\n",
    );
  const input = said.input.join("");
  const args: unknown = input === "" ? undefined : JSON.parse(input);
  return [
    ...said.thinking.map((text) => chunk({ text, thought: true })),
    ...said.text.map((text) => chunk({ text })),
    ...(args === undefined ? [] : [chunk({ functionCall: { name: "note", args } })]),
    chunk({ text: "" }, { finishReason: "STOP" }),
  ];
}

const framesOf: Readonly<Record<WireId, (said: Spoken) => readonly string[]>> = {
  "anthropic-messages": anthropicFrames,
  "openai-responses": responsesFrames,
  "openai-chat": chatFrames,
  "google-generate": googleFrames,
};

const encoder = new TextEncoder();

const lengthOf = (parts: readonly string[]): number =>
  parts.reduce((sum, part) => sum + part.length, 0);

/** One streamed answer as the service of that wire sends it. */
export function makeStream(wire: WireId, shape: StreamShape): RecordedStream {
  const said = {
    thinking: pieces(shape.thinking),
    text: pieces(shape.text),
    input: inputPieces(shape.input),
  };
  const frames = framesOf[wire](said);
  let end = 0;
  return {
    wire,
    bytes: encoder.encode(frames.join("")),
    ends: frames.map((frame) => (end += encoder.encode(frame).length)),
    events: frames.length,
    tally: {
      thinking: lengthOf(said.thinking),
      text: lengthOf(said.text),
      input: lengthOf(said.input),
    },
  };
}

/** Bytes in a chunk, or one event as services flush it. */
export type ChunkSize = number | "event";

/** A body that hands the bytes out in such chunks, on demand. */
function bodyOf({ bytes, ends }: RecordedStream, size: ChunkSize): ReadableStream<Uint8Array> {
  let at = 0;
  let events = 0;
  return new ReadableStream(
    {
      pull(controller) {
        if (at >= bytes.length) return controller.close();
        const from = at;
        at = size === "event" ? ends[events++]! : at + size;
        // A copy, because a socket's chunk is nobody else's memory either.
        controller.enqueue(bytes.slice(from, at));
      },
    },
    { highWaterMark: 0 },
  );
}

/** The network: answers every request with the stream. */
export const fetchOf =
  (stream: RecordedStream, size: ChunkSize): (() => Promise<Response>) =>
  () =>
    Promise.resolve(
      new Response(bodyOf(stream, size), {
        headers: { "content-type": "text/event-stream" },
      }),
    );

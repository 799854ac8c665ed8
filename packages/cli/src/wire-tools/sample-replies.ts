import type { JsonObject, WireId } from "mull";

/** What a made-up answer holds: a thought with its seal, and text or calls. */
export interface Sample {
  readonly seal: string;
  readonly calls: number;
}

const thought = "The cities are far apart, so I look at each.";
const text = "Shall I look up the weather?";
const city = (call: number): JsonObject => ({ city: call === 0 ? "Paris" : "Oslo" });
const count = (calls: number): readonly number[] =>
  Array.from({ length: calls }, (_, call) => call);

/** Whole answers as the services write them, one writer a wire. */
export const sampleReplies: Readonly<Record<WireId, (sample: Sample) => JsonObject>> = {
  "anthropic-messages": ({ seal, calls }) => ({
    id: "msg_sample",
    type: "message",
    role: "assistant",
    model: "sample",
    content: [
      { type: "thinking", thinking: thought, signature: seal },
      ...(calls === 0 ? [{ type: "text", text }] : []),
      ...count(calls).map((call) => ({
        type: "tool_use",
        id: `toolu_sample${call}`,
        name: "weather",
        input: city(call),
      })),
    ],
    stop_reason: calls === 0 ? "end_turn" : "tool_use",
    stop_sequence: null,
    usage: { input_tokens: 20, output_tokens: 30 },
  }),
  "openai-responses": ({ seal, calls }) => ({
    id: "resp_sample",
    object: "response",
    status: "completed",
    model: "sample",
    output: [
      {
        type: "reasoning",
        id: "rs_sample",
        encrypted_content: seal,
        summary: [{ type: "summary_text", text: thought }],
      },
      ...(calls === 0
        ? [
            {
              type: "message",
              id: "msg_sample",
              status: "completed",
              role: "assistant",
              content: [{ type: "output_text", text, annotations: [] }],
            },
          ]
        : []),
      ...count(calls).map((call) => ({
        type: "function_call",
        id: `fc_sample${call}`,
        call_id: `call_sample${call}`,
        name: "weather",
        arguments: JSON.stringify(city(call)),
        status: "completed",
      })),
    ],
    usage: { input_tokens: 20, output_tokens: 30, total_tokens: 50 },
  }),
  "openai-chat": ({ calls }) => ({
    id: "chatcmpl-sample",
    object: "chat.completion",
    created: 0,
    model: "sample",
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: calls === 0 ? text : null,
          reasoning_content: thought,
          ...(calls > 0 && {
            tool_calls: count(calls).map((call) => ({
              id: `call_sample${call}`,
              type: "function",
              function: { name: "weather", arguments: JSON.stringify(city(call)) },
            })),
          }),
        },
        finish_reason: calls === 0 ? "stop" : "tool_calls",
      },
    ],
    usage: { prompt_tokens: 20, completion_tokens: 30, total_tokens: 50 },
  }),
  "google-generate": ({ seal, calls }) => ({
    candidates: [
      {
        content: {
          role: "model",
          parts: [
            { text: thought, thought: true },
            ...(calls === 0 ? [{ text, thoughtSignature: seal }] : []),
            // Only the first of parallel calls is signed.
            ...count(calls).map((call) => ({
              functionCall: { name: "weather", args: city(call), id: `sample${call}` },
              ...(call === 0 && { thoughtSignature: seal }),
            })),
          ],
        },
        finishReason: "STOP",
        index: 0,
      },
    ],
    usageMetadata: { promptTokenCount: 20, candidatesTokenCount: 30, totalTokenCount: 50 },
    modelVersion: "sample",
    responseId: "sample",
  }),
};

import type { JsonObject, JsonValue, Model, WireId } from "mull";
import type { Quirks } from "mull/wire";

/** What a made-up answer does beside thinking. `parallel` calls twice and says something first. */
export type SampleStep = "call" | "parallel" | "answer";

export interface SampleMaker {
  readonly model: Model;
  readonly quirks?: Quirks;
  /** In every seal, item id and thought of this model, so that they can be found again. */
  readonly tag: string;
}

interface Sample extends SampleMaker {
  readonly step: SampleStep;
  /** Tells the answers of one conversation apart. */
  readonly turn: number;
}

export const sampleTool = "get_weather";
const cities = ["Oslo", "Lima"] as const;

const callsOf = ({ step }: Sample): readonly string[] =>
  step === "answer" ? [] : step === "call" ? cities.slice(0, 1) : cities;

const saysOf = ({ step }: Sample): string | undefined =>
  step === "call" ? undefined : step === "parallel" ? "I look both up." : "It is 9 degrees.";

const thoughtOf = ({ model, tag, turn }: Sample): string =>
  model.shows === "nothing" ? "" : `Thought ${turn} of ${tag}.`;

/** A value in the alphabet and length of base64, as the services' own are. */
const sealOf = ({ tag, turn }: Sample, begin: string, part = 0): string => {
  const text = `${begin}${tag}${turn}${part}`;
  return text.padEnd(Math.ceil((text.length + 32) / 4) * 4, "A");
};

const callId = ({ turn }: Sample, prefix: string, at: number): string => `${prefix}${turn}${at}`;

/** A whole answer as the service of this wire sends it: thinking with seals, text, calls. */
export const sampleReply = (
  wire: WireId,
  maker: SampleMaker,
  step: SampleStep,
  turn: number,
): JsonObject => writers[wire]({ ...maker, step, turn });

const writers: Readonly<Record<WireId, (sample: Sample) => JsonObject>> = {
  "anthropic-messages": writeMessage,
  "openai-responses": writeResponse,
  "openai-chat": writeCompletion,
  "google-generate": writeContent,
};

function writeMessage(sample: Sample): JsonObject {
  const says = saysOf(sample);
  return {
    id: `msg_${sample.turn}`,
    type: "message",
    role: "assistant",
    model: sample.model.id,
    content: [
      { type: "thinking", thinking: thoughtOf(sample), signature: sealOf(sample, "EqQB") },
      ...(sample.step === "parallel"
        ? [{ type: "redacted_thinking", data: sealOf(sample, "EmwK", 1) }]
        : []),
      ...(says === undefined ? [] : [{ type: "text", text: says }]),
      ...callsOf(sample).map((city, at) => ({
        type: "tool_use",
        id: callId(sample, "toolu_", at),
        name: sampleTool,
        input: { city },
      })),
    ],
    stop_reason: sample.step === "answer" ? "end_turn" : "tool_use",
    usage: { input_tokens: 10, output_tokens: 10 },
  };
}

function writeResponse(sample: Sample): JsonObject {
  const { tag, turn } = sample;
  const says = saysOf(sample);
  const thought = thoughtOf(sample);
  return {
    id: `resp_${turn}`,
    object: "response",
    status: "completed",
    model: sample.model.id,
    output: [
      {
        type: "reasoning",
        id: `rs_${tag}${turn}`,
        summary: thought === "" ? [] : [{ type: "summary_text", text: thought }],
        encrypted_content: sealOf(sample, "gAAAAA"),
      },
      ...(says === undefined
        ? []
        : [
            {
              type: "message",
              id: `msg_${tag}${turn}`,
              role: "assistant",
              status: "completed",
              content: [{ type: "output_text", text: says, annotations: [] }],
            },
          ]),
      ...callsOf(sample).map((city, at) => ({
        type: "function_call",
        id: `fc_${tag}${turn}${at}`,
        call_id: callId(sample, "call_", at),
        name: sampleTool,
        arguments: JSON.stringify({ city }),
        status: "completed",
      })),
    ],
    usage: { input_tokens: 10, output_tokens: 10, total_tokens: 20 },
  };
}

function writeCompletion(sample: Sample): JsonObject {
  const calls = callsOf(sample).map((city, at) => ({
    id: callId(sample, "call_", at),
    type: "function",
    function: { name: sampleTool, arguments: JSON.stringify({ city }) },
  }));
  const thought = thoughtOf(sample);
  const field = sample.quirks?.thinkingFields?.[0] ?? "reasoning_content";
  return {
    id: `chatcmpl-${sample.turn}`,
    object: "chat.completion",
    model: sample.model.id,
    choices: [
      {
        index: 0,
        finish_reason: calls.length === 0 ? "stop" : "tool_calls",
        message: {
          role: "assistant",
          content: saysOf(sample) ?? null,
          ...(thought !== "" && { [field]: thought }),
          ...(calls.length > 0 && { tool_calls: calls }),
        },
      },
    ],
    usage: { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 },
  };
}

/** Gemini seals the first call of an answer, or the end of its text. */
function writeContent(sample: Sample): JsonObject {
  const says = saysOf(sample);
  const thought = thoughtOf(sample);
  const seal = { thoughtSignature: sealOf(sample, "EpwC") };
  const parts: readonly JsonValue[] = [
    ...(thought === "" ? [] : [{ text: thought, thought: true }]),
    ...(says === undefined ? [] : [{ text: says, ...(sample.step === "answer" && seal) }]),
    ...callsOf(sample).map((city, at) => ({
      functionCall: { id: callId(sample, "fc", at), name: sampleTool, args: { city } },
      ...(at === 0 && seal),
    })),
  ];
  return {
    responseId: `r${sample.turn}`,
    modelVersion: sample.model.id,
    candidates: [{ index: 0, content: { role: "model", parts }, finishReason: "STOP" }],
    usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 10, totalTokenCount: 20 },
  };
}

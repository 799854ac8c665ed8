import {
  compose,
  findModel,
  type AssistantMessage,
  type ChatTarget,
  type Composed,
  type Level,
  type Message,
  type Model,
  type ToolSpec,
  type UserMessage,
} from "mull";
import { replyDecoders } from "mull/wire";

import { sampleReply, sampleTool, type SampleMaker, type SampleStep } from "./sample-reply.ts";

/** A model that takes part. */
export interface Participant extends SampleMaker {
  /** `provider:model`. */
  readonly ref: string;
  readonly target: ChatTarget;
}

const tools: readonly ToolSpec[] = [
  {
    name: sampleTool,
    description: "The weather in a city.",
    inputSchema: {
      type: "object",
      properties: { city: { type: "string" } },
      required: ["city"],
      additionalProperties: false,
    },
  },
];

export const question = (text: string): UserMessage => ({
  role: "user",
  parts: [{ type: "text", text }],
});

/** Each participant has its own account at its vendor's own address. */
const endpointOf = (participant: Participant): string =>
  new URL(participant.target.provider.baseUrl).origin;

/** The request this participant would be sent for these messages. */
export const composeFor = (
  participant: Participant,
  messages: readonly Message[],
  level: Level,
  modelOf: (id: string) => Model | undefined,
): Composed =>
  compose(
    participant.target,
    { system: "Be brief.", messages, tools, level },
    { endpoint: endpointOf(participant), account: "account", modelOf },
  );

/** Looks each id up once. */
export function createModelOf(): (id: string) => Model {
  const known = new Map<string, Model>();
  return (id) => {
    const row = known.get(id) ?? findModel(id);
    known.set(id, row);
    return row;
  };
}

/** The participant's answer to a request, decoded from what its service would send. */
export function answerOf(
  participant: Participant,
  composed: Composed,
  step: SampleStep,
  turn: number,
): AssistantMessage {
  const { provider, model } = participant.target;
  const { prefix } = composed.prepared;
  return replyDecoders[provider.wire.id](sampleReply(provider.wire.id, participant, step, turn), {
    origin: {
      wire: provider.wire.id,
      provider: provider.id,
      endpoint: endpointOf(participant),
      model: model.id,
      account: "account",
    },
    now: () => 0,
    newId: () => `local${turn}`,
    ...(prefix !== undefined && { prefix }),
    ...(provider.quirks !== undefined && { quirks: provider.quirks }),
  }).message;
}

/** The tool's word on every call of an answer. */
export const resultsOf = (answer: AssistantMessage): Message => ({
  role: "tool",
  parts: answer.parts.flatMap((part) =>
    part.type === "tool-call"
      ? [
          {
            type: "tool-result" as const,
            callId: part.id,
            name: part.name,
            output: "9 degrees, clear",
          },
        ]
      : [],
  ),
});

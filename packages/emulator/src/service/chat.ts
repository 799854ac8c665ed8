import type { AssistantPart, JsonObject } from "mull";
import { mirrors } from "mull/wire";
import { rulesOf } from "mull/rules";

import { newId } from "../world/ids.ts";
import { keep } from "../world/world.ts";
import { streamChoices, wholeChoices } from "./choices.ts";
import { namedFrames } from "./frames.ts";
import { chatLogprobs, streamedChatLogprobs } from "./logprobs.ts";
import { obfuscate } from "./obfuscate.ts";
import {
  listIn,
  servedTier,
  textIn,
  type Ending,
  type ServiceExchange,
  type FittedPart,
  type ReadExchange,
  type Service,
} from "./service.ts";

const finishWords: Readonly<Record<Ending, string>> = {
  stop: "stop",
  "tool-calls": "tool_calls",
  length: "length",
  "content-filter": "content_filter",
  refusal: "stop",
  pause: "stop",
};

/** On this wire OpenAI only counts its thinking. Other servers show it, under one of two names. */
const thinkingFields = new Map<string, string>([
  ["openai", ""],
  ["openrouter", "reasoning"],
  ["groq", "reasoning"],
  ["vllm", "reasoning"],
  ["ollama", "reasoning"],
]);

const fieldOf = (provider: string): string => thinkingFields.get(provider) ?? "reasoning_content";

const writes = (part: FittedPart, { model }: ServiceExchange): boolean =>
  part.type === "text" ||
  part.type === "call" ||
  (part.type === "thinking" && part.shown === true && fieldOf(model.provider) !== "");

const seal = (
  drafted: readonly FittedPart[],
  exchange: ServiceExchange,
): readonly AssistantPart[] => {
  const { model, modelId, world } = exchange;
  const origin = { wire: "openai-chat", provider: model.provider, model: modelId } as const;
  const data = { field: fieldOf(model.provider) };
  return drafted
    .filter((part) => writes(part, exchange))
    .map((part): AssistantPart => {
      if (part.type === "call") {
        return {
          type: "tool-call",
          id: part.id ?? newId.openaiCall(world.random),
          name: part.name,
          input: part.input,
          ...(part.raw !== undefined && { invalid: { raw: part.raw, reason: "scripted" } }),
        };
      }
      const text = "text" in part ? part.text : "";
      if (part.type === "thinking") {
        return { type: "thinking", text, visibility: "full", seal: { origin, data } };
      }
      const refused = part.type === "text" && part.refusal === true;
      return { type: "text", text, ...(refused && { refusal: true as const }) };
    });
};

/** OpenAI stores an answer on request, and repeats its metadata. */
const rememberCompletion = ({ body, model, world }: ReadExchange, answer: JsonObject): void => {
  if (model.provider !== "openai" || body["store"] !== true) return;
  const { messages, metadata = {} } = body;
  const kept = { input: listIn(messages), answer: { ...answer, metadata } };
  keep(world.completions, textIn(answer["id"]), kept);
};

export const chat: Service = {
  wire: "openai-chat",
  mirror: mirrors["openai-chat"],
  rules: rulesOf("openai-chat"),
  verifySeal: () => () => "unknown",
  newReplyId: (world) => newId.openaiChat(world.random),
  shows: ({ model }) => fieldOf(model.provider) !== "",
  thinksBetweenTools: ({ model }) => model.thinking.kind !== "none",
  seal,
  writes,
  finish: (reason) => ({ reason, raw: finishWords[reason] }),
  prompt: (body) => ({ pieces: [body["tools"]], messages: listIn(body["messages"]) }),
  // OpenAI names the service tier in every chunk. Other servers do not.
  metadata: ({ body, model }) =>
    model.provider === "openai" ? { service_tier: servedTier(body) } : {},
  wholeChoices: (answer, exchange) => wholeChoices(chatLogprobs(answer, exchange), exchange),
  spread: streamChoices,
  remember: rememberCompletion,
  decorate: (events, exchange) => obfuscate(streamedChatLogprobs(events, exchange), exchange),
  frame: (events) => ({
    contentType: "text/event-stream; charset=utf-8",
    texts: namedFrames(events),
  }),
};

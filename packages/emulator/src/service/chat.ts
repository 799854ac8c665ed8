import type { AssistantPart } from "mull";
import { openaiChatMirror } from "mull/mirror";
import { openaiChatRules } from "mull/rules";

import { newId } from "../world/ids.ts";
import { namedFrames } from "./frames.ts";
import { obfuscate } from "./obfuscate.ts";
import { listIn, type Ending, type Exchange, type FittedPart, type Service } from "./service.ts";

const finishWords: Readonly<Record<Ending, string>> = {
  stop: "stop",
  "tool-calls": "tool_calls",
  length: "length",
  "content-filter": "content_filter",
  refusal: "stop",
  pause: "stop",
};

/** OpenAI itself only counts its thinking on this wire; others show it under one of two names. */
const thinkingFields = new Map<string, string>([
  ["openai", ""],
  ["openrouter", "reasoning"],
  ["groq", "reasoning"],
  ["vllm", "reasoning"],
  ["ollama", "reasoning"],
]);

const fieldOf = (provider: string): string => thinkingFields.get(provider) ?? "reasoning_content";

const seal = (parts: readonly FittedPart[], exchange: Exchange): readonly AssistantPart[] => {
  const { model, modelId, world } = exchange;
  const field = fieldOf(model.provider);
  return parts.flatMap((part): readonly AssistantPart[] => {
    switch (part.type) {
      case "thinking": {
        if (part.shown !== true || field === "") return [];
        const origin = { wire: "openai-chat", provider: model.provider, model: modelId } as const;
        return [
          {
            type: "thinking",
            text: part.text,
            visibility: "full",
            seal: { origin, data: { field } },
          },
        ];
      }
      case "omitted":
      case "redacted":
        return [];
      case "text":
        return [{ type: "text", text: part.text, ...(part.refusal === true && { refusal: true }) }];
      case "call":
        return [
          {
            type: "tool-call",
            id: part.id ?? newId.openaiCall(world.random),
            name: part.name,
            input: part.input,
            ...(part.raw !== undefined && { invalid: { raw: part.raw, reason: "scripted" } }),
          },
        ];
      default:
        return part satisfies never;
    }
  });
};

export const chat: Service = {
  wire: "openai-chat",
  mirror: openaiChatMirror,
  rules: openaiChatRules,
  check: () => undefined,
  verifySeal: () => () => "unknown",
  newReplyId: (world) => newId.openaiChat(world.random),
  shows: ({ model }) => fieldOf(model.provider) !== "",
  thinksBetweenTools: ({ model }) => model.thinking.kind !== "none",
  seal,
  finish: (reason) => ({ reason, raw: finishWords[reason] }),
  prompt: (body) => ({ pieces: [body["tools"]], messages: listIn(body["messages"]) }),
  decorate: obfuscate,
  frame: (events) => ({
    contentType: "text/event-stream; charset=utf-8",
    texts: namedFrames(events),
  }),
};

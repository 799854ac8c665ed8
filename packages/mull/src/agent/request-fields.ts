import type { History } from "../history/history.ts";
import type { ChatRequest } from "../types/request.ts";

const requestFieldNames = [
  "system",
  "toolChoice",
  "showThinking",
  "maxOutputTokens",
  "temperature",
  "topP",
  "topK",
  "stopSequences",
  "output",
  "cache",
  "userId",
  "extra",
] as const;

export type RequestFields = Partial<Pick<ChatRequest, (typeof requestFieldNames)[number]>>;

export const requestFields = (options: RequestFields): RequestFields =>
  Object.fromEntries(
    requestFieldNames.flatMap((name) =>
      options[name] === undefined ? [] : [[name, options[name]]],
    ),
  );

/** A model that is made to call does so once: made to again behind the results, it would never answer. */
export const releaseChoice = (
  { toolChoice, ...fields }: RequestFields,
  { messages }: History,
): RequestFields =>
  toolChoice === undefined || (toolChoice !== "none" && messages.at(-1)?.role === "tool")
    ? fields
    : { ...fields, toolChoice };

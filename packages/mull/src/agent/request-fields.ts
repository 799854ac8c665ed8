import { givenFields, pick } from "../chat/compose.ts";
import type { History } from "../history/history.ts";
import type { ChatRequest } from "../types/request.ts";

type FieldName =
  | "showThinking"
  | "maxOutputTokens"
  | "toolChoice"
  | "output"
  | (typeof givenFields)[number];
const fieldNames: readonly FieldName[] = [
  "showThinking",
  "maxOutputTokens",
  "toolChoice",
  "output",
  ...givenFields,
];

export type RequestFields = Partial<Pick<ChatRequest, FieldName>>;

export const requestFields = (options: RequestFields): RequestFields => pick(options, fieldNames);

/** A model that is made to call does so once: made to again behind the results, it would never answer. */
export const releaseChoice = (
  { toolChoice, ...fields }: RequestFields,
  { messages }: History,
): RequestFields =>
  toolChoice === undefined || (toolChoice !== "none" && messages.at(-1)?.role === "tool")
    ? fields
    : { ...fields, toolChoice };

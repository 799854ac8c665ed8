import { passedOn, pick, type RequestFields } from "../chat/request-options.ts";
import type { History } from "../history/history.ts";

export const requestFields = (options: RequestFields): RequestFields => pick(options, passedOn);

/** Lifts a forced tool choice after the first results: a model that is forced again would never answer. */
export const releaseChoice = (
  { toolChoice, ...fields }: RequestFields,
  { messages }: History,
): RequestFields =>
  toolChoice === undefined || (toolChoice !== "none" && messages.at(-1)?.role === "tool")
    ? fields
    : { ...fields, toolChoice };

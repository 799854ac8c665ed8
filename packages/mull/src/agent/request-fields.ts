import { passedOn, pick, type RequestFields } from "../chat/request-options.ts";
import type { History } from "../history/history.ts";

export const requestFields = (options: RequestFields): RequestFields => pick(options, passedOn);

/** A model that is made to call does so once: made to again behind the results, it would never answer. */
export const releaseChoice = (
  { toolChoice, ...fields }: RequestFields,
  { messages }: History,
): RequestFields =>
  toolChoice === undefined || (toolChoice !== "none" && messages.at(-1)?.role === "tool")
    ? fields
    : { ...fields, toolChoice };

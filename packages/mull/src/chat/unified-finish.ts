import type { FinishReason } from "../types/event.ts";

/** The reasons why an answer ends in the six words that the AI SDK has for all services. */
export const unifiedFinish: Readonly<
  Record<FinishReason, "stop" | "tool-calls" | "length" | "content-filter" | "error" | "other">
> = {
  stop: "stop",
  "tool-calls": "tool-calls",
  length: "length",
  "content-filter": "content-filter",
  refusal: "content-filter",
  pause: "other",
  "max-steps": "other",
  budget: "other",
  "stop-when": "other",
  approval: "tool-calls",
  error: "error",
};

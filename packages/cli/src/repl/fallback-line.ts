import type { AgentEvent } from "mull";
import { toOneLine } from "./to-terminal.ts";

export type FallbackEvent = Extract<AgentEvent, { type: "fallback" }>;

const reasons: Readonly<Record<FallbackEvent["failed"]["reason"], string>> = {
  outage: "could not answer",
  "rate-limit": "is rate limited",
  quota: "has no quota left",
  refusal: "declined to answer",
};

/** `⚠ gpt-6-sol is rate limited: Too many requests. claude-opus-5-5 answers instead.` */
export const fallbackLine = ({ failed, next }: FallbackEvent): string => {
  const why = toOneLine(failed.error).replace(/\.?$/, ".");
  return `⚠ ${failed.model} ${reasons[failed.reason]}: ${why} ${next.model} answers instead.`;
};

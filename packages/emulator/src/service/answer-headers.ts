import type { WireId } from "mull";

import { newId } from "../world/ids.ts";
import type { RandomBytes } from "../world/random.ts";
import { vendorOf } from "./failures.ts";

const anthropic = (random: RandomBytes, now: number): Record<string, string> => {
  const reset = new Date(now + 60_000).toISOString().replace(/\.\d{3}/, "");
  return {
    "request-id": newId.anthropicRequest(random),
    "anthropic-organization-id": "00000000-0000-4000-8000-000000000000",
    "anthropic-ratelimit-requests-limit": "4000",
    "anthropic-ratelimit-requests-remaining": "3999",
    "anthropic-ratelimit-requests-reset": reset,
    "anthropic-ratelimit-tokens-limit": "4800000",
    "anthropic-ratelimit-tokens-remaining": "4800000",
    "anthropic-ratelimit-tokens-reset": reset,
    "anthropic-ratelimit-input-tokens-limit": "4000000",
    "anthropic-ratelimit-input-tokens-remaining": "4000000",
    "anthropic-ratelimit-input-tokens-reset": reset,
    "anthropic-ratelimit-output-tokens-limit": "800000",
    "anthropic-ratelimit-output-tokens-remaining": "800000",
    "anthropic-ratelimit-output-tokens-reset": reset,
  };
};

const openai = (random: RandomBytes): Record<string, string> => ({
  "x-request-id": newId.openaiRequest(random),
  "openai-version": "2020-10-01",
  "openai-organization": "emulated",
  "openai-processing-ms": "12",
  "x-ratelimit-limit-requests": "10000",
  "x-ratelimit-limit-tokens": "30000000",
  "x-ratelimit-remaining-requests": "9999",
  "x-ratelimit-remaining-tokens": "29999000",
  "x-ratelimit-reset-requests": "6ms",
  "x-ratelimit-reset-tokens": "2ms",
});

const google = (): Record<string, string> => ({
  "x-gemini-service-tier": "standard",
  "server-timing": "gfet4t7; dur=12",
  vary: "Origin, X-Origin, Referer",
});

/** Says in every answer that no service gave it. */
export const simulatedHeader = "x-mull-simulated";

/** Request id and rate limits, as the service names them. */
export const answerHeaders = (
  wire: WireId,
  random: RandomBytes,
  now: number,
): Readonly<Record<string, string>> => {
  const own = {
    anthropic: () => anthropic(random, now),
    openai: () => openai(random),
    google,
  }[vendorOf[wire]]();
  return { ...own, [simulatedHeader]: "true" };
};

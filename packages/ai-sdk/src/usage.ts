import type { LanguageModelV4Usage } from "@ai-sdk/provider";
import type { Finish, Usage } from "mull";
import { unifiedFinish } from "mull/wire";
import type { WrittenFinish } from "./written.ts";

/** The counts in the AI SDK's shape; what the service does not say stays open. */
export function writeUsage(usage: Usage): LanguageModelV4Usage {
  const { input, cacheRead, cacheWrite, output, thinking, raw } = usage;
  return {
    inputTokens: {
      total: sum(input, cacheRead, cacheWrite),
      noCache: input,
      cacheRead,
      cacheWrite,
    },
    outputTokens: { total: sum(output, thinking), text: output, reasoning: thinking },
    ...(raw !== undefined && { raw }),
  };
}

const sum = (...counts: readonly (number | undefined)[]): number | undefined => {
  const known = counts.filter((count) => count !== undefined);
  return known.length === 0 ? undefined : known.reduce((all, count) => all + count, 0);
};

export const writeFinish = ({ reason, raw }: Finish): WrittenFinish => ({
  unified: unifiedFinish[reason],
  raw,
});

import type { Usage } from "mull";
import type { UIMessage } from "@mull/ui-messages";
import { readTurn } from "../thread/read-turn.ts";

/** What the last answer's request and its words took, by the service's own count. */
export function countContext(messages: readonly UIMessage[]): number | undefined {
  const last = messages.findLast(({ role }) => role === "assistant");
  const usage = last === undefined ? undefined : readTurn(last).steps.at(-1)?.usage;
  return usage === undefined ? undefined : sumOf(usage);
}

function sumOf({ input, cacheRead, cacheWrite, output, thinking }: Usage): number | undefined {
  const counts = [input, cacheRead, cacheWrite, output, thinking].filter(
    (count) => count !== undefined,
  );
  return counts.length === 0 ? undefined : counts.reduce((all, count) => all + count, 0);
}

import type { Model } from "mull";
import type { UIMessage } from "@mull/ui-messages";
import type { Outlook } from "../dial/stops.ts";
import {
  countWithheld,
  factsOf,
  isForeign,
  readTurn,
  type ThreadTurn,
} from "../thread/read-turn.ts";

/** What a message to the chosen model would find: seals it cannot read, a cache that is not its own. */
export function readOutlook(
  messages: readonly UIMessage[],
  ref: string,
  model: Model,
  isRunning: boolean,
): Outlook {
  const last = messages.findLast(({ role }) => role === "assistant");
  const facts = last === undefined ? undefined : factsOf(last);
  const turn = last === undefined ? undefined : readTurn(last);
  const isOtherModel = facts?.model !== undefined && facts.model !== ref;
  // An imported answer does not name its model, but its seals do.
  const isKnown = facts?.model === ref;
  return {
    withheld: isKnown && !isRunning ? noneWithheld : countWithheld(messages, model),
    cachedTokens: cachedOf(turn),
    isOtherModel,
    isCutOff: isRunning && isOtherModel && losesThinking(turn, model),
  };
}

const noneWithheld: ReadonlyMap<string, number> = new Map();

function cachedOf(turn: ThreadTurn | undefined): number {
  const usage = turn?.steps.at(-1)?.usage;
  const cached = (usage?.cacheRead ?? 0) + (usage?.cacheWrite ?? 0);
  return cached === 0 ? 0 : cached + (usage?.input ?? 0);
}

/** Claude with a budget refuses a tool loop that does not begin with its own thought. */
function losesThinking(turn: ThreadTurn | undefined, model: Model): boolean {
  if (model.wire !== "anthropic-messages" || model.thinking.kind !== "budget") return false;
  const first = turn?.blocks[0];
  return first?.kind !== "thinking" || isForeign(first.about.seal, model);
}

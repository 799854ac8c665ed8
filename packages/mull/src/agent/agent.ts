import { resolveChoice, type ModelChoice } from "../chat/ask.ts";
import type { ChatTarget } from "../chat/compose.ts";
import { isMullError, MullError } from "../types/error.ts";
import { agentHooks } from "./compact.ts";
import { spendingLimit } from "./budget.ts";
import { CoreAgent, isUseOptions } from "./core-agent.ts";
import type { AgentOptions, UseOptions } from "./options.ts";
import { readSaved, type SavedAgent } from "./saved-agent.ts";

/**
 * A conversation with a model: history, tools and level. The model can be changed at any time, even
 * between the steps of a running turn; the level stays the same within a turn.
 */
export class Agent<T = unknown> extends CoreAgent<T> {
  constructor(model: ModelChoice, options: AgentOptions<T> = {}) {
    super(resolveChoice(model), forCore(options), agentHooks);
  }

  /**
   * The agent that `JSON.stringify(agent)` saved, in this process or another. Tools and options are given
   * again; `model` if the saved one belongs to a provider of your own, or if another model continues.
   */
  static restore<T = unknown>(
    saved: string | SavedAgent,
    options: AgentOptions<T> = {},
    model?: ModelChoice,
  ): Agent<T> {
    const read = readSaved(saved);
    const agent = new Agent<T>(model ?? read.model, options);
    agent.take(read);
    return agent;
  }

  /** Takes model refs too. */
  override use(choice: ModelChoice | UseOptions): this {
    if (!isUseOptions(choice)) return super.use(resolveChoice(choice));
    const { model } = choice;
    return super.use(model === undefined ? choice : { ...choice, model: resolveChoice(model) });
  }
}

/**
 * The options as `CoreAgent` takes them: models instead of refs, so that a misspelt one is refused when the
 * agent is made, and a budget instead of limits. A spread would
 * read getters once and for all: `get maxOutputTokens()` must shrink from step to step.
 */
function forCore<T>(options: AgentOptions<T>): AgentOptions<T> {
  const { fallback, budget } = options ?? {};
  const replaced = {
    ...(Array.isArray(fallback) && { fallback: fallback.map(resolveFallback) }),
    ...(budget !== undefined && { budget: spendingLimit(budget) }),
  };
  return Object.keys(replaced).length === 0
    ? options
    : Object.defineProperties(
        {},
        {
          ...Object.getOwnPropertyDescriptors(options),
          ...Object.getOwnPropertyDescriptors(replaced),
        },
      );
}

function resolveFallback(model: ModelChoice, index: number): ChatTarget {
  try {
    return resolveChoice(model);
  } catch (error) {
    if (!isMullError(error)) throw error;
    const field = `fallback[${index}]`;
    throw new MullError(`${field}: ${error.message}`, Object.assign({}, error, { field }));
  }
}

import { hooks, resolveChoice, type ModelChoice } from "../chat/ask.ts";
import { CoreAgent, isUseOptions } from "./core-agent.ts";
import type { AgentOptions, UseOptions } from "./options.ts";

/**
 * A conversation with a model: history, tools and level. The model can be changed at any time, also
 * between the steps of a running turn; the level stays the same within a turn.
 */
export class Agent<T = unknown> extends CoreAgent<T> {
  constructor(model: ModelChoice, options: AgentOptions<T> = {}) {
    super(resolveChoice(model), options, hooks);
  }

  /** Takes model refs too. */
  override use(choice: ModelChoice | UseOptions): this {
    if (!isUseOptions(choice)) return super.use(resolveChoice(choice));
    const { model } = choice;
    return super.use(model === undefined ? choice : { ...choice, model: resolveChoice(model) });
  }
}

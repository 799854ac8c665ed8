import { parseLevel } from "../dial/level.ts";
import { History, type HistoryJson } from "../history/history.ts";
import { invalidArgument } from "../types/error.ts";
import { isJsonObject } from "../types/json.ts";
import type { Level } from "../types/level.ts";
import type { AgentState } from "./turn.ts";

/** The version of what `JSON.stringify(agent)` writes. */
const savedVersion = 1;

/** An agent as JSON: what it needs to continue in another process. Options and tools are code, so they are not in it. */
export interface SavedAgent {
  readonly version: typeof savedVersion;
  /** Provider and model, e.g. `anthropic:claude-opus-5-5`. */
  readonly model: string;
  readonly level: Level;
  readonly thinkingBudget?: number;
  readonly history: HistoryJson;
}

/** Everything an agent has besides its options. */
type Savable = Pick<AgentState, "target" | "level" | "thinkingBudget" | "history">;

export const saveAgent = (agent: Savable): SavedAgent => ({
  version: savedVersion,
  model: `${agent.target.provider.id}:${agent.target.model.id}`,
  level: agent.level,
  ...(agent.thinkingBudget !== undefined && { thinkingBudget: agent.thinkingBudget }),
  history: agent.history.toJSON(),
});

/** Reads what an agent wrote, and refuses anything else with the field that is wrong. */
export function readSaved(saved: unknown): Omit<Savable, "target"> & { readonly model: string } {
  const value: unknown = typeof saved === "string" ? parse(saved) : saved;
  if (!isJsonObject(value) || value["version"] !== savedVersion)
    throw invalidArgument(
      "saved",
      value,
      `what JSON.stringify(agent) writes, version ${savedVersion}`,
    );
  const { model, level, thinkingBudget, history } = value;
  if (typeof model !== "string") throw invalidArgument("saved.model", model, "a model ref");
  if (thinkingBudget !== undefined && typeof thinkingBudget !== "number")
    throw invalidArgument("saved.thinkingBudget", thinkingBudget, "a number of tokens");
  return {
    model,
    level: parseLevel(level),
    thinkingBudget,
    history: History.parse(isJsonObject(history) ? history : {}),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalidArgument("saved", text.slice(0, 40), "the JSON of an agent");
  }
}

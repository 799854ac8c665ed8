import type { ModelChoice } from "../chat/ask.ts";
import { askNames, optionNames } from "../chat/check-options.ts";
import type { ChatOptions } from "../chat/options.ts";
import type { History } from "../history/history.ts";
import type { Level } from "../types/level.ts";
import type { ChatRequest } from "../types/request.ts";
import type { VendorTool } from "../types/tool.ts";
import type { Tool } from "./tool.ts";

type RequestOptions = Pick<
  ChatRequest,
  | "system"
  | "toolChoice"
  | "level"
  | "thinkingBudget"
  | "showThinking"
  | "maxOutputTokens"
  | "temperature"
  | "topP"
  | "topK"
  | "stopSequences"
  | "output"
  | "cache"
  | "userId"
  | "extra"
>;

/**
 * The settings of an `Agent`: level, tools, system prompt, history, and how its requests are sent.
 */
export interface AgentOptions extends RequestOptions, Omit<ChatOptions, "contextTokens"> {
  readonly tools?: readonly (Tool | VendorTool)[] | undefined;
  /** Continue from here. */
  readonly history?: History | undefined;
  /** Most answers in one turn, tool loop included; default 50. */
  readonly maxSteps?: number | undefined;
  /** Tools that run at the same time; default 8. */
  readonly toolConcurrency?: number | undefined;
  /** Default time limit of a tool in milliseconds; default 120,000. */
  readonly toolTimeoutMs?: number | undefined;
  /** Largest tool result in bytes; longer ones keep head and tail. Default 262,144. */
  readonly maxToolResultBytes?: number | undefined;
}

/** Settings that replace the agent's own for one turn. */
export interface SendTurnOptions extends Partial<RequestOptions> {
  readonly signal?: AbortSignal | undefined;
}

/**
 * What `agent.use` changes. Fields that are absent stay as they are, but a thinking budget ends
 * with a new level or model.
 */
export interface UseOptions {
  readonly model?: ModelChoice | undefined;
  readonly level?: Level | undefined;
  readonly thinkingBudget?: number | undefined;
}

/** What agents have beside the fields of a request and the options of sending it. */
const ownOptions: Readonly<
  Record<"tools" | Exclude<keyof AgentOptions, keyof ChatRequest | keyof ChatOptions>, true>
> = {
  tools: true,
  history: true,
  maxSteps: true,
  toolConcurrency: true,
  toolTimeoutMs: true,
  maxToolResultBytes: true,
};

export const agentNames: ReadonlySet<string> = new Set([
  ...askNames,
  ...optionNames,
  ...Object.keys(ownOptions),
]);

export const turnNames: ReadonlySet<string> = new Set([...askNames, "signal"]);

const useFields: Readonly<Record<keyof UseOptions, true>> = {
  model: true,
  level: true,
  thinkingBudget: true,
};

export const useNames: ReadonlySet<string> = new Set(Object.keys(useFields));

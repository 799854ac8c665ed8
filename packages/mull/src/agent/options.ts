import type { ModelChoice } from "../chat/ask.ts";
import {
  aFunction,
  anything,
  checkEach,
  countFrom,
  is,
  type OptionCheck,
  type Checks,
} from "../chat/checks.ts";
import type { ChatResult } from "../chat/chat.ts";
import { isTarget } from "../chat/compose.ts";
import { agentChecks, dialChecks, type ChatOptions } from "../chat/request-options.ts";
import type { History } from "../history/history.ts";
import type { Message } from "../types/message.ts";
import { invalidArgument } from "../types/error.ts";
import { isJsonObject } from "../types/json.ts";
import type { Level } from "../types/level.ts";
import type { ChatRequest } from "../types/request.ts";
import type { VendorTool } from "../types/tool.ts";
import type { Budget, BudgetLimits } from "./budget.ts";
import { aSpendingLimit } from "./request.ts";
import type { AgentResult } from "./result.ts";
import type { Tool } from "./tool.ts";

type RequestOptions<T> = Omit<ChatRequest<T>, "messages" | "tools">;

type AgentTool = Tool | VendorTool;

/** The settings of an `Agent`: level, tools, system prompt, history, and how its requests are sent. */
export interface AgentOptions<T = unknown>
  extends RequestOptions<T>, Omit<ChatOptions, "contextTokens"> {
  /** A list, or a function that is called before every request, so that the list can change. */
  readonly tools?: readonly AgentTool[] | (() => readonly AgentTool[]) | undefined;
  /** Continue from here. */
  readonly history?: History | undefined;
  /**
   * The models to ask, in this order, if the model is down, limits its rate or refuses, even in the
   * middle of a tool loop. `mull/core` takes targets instead of refs.
   */
  readonly fallback?: readonly ModelChoice[] | undefined;
  /**
   * Limits of each turn, or a budget that several agents share. No request is sent that could exceed it.
   * `mull/core` takes what `createBudget` returns.
   */
  readonly budget?: BudgetLimits | Budget | undefined;
  /** Asked after each step whose tools have run; `true` ends the turn. */
  readonly stopWhen?: ((progress: TurnProgress) => boolean | Promise<boolean>) | undefined;
  /** Most answers in one turn, tool loop included; default 50. */
  readonly maxSteps?: number | undefined;
  /** Tools that run at the same time; default 8. */
  readonly toolConcurrency?: number | undefined;
  /** Default time limit of a tool in milliseconds; default 120,000. */
  readonly toolTimeoutMs?: number | undefined;
  /** Largest tool result in bytes; longer ones keep head and tail. Default 262,144. */
  readonly maxToolResultBytes?: number | undefined;
  /**
   * Shorten the conversation before it overflows the model's window, or when a service refuses it for its
   * length. Default: such a refusal is thrown. Agents of `mull/core` have none.
   */
  readonly compact?: "auto" | CompactOptions | undefined;
}

/** How a conversation is shortened. */
export interface CompactOptions {
  /** How many of the last questions stay as they are, with their answers: 1 or more, default 2. */
  readonly keepTurns?: number | undefined;
  /** Writes the summary of what goes. Without it a model does. */
  readonly summarize?: ((messages: readonly Message[]) => string | Promise<string>) | undefined;
  /** The model that writes the summary; an agent uses its own if you name none. */
  readonly model?: ModelChoice | undefined;
}

/** How far a turn has come: what `stopWhen` decides by. */
export interface TurnProgress extends Pick<AgentResult, "usage" | "cost" | "costAtLeast"> {
  /** Steps that are done. */
  readonly steps: number;
  readonly last: ChatResult;
}

/** Settings that replace the agent's own for one turn. */
export interface SendTurnOptions<T = unknown> extends RequestOptions<T> {
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

/** `Infinity` is a count too: no limit. */
const aCount: OptionCheck = is(
  (value) => value === Infinity || (Number.isInteger(value) && Number(value) >= 1),
  "a whole number from 1, or Infinity",
);

/** `JSON.parse` returns `any`, so TypeScript lets a stored history pass without `History.parse`. It is refused here, not deep in a turn. */
export const aHistory: OptionCheck = is(
  (value) => typeof (value as Partial<History> | null)?.append === "function",
  "a History, e.g. History.parse(saved)",
);

/** The tools as they are now. */
export const toolsOf = ({ tools = [] }: AgentOptions): readonly AgentTool[] =>
  typeof tools === "function" ? tools() : tools;

/** A tool of another library has no `spec` and would be left out of every request without a word. */
const tools: OptionCheck = (value, field) => {
  if (typeof value === "function") return;
  if (!Array.isArray(value)) throw invalidArgument(field, value, "a list of tools");
  value.forEach((tool: unknown, index) => {
    if (!isJsonObject(tool) || !("spec" in tool || "vendor" in tool))
      throw invalidArgument(
        `${field}[${index}]`,
        tool,
        "what tool() returns, or a vendor's own tool",
      );
  });
};

const fallback: OptionCheck = (value, field) => {
  if (!Array.isArray(value)) throw invalidArgument(field, value, "a list of models");
  value.forEach((each: unknown, index) => {
    if (!isTarget(each))
      throw invalidArgument(`${field}[${index}]`, each, "what targetOf or resolveModel returns");
  });
};

export const compactChecks: Checks = {
  keepTurns: countFrom(1),
  summarize: aFunction,
  model: anything,
};

const aCompaction: OptionCheck = (value, field) => {
  if (value === "auto") return;
  if (!isJsonObject(value))
    throw invalidArgument(field, value, '"auto", or an object with keepTurns, summarize or model');
  checkEach(field, value, compactChecks, `${field}.`);
};

/** The options of agents that neither requests nor the sending of requests have. */
const ownChecks: Readonly<
  Record<"tools" | Exclude<keyof AgentOptions, keyof ChatRequest | keyof ChatOptions>, OptionCheck>
> = {
  tools,
  history: aHistory,
  fallback,
  budget: aSpendingLimit,
  stopWhen: aFunction,
  maxSteps: aCount,
  toolConcurrency: aCount,
  toolTimeoutMs: aCount,
  maxToolResultBytes: aCount,
  compact: aCompaction,
};

export const newAgentChecks: Checks = { ...agentChecks, ...ownChecks };
/** The model is checked where it is looked up, so any value passes here. */
export const useChecks: Checks = { ...dialChecks, model: anything };

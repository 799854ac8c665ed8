import type { ModelChoice } from "../chat/ask.ts";
import { checkEach } from "../chat/checks.ts";
import { checkOptions, turnChecks } from "../chat/request-options.ts";
import { isTarget, type ChatTarget } from "../chat/compose.ts";
import { parseLevel } from "../dial/level.ts";
import { History } from "../history/history.ts";
import { invalidArgument, isMullError, MullError } from "../types/error.ts";
import { isJsonObject } from "../types/json.ts";
import type { UserPart } from "../types/message.ts";
import {
  isOpen,
  markApproved,
  openCalls,
  resultOf,
  withResults,
  type Decision,
  type PendingCall,
} from "./open-calls.ts";
import {
  aHistory,
  newAgentChecks,
  toolsOf,
  useChecks,
  type AgentOptions,
  type SendTurnOptions,
  type UseOptions,
} from "./options.ts";
import type { AgentResult } from "./result.ts";
import { findPending, maxResultBytes } from "./run-calls.ts";
import { saveAgent, type readSaved, type SavedAgent } from "./saved-agent.ts";
import type { Tool } from "./tool.ts";
import { TurnRun, TurnStream, type AgentStream } from "./turn-stream.ts";
import {
  observeTurn,
  runTurn,
  type AgentHooks,
  type AgentTurn,
  type TurnHandle,
  type AgentState,
} from "./turn.ts";

/**
 * A conversation with a model of a provider that the program names. It knows no other provider, so that a
 * bundle holds one; rules and repairs come with the hooks.
 */
export class CoreAgent<T = unknown> {
  readonly #options: AgentOptions;
  readonly #state: AgentState;
  #isRunning = false;

  constructor(target: ChatTarget, options: AgentOptions<T> = {}, hooks: AgentHooks = {}) {
    checkTarget(target);
    checkOptions(options, newAgentChecks);
    if (options.compact !== undefined && hooks.askFitting === undefined)
      throw invalidArgument("compact", options.compact, "nothing here: use the Agent of mull");
    this.#options = options;
    this.#state = {
      target,
      hooks,
      answering: undefined,
      home: target.provider,
      level: parseLevel(options.level ?? target.level ?? "auto"),
      thinkingBudget: options.thinkingBudget,
      history: options.history ?? History.empty,
      get tools() {
        return toolTable(toolsOf(options));
      },
      withoutSummary: new Set(),
      isSimulated: undefined,
      cached: undefined,
      decided: new Set(),
      settled: [],
    };
    toolTable(toolsOf(options));
  }

  get history(): History {
    return this.#state.history;
  }

  /** Replaces the history, e.g. with a fork. Refused while a turn runs. */
  set history(history: History) {
    this.#refuseWhileRunning();
    aHistory(history, "history");
    this.#state.settled.length = 0;
    this.#state.history = history;
  }

  /** A turn has begun and has not ended; `resumeStream` continues it. */
  get isOpen(): boolean {
    return isOpen(this.history);
  }

  /** The calls at the end of the history that wait for a decision; the others run when the turn is resumed. */
  pendingCalls(): Promise<readonly PendingCall[]> {
    return findPending(this.#state, openCalls(this.history), false);
  }

  /**
   * Decides what becomes of an open call. `resumeStream` then goes on. A refusal is told to the model
   * with its reason; an output is taken as what the tool returned.
   */
  decide(callId: string, decision: Decision): this {
    this.#refuseWhileRunning();
    const open = openCalls(this.history);
    const call = open.find(({ id }) => id === callId);
    if (call === undefined) {
      const ids = open.map(({ id }) => id);
      throw invalidArgument("callId", callId, ids.length > 0 ? ids : "no call: none is open");
    }
    const result = resultOf(call, decision, maxResultBytes(this.#options));
    if (result === undefined) {
      this.#state.decided.add(callId);
      this.#state.history = markApproved(this.history, callId);
    } else {
      this.#state.settled.push(result);
      this.#state.history = withResults(this.history, [result]);
    }
    return this;
  }

  /** All that another process needs to continue, besides options and tools. At any time, even inside a turn. */
  toJSON(): SavedAgent {
    return saveAgent(this.#state);
  }

  /** Takes up what an agent of another process wrote. */
  protected take({ level, thinkingBudget, history }: ReturnType<typeof readSaved>): void {
    Object.assign(this.#state, { level, thinkingBudget, history });
  }

  get target(): ChatTarget {
    return { ...this.#state.target, level: this.#state.level };
  }

  /** The target that answers the current step. After `use` it may differ from `target`. */
  get answering(): ChatTarget | undefined {
    return this.#state.answering;
  }

  get isRunning(): boolean {
    return this.#isRunning;
  }

  /**
   * Changes model, level or both. During a turn another model takes over from the next step, with
   * its level; a new level alone waits for the next turn.
   */
  use(choice: ModelChoice | UseOptions): this {
    const asked = isUseOptions(choice) ? choice : { model: choice };
    checkEach("use", asked, useChecks);
    const target = asked.model ?? this.#state.target;
    checkTarget(target);
    const level = asked.level ?? (asked.model === undefined ? undefined : target.level);
    if (level !== undefined) this.#state.level = parseLevel(level);
    if (asked.thinkingBudget !== undefined || level !== undefined || asked.model !== undefined)
      this.#state.thinkingBudget = asked.thinkingBudget;
    this.#state.target = target;
    return this;
  }

  /** Asks and waits for the whole turn, tool loop included. */
  send<U = T>(
    input: string | readonly UserPart[],
    options: SendTurnOptions<U> = {},
  ): Promise<AgentResult<U>> {
    return this.#open(() => toParts(input), options).whole() as Promise<AgentResult<U>>;
  }

  /** Asks and streams the turn. */
  sendStream<U = T>(
    input: string | readonly UserPart[],
    options: SendTurnOptions<U> = {},
  ): AgentStream<U> {
    return new TurnStream<U>(
      this.#open(() => toParts(input), options),
      this.#options,
    );
  }

  /** Continues an interrupted turn without a new question. */
  resumeStream<U = T>(options: SendTurnOptions<U> = {}): AgentStream<U> {
    const goOn = (): undefined => {
      if (this.history.length === 0)
        throw invalidArgument("history", [], "at least one message to continue from");
    };
    return new TurnStream<U>(this.#open(goOn, options), this.#options);
  }

  #open(question: () => readonly UserPart[] | undefined, options: SendTurnOptions): TurnRun {
    return new TurnRun((handle) => this.#run(question, options, handle), this.#options);
  }

  async *#run(
    question: () => readonly UserPart[] | undefined,
    options: SendTurnOptions,
    handle: TurnHandle,
  ): AgentTurn {
    const before = this.history;
    try {
      checkOptions(options, turnChecks);
      const parts = question();
      this.#refuseWhileRunning();
      this.#isRunning = true;
      try {
        const turn = runTurn(this.#state, parts, this.#options, options, handle);
        return yield* observeTurn(turn, this.target, this.#options, handle);
      } finally {
        this.#isRunning = false;
      }
    } catch (error) {
      if (isMullError(error)) error.turn = this.history === before ? "not-started" : "partial";
      throw error;
    }
  }

  #refuseWhileRunning(): void {
    if (this.#isRunning) {
      throw new MullError("A turn is running. Wait for it or stop it before the next one.", {
        category: "invalid_argument",
        code: "turn_running",
      });
    }
  }
}

function checkTarget(target: ModelChoice): asserts target is ChatTarget {
  if (!isTarget(target)) throw invalidArgument("model", target, "what targetOf returns");
}

export const isUseOptions = (choice: ModelChoice | UseOptions): choice is UseOptions =>
  isJsonObject(choice) && !("provider" in choice);

const userPartTypes: readonly unknown[] = ["text", "file", "opaque"] satisfies UserPart["type"][];

function toParts(input: string | readonly UserPart[]): readonly UserPart[] {
  const parts: readonly UserPart[] =
    typeof input === "string" ? [{ type: "text", text: input }] : input;
  const isAsked =
    Array.isArray(parts) &&
    // `[{ role: "user", content: "Hello" }]` is a list of messages, not of parts.
    parts.every((part) => userPartTypes.includes(part?.type)) &&
    parts.some((part) => part.type !== "text" || part.text !== "");
  if (!isAsked) {
    throw invalidArgument(
      "input",
      input,
      'a string or at least one part, such as { type: "text", text: "…" }',
    );
  }
  return parts;
}

function toolTable(tools: ReturnType<typeof toolsOf>): ReadonlyMap<string, Tool> {
  const table = new Map<string, Tool>();
  for (const tool of tools) {
    if (!("spec" in tool)) continue;
    if (table.has(tool.spec.name))
      throw invalidArgument("tools", tool.spec.name, "each tool name once");
    table.set(tool.spec.name, tool);
  }
  return table;
}

import { resolveChoice, type ModelChoice } from "../chat/ask.ts";
import type { ChatTarget } from "../chat/compose.ts";
import { parseLevel } from "../dial/level.ts";
import { History } from "../history/history.ts";
import { Drain } from "../transport/drain.ts";
import { invalidArgument, MullError } from "../types/error.ts";
import { isJsonObject } from "../types/json.ts";
import type { UserPart } from "../types/message.ts";
import { toChunk, type AgentChunk, type AgentEvent } from "./event.ts";
import type { AgentOptions, SendTurnOptions, UseOptions } from "./options.ts";
import type { AgentResult } from "./result.ts";
import type { Tool } from "./tool.ts";
import { runTurn, type TurnExit, type TurnState } from "./turn.ts";

/** A streamed turn. Leaving the loop stops it and leaves a history that can be continued. */
export interface AgentStream extends AsyncIterable<AgentChunk> {
  /** The same turn as bare events, for servers and screens. Iterate one or the other. */
  readonly events: () => AsyncIterable<AgentEvent>;
  /** Events that came together with the last one and are not handed out yet; they then are. */
  readonly takeReady: () => readonly AgentEvent[];
  /** The whole turn, read to its end; who iterates beside it misses nothing. */
  readonly result: () => Promise<AgentResult>;
}

type TurnBatches = AsyncGenerator<readonly AgentEvent[], AgentResult>;

const over: IteratorReturnResult<undefined> = { done: true, value: undefined };

const toChunkStep = (
  step: IteratorResult<AgentEvent, undefined>,
): IteratorResult<AgentChunk, undefined> =>
  step.done ? step : { done: false, value: toChunk(step.value) };

/** Hands out the events of a turn one by one; a step a chunk of the network is all it costs above. */
class TurnReader {
  readonly #begin: () => TurnBatches;
  #batches: TurnBatches | undefined;
  #batch: readonly AgentEvent[] = [];
  #at = 0;
  #waiting = 0;
  #last: Promise<unknown> | undefined;
  #failure: { readonly error: unknown } | undefined;
  #result: AgentResult | undefined;

  constructor(begin: () => TurnBatches) {
    this.#begin = begin;
  }

  next(): Promise<IteratorResult<AgentEvent, undefined>> {
    if (this.#waiting === 0 && this.#at < this.#batch.length)
      return Promise.resolve({ done: false, value: this.#batch[this.#at++]! });
    const turn = this.#fill(this.#waiting === 0 ? undefined : this.#last);
    this.#last = turn;
    return turn;
  }

  takeReady(): readonly AgentEvent[] {
    const ready = this.#batch.slice(this.#at);
    this.#at = this.#batch.length;
    return ready;
  }

  async stop(): Promise<void> {
    this.takeReady();
    await this.#batches?.return(undefined as never);
  }

  /** The outcome of a turn that is over; throws what ended it. */
  result(): AgentResult {
    if (this.#result !== undefined) return this.#result;
    if (this.#failure !== undefined) throw this.#failure.error;
    throw new MullError("The turn was left before its end, so there is no result.", {
      category: "aborted",
    });
  }

  /** Calls that do not wait for each other are served in order. */
  async #fill(
    before: Promise<unknown> | undefined,
  ): Promise<IteratorResult<AgentEvent, undefined>> {
    this.#waiting++;
    try {
      if (before !== undefined) await before.catch(() => undefined);
      this.#batches ??= this.#begin();
      while (this.#at >= this.#batch.length) {
        const step = await this.#batches.next();
        if (step.done) {
          this.#result ??= step.value;
          return over;
        }
        this.#batch = step.value;
        this.#at = 0;
      }
      return { done: false, value: this.#batch[this.#at++]! };
    } catch (error) {
      this.#failure ??= { error };
      throw error;
    } finally {
      this.#waiting--;
    }
  }
}

/**
 * A conversation with a model: history, tools, level. The model can be changed at any time, also
 * between the steps of a running turn; the level holds still within a turn.
 */
export class Agent {
  readonly #options: AgentOptions;
  readonly #state: TurnState;
  #isRunning = false;

  constructor(model: ModelChoice, options: AgentOptions = {}) {
    const target = resolveChoice(model);
    checkCounts(options);
    this.#options = options;
    this.#state = {
      target,
      home: target.provider,
      level: parseLevel(options.level ?? target.level ?? "auto"),
      thinkingBudget: options.thinkingBudget,
      history: checkHistory(options.history ?? History.empty),
      tools: toolTable(options.tools ?? []),
      withoutSummary: new Set(),
    };
  }

  get history(): History {
    return this.#state.history;
  }

  /** Replaces the history, e.g. with a fork. Refused while a turn runs. */
  set history(history: History) {
    this.#refuseWhileRunning();
    this.#state.history = checkHistory(history);
  }

  get target(): ChatTarget {
    return { ...this.#state.target, level: this.#state.level };
  }

  get isRunning(): boolean {
    return this.#isRunning;
  }

  /**
   * Changes model, level or both. During a turn another model takes over from the next step, with
   * its level; a new level alone waits for the next turn.
   */
  use(choice: ModelChoice | UseOptions): this {
    const asked = isUseOptions(choice) ? choice : { model: resolveChoice(choice) };
    const target = asked.model === undefined ? this.#state.target : resolveChoice(asked.model);
    const level = asked.level ?? (asked.model === undefined ? undefined : target.level);
    if (level !== undefined) this.#state.level = parseLevel(level);
    if ("thinkingBudget" in asked || level !== undefined || asked.model !== undefined)
      this.#state.thinkingBudget = asked.thinkingBudget;
    this.#state.target = target;
    return this;
  }

  /** Asks and waits for the whole turn, tool loop included. */
  send(input: string | readonly UserPart[], options: SendTurnOptions = {}): Promise<AgentResult> {
    return this.sendStream(input, options).result();
  }

  /** Asks and streams the turn. */
  sendStream(input: string | readonly UserPart[], options: SendTurnOptions = {}): AgentStream {
    return this.#stream((exit) => this.#begin(toParts(input), options, exit));
  }

  /** Goes on where an interrupted turn stopped, without a new question. */
  resumeStream(options: SendTurnOptions = {}): AgentStream {
    return this.#stream((exit) => {
      if (this.history.length === 0)
        throw invalidArgument("history", [], "at least one message to go on from");
      return this.#begin(undefined, options, exit);
    });
  }

  #stream(begin: (exit: TurnExit) => TurnBatches): AgentStream {
    const exit: TurnExit = {};
    const turn = new TurnReader(() => begin(exit));
    let drain: Drain<AgentEvent> | undefined;
    let isRead = false;
    const next = (): Promise<IteratorResult<AgentEvent, undefined>> => (drain ?? turn).next();
    const stop = (): Promise<typeof over> => {
      // Somebody waits for the result: without this the turn would go on to its next event.
      if (drain !== undefined) exit.leave?.();
      return turn.stop().then(() => over);
    };
    const read = (): void => {
      isRead = true;
      drain?.keep();
    };
    const chunks: AsyncIterableIterator<AgentChunk> = {
      next: () => next().then(toChunkStep),
      return: stop,
      [Symbol.asyncIterator]: () => chunks,
    };
    const events: AsyncIterableIterator<AgentEvent> = {
      next,
      return: stop,
      [Symbol.asyncIterator]: () => events,
    };
    return {
      [Symbol.asyncIterator]: () => (read(), chunks),
      events: () => (read(), events),
      takeReady: () => (drain ?? turn).takeReady(),
      result: async () => {
        drain ??= new Drain(turn, isRead);
        await drain.end;
        return turn.result();
      },
    };
  }

  async *#begin(
    parts: readonly UserPart[] | undefined,
    options: SendTurnOptions,
    exit: TurnExit,
  ): TurnBatches {
    this.#refuseWhileRunning();
    this.#isRunning = true;
    try {
      return yield* runTurn(this.#state, parts, this.#options, options, exit);
    } finally {
      this.#isRunning = false;
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

const isUseOptions = (choice: ModelChoice | UseOptions): choice is UseOptions =>
  isJsonObject(choice) && !("provider" in choice);

const countOptions = [
  "maxSteps",
  "toolConcurrency",
  "toolTimeoutMs",
  "maxToolResultBytes",
] as const;

/** `Infinity` is a count too: no limit. */
function checkCounts(options: AgentOptions): void {
  for (const name of countOptions) {
    const value = options[name];
    if (value !== undefined && !(value === Infinity || (Number.isInteger(value) && value >= 1)))
      throw invalidArgument(name, value, "a whole number from 1, or Infinity");
  }
}

/** Stored JSON passes as `any` where a history belongs; said here, not where it is first used. */
function checkHistory(history: History): History {
  if (typeof (history as Partial<History> | null)?.append === "function") return history;
  throw invalidArgument("history", history, "a History, e.g. History.parse(saved)");
}

function toParts(input: string | readonly UserPart[]): readonly UserPart[] {
  const parts: readonly UserPart[] =
    typeof input === "string" ? [{ type: "text", text: input }] : input;
  const isAsked =
    Array.isArray(parts) && parts.some((part) => part?.type !== "text" || part.text !== "");
  if (!isAsked) {
    throw invalidArgument("input", input, "a text or at least one part");
  }
  return parts;
}

function toolTable(tools: NonNullable<AgentOptions["tools"]>): ReadonlyMap<string, Tool> {
  const table = new Map<string, Tool>();
  for (const tool of tools) {
    if (!("spec" in tool)) continue;
    if (table.has(tool.spec.name))
      throw invalidArgument("tools", tool.spec.name, "each tool name once");
    table.set(tool.spec.name, tool);
  }
  return table;
}

import {
  Agent,
  isMullError,
  MullError,
  type AgentEvent,
  type ChatResult,
  type Finish,
  type JsonObject,
  type Message,
  type Receipt,
  type Tool,
  type ToolCallPart,
  type Usage,
} from "mull";
import { addUsage, openCalls } from "mull/wire";
import type { Store, Taken, Turn, TurnEnd } from "@mull/store";
import type { LoopShare } from "@mull/store/parts";
import type { CallDecision, UIChunk } from "@mull/ui-messages";
import type { Meter } from "../limits/allowance.ts";
import type { NextStep } from "../limits/step-cost.ts";
import type { Limits } from "../parts.ts";
import { createTurnSaver, type TextSaver, type TurnSaver } from "./save-turn.ts";
import { messageIdOf } from "./turn-chain.ts";
import { createChunkWriter, endChunk } from "./turn-chunks.ts";
import { createTurnLog, type TurnLog, type TurnListener } from "./turn-log.ts";
import type { StepLimits } from "./turn-maker.ts";

/** Why a turn was ended from outside. */
type StopReason = "user" | "time" | "shutdown" | "lost";

/** A turn that this process runs, with or without readers. */
export interface RunningTurn {
  readonly turn: Turn;
  readonly userId: string;
  readonly log: TurnLog;
  /** Another model takes over from the next step. */
  readonly use: Agent["use"];
  /** The model that answers the current step. */
  readonly answering: () => string | undefined;
  readonly stop: (reason: StopReason) => void;
  /** Resolves when everything is stored, or given up. */
  readonly done: Promise<void>;
}

export interface RunOptions {
  readonly store: Store;
  readonly userId: string;
  readonly turn: Turn;
  /** The messages before the question. */
  readonly history: readonly Message[];
  /** Absent if the turn continues from waiting calls. */
  readonly question: Extract<Message, { role: "user" }> | undefined;
  /** What was decided about those calls. */
  readonly decisions: readonly CallDecision[];
  /** Builds the agent with the tools of this turn. */
  readonly newAgent: (tools: readonly Tool[], steps: StepLimits) => Agent;
  readonly around: Pick<NextStep, "system" | "room" | "fallback">;
  readonly meter: Meter;
  /** Whether the first step fits into the limits. */
  readonly admitted: Promise<void>;
  readonly tools: readonly Tool[];
  readonly metadata: JsonObject;
  readonly limits: Limits;
  readonly loop: LoopShare;
  readonly now: () => number;
  readonly scrub: (text: string) => string;
  readonly texts: TextSaver;
  /** Receives what is said, for readers elsewhere. */
  readonly listener?: TurnListener;
  readonly onStored: () => void;
  readonly onTrouble: (error: unknown) => void;
  readonly onEnd: (summary: TurnSummary) => void;
}

/** The outcome of a turn. */
export interface TurnSummary {
  readonly state: TurnEnd["state"];
  readonly isSaved: boolean;
  readonly receipts: readonly Receipt[];
  readonly usage: Usage;
  readonly cost: number | undefined;
  readonly error: JsonObject | undefined;
}

/** Starts a turn that continues whether or not somebody reads it. */
export function runTurn(options: RunOptions): RunningTurn {
  const run = new Run(options);
  return {
    turn: options.turn,
    userId: options.userId,
    log: run.log,
    use: (choice) => run.agent.use(choice),
    answering: () => run.agent.answering?.model.id,
    stop: (reason) => run.stop(reason),
    done: run.go(),
  };
}

/** Asking for the loop before each event would take longer than most events do. */
const askEvery = 16;

/** A step of the turn; a broken-off one has neither timing nor finish. */
type Counted = Pick<ChatResult, "receipt" | "usage" | "cost"> &
  Partial<Pick<ChatResult, "timing" | "finish">>;

class Run {
  readonly log: TurnLog;
  readonly agent: Agent;
  readonly #options: RunOptions;
  readonly #saver: TurnSaver;
  readonly #chunks = createChunkWriter();
  readonly #abort = new AbortController();
  readonly #steps: object[] = [];
  readonly #calls = new Map<string, ToolCallPart>();
  /** Results that the history had for the answer it ends with. */
  readonly #answered: ReadonlySet<string>;
  #hasKept = false;
  #stopReason: StopReason | undefined;
  #usage: Usage = {};
  #cost: number | undefined;
  #kept: number;
  #held: UIChunk | undefined;
  #finishedAs: Finish | undefined;

  constructor(options: RunOptions) {
    this.#options = options;
    this.log = createTurnLog(options.loop, options.listener);
    this.#kept = options.history.length + (options.question === undefined ? 0 : 1);
    const last = options.history.at(-1);
    this.#answered = new Set(last?.role === "tool" ? last.parts.map(({ callId }) => callId) : []);
    this.#saver = createTurnSaver({
      store: options.store,
      userId: options.userId,
      conversationId: options.turn.conversationId,
      turnId: options.turn.id,
      saveMs: options.limits.saveMs,
      now: options.now,
      loop: options.loop,
      texts: options.texts,
      onStored: options.onStored,
      onLost: () => this.stop("lost"),
      onTrouble: options.onTrouble,
    });
    this.agent = options.newAgent(
      options.tools.map((tool) => this.#keepIntent(tool)),
      {
        beforeNext: ({ usage, cost }) =>
          this.#admit({ tokens: usage.total ?? 0, cost: cost?.total ?? 0 }),
        cap: options.meter.cap,
      },
    );
  }

  #decide(): void {
    for (const call of openCalls(this.agent.history)) this.#calls.set(call.id, call);
    for (const { callId, decision } of this.#options.decisions) this.agent.decide(callId, decision);
  }

  stop(reason: StopReason): void {
    this.#stopReason ??= reason;
    this.#abort.abort();
  }

  async go(): Promise<void> {
    const { turn, metadata, limits, question, loop } = this.#options;
    const timer = setTimeout(() => this.stop("time"), limits.turnMs);
    this.log.append(this.#chunks.start(messageIdOf(turn), metadata));
    let end: TurnEnd;
    const { signal } = this.#abort;
    const stream =
      question === undefined
        ? this.agent.resumeStream({ signal })
        : this.agent.sendStream(question.parts, { signal });
    try {
      await this.#options.admitted;
      this.#decide();
      let taken = 0;
      for await (const event of stream.events()) {
        this.#take(event);
        if (++taken % askEvery === 0 && !this.#isAnswered()) await loop.take();
      }
      end = { state: "done", messages: this.#unkept() };
    } catch (error) {
      const last = stream.receipts().at(-1);
      // A broken-off answer counts towards the limits as well.
      if (last?.unfinished) this.#count({ receipt: last, usage: {}, ...last });
      end = this.#failed(error);
    } finally {
      clearTimeout(timer);
    }
    await this.#finish(end, stream.receipts());
  }

  /** While the turn waits for room, another model may take over; then that one needs the room. */
  async #admit(took: Taken): Promise<void> {
    const { meter, tools, around } = this.#options;
    const { messages } = this.agent.history;
    for (;;) {
      const { target } = this.agent;
      await meter.admit({ target, tools, messages, ...around }, took);
      if (target.model === this.agent.target.model) return;
    }
  }

  /** The answer is complete: its end follows at once and is sent with it. */
  #isAnswered(): boolean {
    return this.agent.history.length > this.#kept;
  }

  /**
   * Store the intent first and the result afterwards, to tell a crash between the two from one
   * before.
   */
  #keepIntent(tool: Tool): Tool {
    return {
      ...tool,
      run: async (input, context) => {
        const call = this.#calls.get(context.callId);
        const { saveGraceMs } = this.#options.limits;
        const isNoted =
          call === undefined || (await isInTime(this.#saver.intent(call), saveGraceMs));
        if (!isNoted && tool.idempotent !== true) throw notNoted();
        return tool.run(input, context);
      },
    };
  }

  #take(event: AgentEvent): void {
    if (event.type === "answer") {
      if (event.event.type === "text" || event.event.type === "thinking") {
        const { type, index, delta } = event.event;
        this.#saver.text(event.step, index, type, delta);
      } else if (event.event.type === "part") {
        const { part, index } = event.event;
        if (part.type === "tool-call") this.#calls.set(part.id, part);
        this.#saver.part(part, event.step, index);
      } else if (event.event.type === "start") this.#keepMessages();
    } else if (event.type === "tool-result") this.#saver.result(event.result);
    else if (event.type === "step") {
      // An answer without calls is the last one: its blocks are stored, and it is stored with the
      // end.
      if (event.result.message.parts.some(({ type }) => type === "tool-call")) this.#keepMessages();
      this.#count(event.result);
    } else if (event.type === "turn") this.#finishedAs = event.result.finish;
    else if (event.type === "fallback") this.#saver.restart();
    for (const chunk of this.#chunks.write(event)) {
      if (chunk.type === "finish") this.#held = { ...chunk, messageMetadata: this.#summary() };
      else this.log.append(chunk);
    }
  }

  #keepMessages(): void {
    for (const message of this.#unkept()) this.#saver.message(message);
    this.#hasKept = true;
    this.#kept = Math.max(this.#kept, this.agent.history.messages.length);
  }

  #unkept(): readonly Message[] {
    return [
      ...(this.#hasKept ? [] : this.#lateMessage()),
      ...this.agent.history.messages.slice(this.#kept),
    ];
  }

  /**
   * The agent adds results of waiting calls to the message with the others, which is stored
   * already.
   */
  #lateMessage(): readonly Message[] {
    const last = this.agent.history.messages[this.#options.history.length - 1];
    const parts = last?.role === "tool" ? last.parts : [];
    const late = parts.filter(({ callId }) => !this.#answered.has(callId));
    return late.length === 0 ? [] : [{ role: "tool", parts: late }];
  }

  #count({ receipt, usage, cost, timing, finish }: Counted): void {
    this.#usage = addUsage(this.#usage, usage);
    if (cost !== undefined) this.#cost = (this.#cost ?? 0) + cost.total;
    const { raw: _, ...counts } = usage;
    this.#steps.push({ receipt, usage: counts, cost, timing, finish });
  }

  #summary(): object {
    return {
      ...this.#options.metadata,
      state: "done",
      endedAt: this.#options.now(),
      usage: this.#usage,
      ...(this.#cost !== undefined && { cost: this.#cost }),
      ...(this.#finishedAs !== undefined && { finish: this.#finishedAs }),
    };
  }

  #failed(error: unknown): TurnEnd {
    for (const chunk of this.#chunks.close()) this.log.append(chunk);
    const rest = this.#unkept();
    const reason = this.#stopReason;
    const fault = reason === "time" ? tookTooLong(this.#options.limits.turnMs) : error;
    // No user ended it: a reader who is told "stopped" would look for who did.
    if (reason === "shutdown") {
      return { state: "interrupted", messages: rest, error: { code: "shutdown" } };
    }
    return reason === "user" || isAbort(fault)
      ? { state: "stopped", messages: rest, error: { code: "stopped" } }
      : { state: "failed", messages: rest, error: errorRecord(fault, this.#options.scrub) };
  }

  async #finish(end: TurnEnd, receipts: readonly Receipt[]): Promise<void> {
    const { limits, meter, onEnd, onTrouble } = this.#options;
    const settled = meter
      .settle({ tokens: this.#usage.total ?? 0, cost: this.#cost ?? 0 })
      .catch(onTrouble);
    const whole: TurnEnd = {
      ...end,
      usage: this.#usage,
      ...(this.#cost !== undefined && { cost: this.#cost }),
      receipt: {
        steps: this.#steps,
        ...(this.#finishedAs !== undefined && { finish: this.#finishedAs }),
      },
    };
    const saving = this.#saver.finish(whole);
    if (!(await isInTime(saving, limits.saveGraceMs))) this.log.append(this.#unsaved());
    this.log.append(
      this.#held ?? endChunk(end.state === "done" ? "stopped" : end.state, end.error),
    );
    this.log.end();
    const isSaved = await saving;
    await settled;
    const { state, error } = end;
    onEnd({ state, isSaved, receipts, usage: this.#usage, cost: this.#cost, error });
  }

  /** Send the reader what may be lost with this process, so that they can keep it. */
  #unsaved(): UIChunk {
    const { history } = this.#options;
    const messages = [...this.#lateMessage(), ...this.agent.history.messages.slice(history.length)];
    return { type: "data-unsaved", data: { messages } };
  }
}

const isAbort = (error: unknown): boolean => isMullError(error) && error.category === "aborted";

/** What a turn stores of an error: allow-listed fields, scrubbed. */
const errorRecord = (error: unknown, scrub: (text: string) => string): JsonObject => {
  if (!isMullError(error)) return { code: "internal", message: "Something went wrong here." };
  const { category, code, rule, provider, requestId, retryAfterMs, retryable } = error;
  const message = scrub(error.message);
  const fix = error.fix === undefined ? undefined : scrub(error.fix);
  const fields = {
    category,
    code,
    message,
    rule,
    fix,
    provider,
    requestId,
    retryAfterMs,
    retryable,
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
};

/** Don't start a tool that can't be repeated if a crash would leave no trace of it. */
const notNoted = (): MullError =>
  new MullError("not run: the store is away, so the call could not be stored first", {
    category: "server",
    code: "unavailable",
  });

const tookTooLong = (limitMs: number): MullError =>
  new MullError(`The turn took longer than ${Math.round(limitMs / 1000)} s and was ended.`, {
    category: "timeout",
    code: "turn_time",
  });

/** The result of the work, or `false` if it says nothing for this long. */
const isInTime = (work: Promise<boolean>, ms: number): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(false), ms).unref();
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });

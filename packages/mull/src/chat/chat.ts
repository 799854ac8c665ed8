import { costOf } from "../catalogue/cost.ts";
import {
  compose,
  thinkingFieldsOf,
  type ChatTarget,
  type Composed,
  type ComposeContext,
} from "./compose.ts";
import { accountOf, connect, placeOf, urlOf, type Connection } from "./connection.ts";
import { newCallId } from "./call-id.ts";
import { exhaustedNotes } from "./exhausted.ts";
import { reportNotes, reportsOf } from "./reported.ts";
import { writeBody } from "./write-body.ts";
import { joinHeaders, secretsIn } from "../wire/common/headers.ts";
import { readRefusal } from "./read-refusal.ts";
import { mayHoldHalfCharacters, mendHalfCharacters } from "./half-characters.ts";
import { cameFromEmulator, isSimulated, madeBy } from "./simulated.ts";
import { hasBegun, spentSoFar } from "./spent.ts";
import { summarise } from "./summarise.ts";
import { Drain } from "../transport/drain.ts";
import { Loop } from "../transport/loop.ts";
import { requestIdOf } from "../transport/answer-head.ts";
import type { RetryBudget } from "../transport/retry.ts";
import { send, type SentResponse } from "../transport/send.ts";
import { streamEvents, type EventStream } from "../transport/stream.ts";
import type { Cost } from "../types/cost.ts";
import { invalidArgument, isMullError, MullError } from "../types/error.ts";
import type { Reply, StreamEvent } from "../types/event.ts";
import type { JsonObject } from "../types/json.ts";
import type { Message, Origin, ToolCallPart } from "../types/message.ts";
import type { Model } from "../types/model.ts";
import type { Attempt, Receipt, Repair } from "../types/plan.ts";
import type { ChatRequest } from "../types/request.ts";
import type { StreamDecoder } from "../types/wire.ts";
import type { ChatOptions } from "./options.ts";

/**
 * What the full library adds to the bare pipeline: model lookup, retry budgets, rules and repairs.
 */
export interface ChatHooks {
  /** The budget of an address and an account, for callers who bring none of their own. */
  readonly retryBudget?: (place: string) => RetryBudget;
  readonly modelOf?: ComposeContext["modelOf"];
  /** Mends or refuses a request before it is sent. */
  readonly preflight?: (
    composed: Composed,
    model: Model,
    heal: ChatOptions["heal"],
  ) => { readonly body: JsonObject; readonly repairs: readonly Repair[] };
  readonly heal?: (refused: {
    readonly composed: Composed;
    readonly model: Model;
    readonly body: JsonObject;
    readonly error: MullError;
  }) => { readonly body: JsonObject; readonly repair: Repair } | undefined;
}

/** One whole answer with its usage, cost and receipt. */
export interface ChatResult extends Reply {
  readonly text: string;
  readonly thinking: string;
  readonly refusal?: string;
  readonly toolCalls: readonly ToolCallPart[];
  readonly receipt: Receipt;
  readonly cost?: Cost;
  readonly timing: { readonly firstMs?: number; readonly totalMs: number };
}

/**
 * A streamed answer. One loop can read it; a second loop is refused. Leaving the loop stops the
 * request.
 */
export interface ChatStream extends AsyncIterableIterator<StreamEvent> {
  /** Events that came together with the last one and are not handed out yet; they then are. */
  takeReady(): readonly StreamEvent[];
  /** The whole answer, read to its end; a loop beside it or after it misses nothing. */
  result(): Promise<ChatResult>;
  /** What arrived so far; `undefined` before the answer began. */
  partial(): Reply | undefined;
  /** As known so far; complete when the answer is. `undefined` before the request was composed. */
  receipt(): Receipt | undefined;
}

/** What a stream can do for the library itself. */
export interface WatchedStream extends ChatStream {
  /** Says that events that were handed on are read, so that the connection stays open. */
  touch(): void;
  /** `result`, where nobody will ever want the events. */
  whole(): Promise<ChatResult>;
}

/** Opens one request. It is sent when the first event is read. */
export const openChat = (
  target: ChatTarget,
  request: ChatRequest,
  options: ChatOptions = {},
  hooks: ChatHooks = {},
): WatchedStream => new Run(target, request, options, hooks);

const healings: readonly NonNullable<ChatOptions["heal"]>[] = ["repair", "insist", "fail"];

class Run implements WatchedStream {
  readonly #target: ChatTarget;
  readonly #request: ChatRequest;
  readonly #options: ChatOptions;
  readonly #hooks: ChatHooks;
  readonly #attempts: Attempt[] = [];
  readonly #repairs: Repair[] = [];
  #composed: Composed | undefined;
  #body: JsonObject = {};
  #sent: SentResponse | undefined;
  #decoder: StreamDecoder | undefined;
  #reply: Reply | undefined;
  #beginning: Promise<EventStream> | undefined;
  #events: EventStream | undefined;
  #startedAt = 0;
  #drain: Drain<StreamEvent> | undefined;
  #loop: Loop<StreamEvent> | undefined;
  #firstAt: number | undefined;
  #endedAt: number | undefined;

  constructor(target: ChatTarget, request: ChatRequest, options: ChatOptions, hooks: ChatHooks) {
    this.#target = target;
    this.#request = request;
    this.#options = options;
    this.#hooks = hooks;
  }

  [Symbol.asyncIterator](): Loop<StreamEvent> {
    return (this.#loop = new Loop(this, this.#loop));
  }

  next(): Promise<IteratorResult<StreamEvent, undefined>> {
    return this.#drain?.next() ?? this.#pull();
  }

  #pull(): Promise<IteratorResult<StreamEvent, undefined>> {
    if (this.#events !== undefined) return this.#events.next();
    this.#beginning ??= this.#begin();
    return this.#beginning.then((events) => events.next());
  }

  async return(): Promise<IteratorResult<StreamEvent, undefined>> {
    this.#beginning ??= Promise.resolve(none);
    const events = await this.#beginning.catch(() => none);
    await events.return?.();
    return { done: true, value: undefined };
  }

  takeReady(): readonly StreamEvent[] {
    return (this.#drain ?? this.#events)?.takeReady() ?? [];
  }

  touch(): void {
    this.#events?.touch?.();
  }

  partial(): Reply | undefined {
    return this.#reply ?? this.#decoder?.partial();
  }

  receipt(): Receipt | undefined {
    const composed = this.#composed;
    if (composed === undefined) return undefined;
    const { plan, prepared, notes } = composed;
    const reply = this.#reply;
    const headers = this.#sent?.headers;
    const requestId = headers && requestIdOf(headers);
    const reported = reportsOf(this.partial()?.metadata);
    return {
      plan,
      sent: thinkingFieldsOf(this.#body),
      withheld: prepared.withheld,
      changes: prepared.changes,
      repairs: this.#repairs,
      attempts: this.#attempts,
      notes: [
        ...notes,
        ...(this.#options.notes ?? []),
        ...exhaustedNotes(reply, plan),
        ...reportNotes(reported),
      ],
      ...(reported.length > 0 && { reported }),
      ...(reply?.echo !== undefined && { echo: reply.echo }),
      ...(reply?.servedModel !== undefined && { servedModel: reply.servedModel }),
      ...(requestId !== undefined && { requestId }),
      ...this.#spent(composed),
      ...(headers !== undefined && cameFromEmulator(headers) && { simulated: true as const }),
    };
  }

  #spent({ request }: Composed): Pick<Receipt, "usage" | "cost" | "unfinished"> {
    const reply = this.partial();
    if (reply === undefined || !hasBegun(reply)) return {};
    const isWhole = this.#reply !== undefined;
    const { raw: _, ...usage } = isWhole ? reply.usage : spentSoFar(reply, request);
    const cost = costOf(usage, this.#target.model);
    return { usage, ...(cost && { cost }), ...(!isWhole && { unfinished: true }) };
  }

  result(): Promise<ChatResult> {
    return this.#readAll(true);
  }

  whole(): Promise<ChatResult> {
    return this.#readAll(false);
  }

  async #readAll(keeps: boolean): Promise<ChatResult> {
    const takeReady = (): readonly StreamEvent[] => this.#events?.takeReady() ?? [];
    this.#drain ??= new Drain({ next: () => this.#pull(), takeReady }, keeps);
    await this.#drain.end;
    const reply = this.#reply;
    const receipt = this.receipt();
    if (reply === undefined || receipt === undefined) {
      const failure = this.#events?.failure?.();
      if (failure !== undefined) throw failure;
      throw new MullError("The stream was left before its end, so there is no result.", {
        category: "aborted",
      });
    }
    return summarise(reply, receipt, {
      ...(this.#firstAt !== undefined && { firstMs: Math.round(this.#firstAt - this.#startedAt) }),
      totalMs: Math.round((this.#endedAt ?? this.#startedAt) - this.#startedAt),
    });
  }

  async #begin(): Promise<EventStream> {
    this.#startedAt = performance.now();
    const { provider, model } = this.#target;
    const { heal = "repair" } = this.#options;
    if (!healings.includes(heal)) throw invalidArgument("heal", heal, healings);
    const connection = connect(provider, this.#options, this.#options.fetch === undefined);
    const account = connection.key === undefined ? undefined : accountOf(connection.key);
    const composed = compose(this.#target, this.#request, {
      endpoint: connection.endpoint,
      account,
      simulated: this.#options.simulated ?? isSimulated(this.#options.fetch),
      modelOf: this.#hooks.modelOf,
      openLoop: this.#options.openLoop,
      contextTokens: this.#options.contextTokens,
    });
    this.#composed = composed;
    this.#body = composed.encoded.body;
    const checked = this.#hooks.preflight?.(composed, model, this.#options.heal);
    if (checked !== undefined) {
      this.#body = checked.body;
      this.#repairs.push(...checked.repairs);
    }
    const sending = this.#sendAndHeal(composed, connection);
    // What follows is ready before the first byte comes.
    const origin: Origin = {
      wire: provider.wire.id,
      provider: provider.id,
      endpoint: connection.endpoint,
      model: model.id,
      ...(account !== undefined && { account }),
    };
    const ready = this.#newDecoder(origin);
    this.#sent = await sending;
    const maker = madeBy(origin, this.#sent.headers, this.#options.fetch);
    const decoder = maker === origin ? ready : this.#newDecoder(maker);
    this.#decoder = decoder;
    this.#events = streamEvents(this.#sent, decoder, {
      newDecoder: () => (this.#decoder = this.#newDecoder(maker)),
      onFirst: () => {
        this.#firstAt ??= performance.now();
      },
      onFinish: (last) => {
        if (last?.type !== "finish") return;
        this.#reply = last.reply;
        this.#endedAt = performance.now();
      },
      ...(this.#options.maxEventBytes !== undefined && {
        maxEventBytes: this.#options.maxEventBytes,
      }),
      ...(this.#options.maxResponseBytes !== undefined && {
        maxResponseBytes: this.#options.maxResponseBytes,
      }),
    });
    return this.#events;
  }

  /** A refusal we know is answered with a mended request; one more than may be mended stands. */
  async #sendAndHeal(composed: Composed, connection: Connection): Promise<SentResponse> {
    const { heal } = this.#options;
    for (let mends = heal === "insist" ? 4 : heal === "fail" ? 0 : 1; ; mends--) {
      try {
        return await this.#send(composed, connection);
      } catch (error) {
        if (!isMullError(error) || mends === 0) throw error;
        const healed = this.#hooks.heal?.({
          composed,
          model: this.#target.model,
          body: this.#body,
          error,
        });
        if (healed === undefined) throw error;
        this.#body = healed.body;
        this.#repairs.push(healed.repair);
      }
    }
  }

  #send(composed: Composed, connection: Connection): Promise<SentResponse> {
    const { provider, model } = this.#target;
    return send(
      {
        url: urlOf(connection, composed.encoded.path),
        headers: {
          "content-type": "application/json",
          accept: "text/event-stream",
          ...joinHeaders(composed.encoded.headers, connection.headers),
        },
        body: this.#serialise(composed.request.messages),
        provider: provider.id,
        attempts: this.#attempts,
        mayThink: model.thinking.kind !== "none" && composed.prepared.setting.type !== "off",
        secrets: [connection.key ?? "", ...secretsIn(connection.headers)],
        decodeError: (failure) => readRefusal(provider, failure),
        retryBudget: this.#options.retryBudget ?? this.#hooks.retryBudget?.(placeOf(connection)),
      },
      this.#options,
    );
  }

  #serialise(messages: readonly Message[]): string {
    const text = writeBody(this.#body, messages);
    const mended = mayHoldHalfCharacters(text) ? mendHalfCharacters(this.#body) : this.#body;
    if (mended === this.#body) return text;
    this.#body = mended;
    this.#repairs.push({
      rule: "json/half-character",
      detail: "half characters in the text are sent as U+FFFD",
    });
    return writeBody(mended, messages);
  }

  #newDecoder(origin: Origin): StreamDecoder {
    const { provider } = this.#target;
    return provider.wire.decodeStream({
      origin,
      now: this.#options.clock ?? Date.now,
      newId: this.#options.newId ?? newCallId,
      ...(this.#composed?.prepared.prefix !== undefined && {
        prefix: this.#composed.prepared.prefix,
      }),
      ...(provider.quirks !== undefined && { quirks: provider.quirks }),
    });
  }
}

const none: EventStream = {
  takeReady: () => [],
  [Symbol.asyncIterator]: () => none,
  next: () => Promise.resolve({ done: true, value: undefined }),
};

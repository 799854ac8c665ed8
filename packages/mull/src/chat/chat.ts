import { compose, type ChatTarget, type Composed, type ComposeContext } from "./compose.ts";
import { connect, placeOf, urlOf, type Connection } from "./connection.ts";
import { newCallId } from "./call-id.ts";
import { watchOf, type RequestWatch } from "./observe.ts";
import { receiptOf, summarise } from "./receipt.ts";
import { createHotReader } from "../wire/common/hot-delta.ts";
import { writeBody } from "../wire/common/write-body.ts";
import { joinHeaders, secretsIn } from "../wire/common/headers.ts";
import { readRefusal } from "./read-refusal.ts";
import { mayHoldHalfCharacters, repairHalfCharacters } from "./half-characters.ts";
import { type AnswerHeaders, isFromEmulator, type SentResponse } from "../transport/answer.ts";
import type { RemotePeer } from "../transport/failure.ts";
import { Feed, type FeedSource } from "../transport/feed.ts";
import { runtimePost } from "../transport/node-client.ts";
import { AnswerReader } from "../transport/reader.ts";
import { type RetryBudget, send } from "../transport/send.ts";
import type { Cost } from "../types/usage.ts";
import { invalidArgument, isMullError, MullError } from "../types/error.ts";
import type { Reply, StreamEvent } from "../types/event.ts";
import type { DeepPartial, JsonObject } from "../types/json.ts";
import type { Message, Origin, ToolCallPart } from "../types/message.ts";
import type { Model } from "../types/model.ts";
import type { Attempt, Note, Receipt, Repair } from "../types/plan.ts";
import type { ChatRequest } from "../types/request.ts";
import type { StreamDecoder } from "../types/wire.ts";
import { growingObjects } from "./growing-object.ts";
import { objectRun } from "./object.ts";
import { healings, type ChatOptions } from "./request-options.ts";

/** What the full library adds to the bare pipeline: model lookup, retry budgets, rules and repairs. */
export interface ChatHooks {
  /** The retry budget of an address and account, if the caller gives none. */
  readonly retryBudget?: (place: string) => RetryBudget;
  readonly modelOf?: ComposeContext["modelOf"];
  /** Repairs or refuses a request before it is sent. */
  readonly preflight?: (
    composed: Composed,
    model: Model,
    heal: ChatOptions["heal"],
  ) => { readonly body: JsonObject; readonly repairs: readonly Repair[] };
  /** Lets a request go, sooner or later, with a smaller answer if need be, or throws. */
  readonly admit?: (composed: Composed, model: Model) => Promise<SmallerAnswer | undefined>;
  /** Where the caller has made it already. */
  readonly connection?: Connection;
  readonly heal?: (refused: {
    readonly composed: Composed;
    readonly model: Model;
    readonly body: JsonObject;
    readonly error: MullError;
  }) => { readonly body: JsonObject; readonly repair: Repair } | undefined;
}

/** What a request may still ask for: it had named no cap of its own. */
export interface SmallerAnswer {
  readonly maxOutputTokens: number;
  readonly note: Note;
}

/** One whole answer with its usage, cost and receipt. */
export interface ChatResult<T = unknown> extends Reply {
  readonly text: string;
  readonly thinking: string;
  readonly refusal?: string;
  readonly toolCalls: readonly ToolCallPart[];
  readonly receipt: Receipt;
  readonly cost?: Cost;
  readonly timing: { readonly firstMs?: number; readonly totalMs: number };
  /** The object that `output` asked for; absent if the answer calls tools. */
  readonly object?: T;
  /** Receipts of answers before this one that did not fit `output`. Their cost comes on top. */
  readonly rejected?: readonly Receipt[];
}

/** A streamed answer. One loop can read it; a second loop is refused. Leaving the loop stops the request. */
export interface ChatStream<T = unknown> extends AsyncIterableIterator<StreamEvent> {
  /** Reads the answer to its end and returns it. A loop at the same time or later still gets every event. */
  result(): Promise<ChatResult<T>>;
  /**
   * The object that `output` asked for, while it grows: the same object every time. Read it in place of
   * the events.
   */
  objects(): AsyncIterable<DeepPartial<T>>;
  /** What arrived so far; `undefined` before the answer began. */
  partial(): Reply | undefined;
  /** The receipt so far, complete when the answer is; `undefined` before the request was composed. */
  receipt(): Receipt | undefined;
  /** What went to the service, and the headers of its answer; `undefined` before the request was composed. */
  sent(): SentRequest | undefined;
}

/** A request as it was sent, without its key and without what follows the `?` of its address. */
export interface SentRequest {
  readonly url: string;
  readonly body: JsonObject;
  /** The headers of the answer, once they are here. Names are lower case. */
  readonly answerHeaders?: Readonly<Record<string, string>>;
}

/** Opens one request. It is sent when the first event is read. */
export const openChat = <T = unknown>(
  target: ChatTarget,
  request: ChatRequest<T>,
  options: ChatOptions = {},
  hooks: ChatHooks = {},
): ChatStream<T> => new Stream<T>(newRun(target, request, options, hooks), options);

/** One request and its answer, asked for again while it does not fit the object that is wanted. */
export function newRun(
  target: ChatTarget,
  request: ChatRequest,
  options: ChatOptions,
  hooks: ChatHooks,
): AnswerRun {
  const open = (asked: ChatRequest): ChatRun => new ChatRun(target, asked, options, hooks);
  const { output } = request;
  return output === undefined ? open(request) : objectRun(request, output, open);
}

/** A request under way. */
export interface AnswerRun extends FeedSource<StreamEvent> {
  readonly partial: () => Reply | undefined;
  /** `isOpening`: only what is known before the answer. */
  readonly receipt: (isOpening?: boolean) => Receipt | undefined;
  readonly sent: () => SentRequest | undefined;
  /** The whole answer, once it is there. */
  readonly result: () => ChatResult;
}

/** Reads to the end, for callers who want the whole answer and none of the events. */
export async function whole(run: AnswerRun): Promise<ChatResult> {
  while ((await run.pull()).length > 0);
  return run.result();
}

/** The events of a run, for its readers. */
export class Stream<T> extends Feed<StreamEvent> implements ChatStream<T> {
  readonly #run: AnswerRun;

  constructor(run: AnswerRun, options: ChatOptions) {
    super(run, options);
    this.#run = run;
  }

  async result(): Promise<ChatResult<T>> {
    await this.drain();
    return this.#run.result() as ChatResult<T>;
  }

  objects(): AsyncIterable<DeepPartial<T>> {
    return growingObjects<T>(this);
  }

  partial(): Reply | undefined {
    return this.#run.partial();
  }

  receipt(isOpening?: boolean): Receipt | undefined {
    return this.#run.receipt(isOpening);
  }

  sent(): SentRequest | undefined {
    return this.#run.sent();
  }
}

/** One request and the part of its answer that has arrived. */
export class ChatRun implements AnswerRun {
  readonly #target: ChatTarget;
  readonly #request: ChatRequest;
  readonly #options: ChatOptions;
  readonly #hooks: ChatHooks;
  readonly #attempts: Attempt[] = [];
  #repairs: Repair[] = [];
  readonly #answer: AnswerReader;
  readonly #watch: RequestWatch | undefined;
  #connection: Connection | undefined;
  #composed: Composed | undefined;
  #body: JsonObject = {};
  #headers: AnswerHeaders | undefined;
  #startedAt = 0;

  constructor(target: ChatTarget, request: ChatRequest, options: ChatOptions, hooks: ChatHooks) {
    this.#target = target;
    this.#request = request;
    this.#options = options;
    this.#hooks = hooks;
    this.#watch = watchOf(options);
    this.#answer = new AnswerReader(
      () => this.#open(),
      (headers) => this.#newDecoder(headers),
      options,
    );
  }

  pull(): Promise<StreamEvent[]> {
    const coming = this.#answer.pull();
    return this.#watch?.follow(coming, () => this.receipt()) ?? coming;
  }

  close(): Promise<void> {
    this.#watch?.left(this.receipt());
    return this.#answer.close();
  }

  idleMs(): number {
    return this.#answer.idleMs();
  }

  abandon(unread: (peer?: RemotePeer) => MullError): MullError | undefined {
    return this.#answer.abandon(unread);
  }

  partial(): Reply | undefined {
    return this.#answer.partial();
  }

  /** The request as it was composed; `undefined` before it was. */
  composed(): Composed | undefined {
    return this.#composed;
  }

  receipt(isOpening = false): Receipt | undefined {
    if (this.#composed === undefined) return undefined;
    return receiptOf({
      composed: this.#composed,
      model: this.#target.model,
      body: this.#body,
      repairs: this.#repairs,
      attempts: this.#attempts,
      notes: this.#options.notes ?? [],
      headers: this.#headers,
      reply: this.#answer.reply(),
      partial: isOpening ? undefined : this.partial(),
    });
  }

  sent(): SentRequest | undefined {
    if (this.#connection === undefined || this.#composed === undefined) return undefined;
    return {
      url: urlOf(this.#connection, this.#composed.encoded.path).split("?", 1)[0]!,
      body: this.#body,
      ...(this.#headers && { answerHeaders: Object.fromEntries(this.#headers) }),
    };
  }

  /** The whole answer, once it is there. */
  result(): ChatResult {
    const reply = this.#answer.reply();
    const receipt = this.receipt();
    if (reply === undefined || receipt === undefined) {
      throw new MullError("The loop ended before the stream did, so there is no result.", {
        category: "aborted",
      });
    }
    const { firstAt, endedAt = this.#startedAt } = this.#answer.times();
    return summarise(reply, receipt, {
      ...(firstAt !== undefined && { firstMs: Math.round(firstAt - this.#startedAt) }),
      totalMs: Math.round(endedAt - this.#startedAt),
    });
  }

  async #open(): Promise<SentResponse> {
    this.#startedAt = performance.now();
    const { provider, model } = this.#target;
    const { heal = "repair", fetch } = this.#options;
    if (!healings.includes(heal)) throw invalidArgument("heal", heal, healings);
    const connection =
      this.#hooks.connection ?? connect(provider, this.#options, fetch === undefined);
    this.#connection = connection;
    const context = contextOf(connection, this.#options, this.#hooks);
    let composed = this.#compose(this.#request, context);
    const smaller = await this.#hooks.admit?.(composed, model);
    if (smaller !== undefined) {
      const { maxOutputTokens, note } = smaller;
      composed = this.#compose({ ...this.#request, maxOutputTokens }, context, note);
    }
    this.#watch?.composed(composed, connection.endpoint);
    return this.#sendAndHeal(composed, connection);
  }

  #compose(request: ChatRequest, context: ComposeContext, told?: Note): Composed {
    const made = compose(this.#target, request, context);
    const composed = told === undefined ? made : { ...made, notes: [...made.notes, told] };
    this.#composed = composed;
    this.#body = composed.encoded.body;
    const { model } = this.#target;
    const checked = this.#hooks.preflight?.(composed, model, this.#options.heal);
    if (checked !== undefined) this.#body = checked.body;
    this.#repairs = [...(checked?.repairs ?? [])];
    return composed;
  }

  /** Sends the request. When the service refuses it for a reason a rule knows, the rule repairs the body and it is sent again: once, or four times with `insist`. */
  async #sendAndHeal(composed: Composed, connection: Connection): Promise<SentResponse> {
    const { heal } = this.#options;
    for (let left = heal === "insist" ? 4 : heal === "fail" ? 0 : 1; ; left--) {
      try {
        return await this.#send(composed, connection);
      } catch (error) {
        if (!isMullError(error) || left === 0) throw error;
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
    const { dispatcher, fetch: own } = this.#options;
    const post = own === undefined && dispatcher === undefined ? runtimePost() : undefined;
    const watched = this.#watch?.post(own ?? post ?? fetch, this.#attempts, this.#repairs);
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
        post: watched ?? post,
        retryBudget: this.#options.retryBudget ?? this.#hooks.retryBudget?.(placeOf(connection)),
      },
      watched === undefined ? this.#options : { ...this.#options, fetch: undefined },
    );
  }

  #serialise(messages: readonly Message[]): string {
    const text = writeBody(this.#body, messages);
    const repaired = mayHoldHalfCharacters(text) ? repairHalfCharacters(this.#body) : this.#body;
    if (repaired === this.#body) return text;
    this.#body = repaired;
    this.#repairs.push({
      rule: "json/half-character",
      detail: "lone surrogates (half characters) are sent as U+FFFD",
    });
    return writeBody(repaired, messages);
  }

  #newDecoder(headers: AnswerHeaders): StreamDecoder {
    this.#headers = headers;
    const { provider, model } = this.#target;
    const { endpoint, account } = this.#connection ?? {};
    const prefix = this.#composed?.prepared.prefix;
    const origin: Origin = {
      wire: provider.wire.id,
      provider: provider.id,
      ...(endpoint !== undefined && { endpoint }),
      model: model.id,
      ...(account !== undefined && { account }),
      ...(isFromEmulator(headers) && { simulated: true }),
    };
    return provider.wire.decodeStream({
      origin,
      now: this.#options.clock ?? Date.now,
      newId: this.#options.newId ?? newCallId,
      hotReader: createHotReader,
      ...(prefix !== undefined && { prefix }),
      ...(provider.quirks !== undefined && { quirks: provider.quirks }),
    });
  }
}

/** What a request is composed for: the connection, and what the options say of its service. */
export const contextOf = (
  { endpoint, account }: Connection,
  { fetch, simulated = isEmulator(fetch), openLoop, contextTokens }: ChatOptions,
  { modelOf }: ChatHooks,
): ComposeContext => ({ endpoint, account, simulated, modelOf, openLoop, contextTokens });

/** Whether `fetch` comes from `emulate()`, which marks it. */
const isEmulator = (fetch: object | undefined): boolean =>
  fetch !== undefined && "simulated" in fetch && fetch.simulated === true;

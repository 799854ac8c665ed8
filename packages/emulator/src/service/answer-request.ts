import { isJsonObject } from "mull/wire";
import type { JsonObject, Model } from "mull";
import type { ServeContext, ServeError } from "mull/wire";

import { answer } from "../brain/brain.ts";
import type { Fault } from "../fault/fault.ts";
import { parseFaults } from "../fault/fault.ts";
import { applyFault, bytesOf, playSegments, type Segment } from "../fault/segments.ts";
import { draftOfActions } from "../script/draft-of-actions.ts";
import type { Asked } from "../script/script.ts";
import type { Draft, Failure } from "../world/draft.ts";
import { piecesOf } from "../world/tokens.ts";
import type { World } from "../world/world.ts";
import { withAllowedTools } from "./allowed-tools.ts";
import { answerError } from "./answer-error.ts";
import { answerHeaders } from "./answer-headers.ts";
import { authenticate } from "./authenticate.ts";
import { composeReply, promptTokens, type ComposedReply } from "./compose-reply.ts";
import { withEffortInForce } from "./effort-in-force.ts";
import { speakFailure } from "./failures.ts";
import { findRefusal, type Rest } from "./find-refusal.ts";
import { modelAsked } from "./host.ts";
import { refuseBeyond } from "./refuse-beyond.ts";
import { refuseContentType, refuseUncounted, refuseUnreadable } from "./refuse-body.ts";
import { refuseFiles } from "./refuse-files.ts";
import { refuseModel } from "./refuse-model.ts";
import { refuseOverflow } from "./refuse-overflow.ts";
import { refuseSize } from "./refuse-size.ts";
import { type ServiceExchange, type ReadExchange, type Refusal, type Service } from "./service.ts";
import { streamReply } from "./stream-reply.ts";
import { isBare, wantedOutput } from "./wanted-output.ts";

/** A request as it came in. */
export interface Incoming {
  readonly method: string;
  readonly url: URL;
  readonly path: string;
  readonly headers: Headers;
  readonly body: string;
  readonly signal: AbortSignal;
}

/** Which service is asked, for what, and of which model. */
export interface ServiceCall {
  readonly service: Service;
  readonly action: "generate" | "count";
  /** Where the path names the model; otherwise the body does. */
  readonly model?: string;
  /** Where the path says whether to stream; otherwise the body does. */
  readonly stream?: boolean;
}

type Verdict = "answered" | "refused" | "failed";

/** One request being answered, with everything that goes into the journal at the end. */
interface Work {
  readonly world: World;
  readonly call: ServiceCall;
  readonly incoming: Incoming;
  readonly headers: Readonly<Record<string, string>>;
  readonly rest: Rest;
}

/** From this length on, all pieces of work together would hold up everybody else in the process. */
const longBody = 500_000;

/** Lets others have the event loop between two pieces of work on a long request. */
const restFor =
  ({ clock }: World, { body, signal }: Incoming): Rest =>
  () =>
    body.length < longBody ? undefined : clock.sleep(0, signal);

const pathOf = (url: URL): string => {
  const query = new URLSearchParams(url.search);
  if (query.has("key")) query.set("key", "***");
  return query.size === 0 ? url.pathname : `${url.pathname}?${query.toString()}`;
};

const write = (
  work: Work,
  verdict: Verdict,
  status: number,
  more: {
    readonly exchange?: ServiceExchange;
    readonly stream?: boolean;
    readonly rule?: string;
    readonly message?: string;
    readonly source?: "script" | "brain";
    readonly warnings?: readonly string[];
    readonly body?: JsonObject;
  },
): void => {
  const { exchange, warnings, ...rest } = more;
  work.world.journal.write(
    {
      method: work.incoming.method,
      path: pathOf(work.incoming.url),
      wire: work.call.service.wire,
      status,
      verdict,
      ...(exchange !== undefined && { model: exchange.modelId, body: exchange.body }),
      ...(warnings !== undefined && warnings.length > 0 && { warnings }),
      ...rest,
    },
    work.incoming.body.length,
  );
};

const jsonResponse = (
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>>,
): Response =>
  new Response(JSON.stringify(body), {
    status,
    headers: { "content-type": "application/json", ...headers },
  });

const errorResponse = (
  { call, headers }: Work,
  error: ServeError,
  more: Readonly<Record<string, string>> = {},
): Response => answerError(call.service, error, { ...headers, ...more });

const refuse = (
  work: Work,
  { rule, error }: Refusal,
  more: {
    readonly exchange?: ServiceExchange;
    readonly warnings?: readonly string[];
    readonly body?: JsonObject;
  } = {},
): Response => {
  write(work, "refused", error.status, { ...more, rule, message: error.message });
  return errorResponse(work, error);
};

const fail = (work: Work, failure: Failure, exchange: ServiceExchange): Response => {
  const { error, headers } = speakFailure(failure, work.call.service.wire, work.world.clock.now());
  write(work, "failed", error.status, { exchange, message: error.message });
  return errorResponse(work, error, headers);
};

const parseBody = (text: string): JsonObject | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

const askedOf = (exchange: ReadExchange): Asked => {
  const { messages } = exchange.request;
  const user = messages.findLast((message) => message.role === "user");
  const texts = (user?.parts ?? []).flatMap((part) => (part.type === "text" ? [part.text] : []));
  return {
    model: exchange.modelId,
    wire: exchange.wire,
    text: texts.join("\n"),
    turn: messages.filter((message) => message.role === "assistant").length + 1,
  };
};

const draftFor = (
  exchange: ReadExchange,
  service: Service,
  asked: Asked,
): { readonly draft: Draft; readonly source: "script" | "brain" } => {
  const actions = exchange.world.player.next(asked);
  if (actions !== undefined) return { draft: draftOfActions(actions), source: "script" };
  const betweenTools = service.thinksBetweenTools(exchange);
  const schema = wantedOutput(exchange.wire, exchange.body);
  const request = withAllowedTools(exchange.request, exchange.body);
  const wanted = schema === undefined ? request : { ...request, output: { schema } };
  const draft = answer(wanted, exchange.model, {
    betweenTools,
    note: exchange.world.options.note,
  });
  return { draft: isBare(exchange.body) ? bared(draft) : draft, source: "brain" };
};

/** A draft whose texts are JSON strings, with the texts that they stand for. */
const bared = (draft: Draft): Draft => ({
  ...draft,
  parts: draft.parts.map((part) =>
    part.type === "text" ? { ...part, text: String(JSON.parse(part.text)) } : part,
  ),
});

const htmlResponse = (status: number): Response =>
  new Response(
    `<!DOCTYPE html><html><head><title>${status}</title></head><body><h1>${status}</h1><p>The proxy could not reach the service.</p></body></html>`,
    { status, headers: { "content-type": "text/html; charset=utf-8" } },
  );

const faultsOf = (work: Work, asked: Asked): readonly Fault[] => [
  ...work.world.faults.take(asked),
  ...parseFaults(work.incoming.headers.get("x-mull-fault") ?? ""),
];

const respond = (
  work: Work,
  exchange: ReadExchange,
  composed: ComposedReply,
  draft: Draft,
  faults: readonly Fault[],
  stream: boolean,
): Response => {
  const { service } = work.call;
  const { world, incoming } = work;
  const context: ServeContext = {
    model: exchange.modelId,
    id: composed.reply.id ?? "",
    created: Math.floor(world.clock.now() / 1000),
    pieces: piecesOf,
    request: service.repeat?.(exchange) ?? exchange.request,
  };
  const first = service.mirror.encodeReply(composed.reply, context);
  const whole = service.wholeChoices?.(first, exchange) ?? first;
  service.remember?.(exchange, whole);
  const body = stream
    ? streamReply(service, exchange, composed, context, draft.disturbances, faults)
    : {
        contentType: "application/json",
        segments: faults.reduce<readonly Segment[]>(
          (segments, fault) => applyFault(segments, fault, () => ""),
          [bytesOf(JSON.stringify(service.postpone?.(whole, exchange) ?? whole))],
        ),
      };
  return new Response(playSegments(body.segments, world.clock, incoming.signal), {
    status: 200,
    headers: { "content-type": body.contentType, ...work.headers },
  });
};

/** An answer without streaming fails as a whole: no part of it was sent before. */
const laterFailure = ({ disturbances }: Draft): Failure | undefined =>
  disturbances.find((disturbance) => disturbance.type === "failure")?.failure;

const generate = async (
  work: Work,
  exchange: ReadExchange,
  warnings: readonly string[],
): Promise<Response> => {
  const { world, call, incoming } = work;
  const stream = call.stream ?? exchange.body["stream"] === true;
  const asked = askedOf(exchange);
  const faults = faultsOf(work, asked);
  for (const fault of faults) {
    if (fault.type === "latency") await world.clock.sleep(fault.ms, incoming.signal);
    if (fault.type === "status") return fail(work, fault.failure, exchange);
    if (fault.type === "html") {
      write(work, "failed", fault.status, { exchange, message: "a page of HTML" });
      return htmlResponse(fault.status);
    }
  }
  await work.rest();
  incoming.signal.throwIfAborted();
  const { draft, source } = draftFor(exchange, call.service, asked);
  const failure = draft.failure ?? (stream ? undefined : laterFailure(draft));
  if (failure !== undefined) return fail(work, failure, exchange);
  await work.rest();
  const composed = composeReply(call.service, exchange, draft);
  write(work, "answered", 200, { exchange, stream, source, warnings });
  return respond(work, exchange, composed, draft, faults, stream);
};

const countForms: Readonly<Record<Service["wire"], (tokens: number) => JsonObject>> = {
  "anthropic-messages": (tokens) => ({ input_tokens: tokens }),
  "openai-responses": (tokens) => ({ object: "response.input_tokens", input_tokens: tokens }),
  "openai-chat": (tokens) => ({ input_tokens: tokens }),
  "google-generate": (tokens) => ({
    totalTokens: tokens,
    promptTokensDetails: [{ modality: "TEXT", tokenCount: tokens }],
  }),
};

/** Google wraps the request to be counted. */
const countedBody = (body: JsonObject): JsonObject => {
  const inner = body["generateContentRequest"];
  return isJsonObject(inner) ? inner : body;
};

/** A request that is only counted needs no cap. The rules want one, so it gets the model's own. */
const withCap = (body: JsonObject, { action, service }: ServiceCall, model: Model): JsonObject =>
  action === "count" && service.wire === "anthropic-messages"
    ? { max_tokens: model.outputCap ?? 128_000, ...body }
    : body;

/** The body as the rules see it: a model named in the path is put into it, except on Google's wire. */
const bodyOf = (parsed: JsonObject, { action, model, service }: ServiceCall): JsonObject => {
  const body = action === "count" ? countedBody(parsed) : parsed;
  return model === undefined || service.wire === "google-generate" ? body : { ...body, model };
};

/** Answers one request: parse, authenticate, find the model, fill in stored turns, run the rules, reply. */
export const answerRequest = async (
  world: World,
  call: ServiceCall,
  incoming: Incoming,
): Promise<Response> => {
  const { service } = call;
  const work: Work = {
    world,
    call,
    incoming,
    headers: answerHeaders(service.wire, world.random, world.clock.now()),
    rest: restFor(world, incoming),
  };
  const tooLarge = refuseSize(service.wire, incoming.body);
  if (tooLarge !== undefined) return refuse(work, tooLarge);
  const caller = authenticate(service.wire, incoming.headers, incoming.url);
  if ("refusal" in caller) return refuse(work, { rule: "http/auth", error: caller.refusal });
  const wrongType = refuseContentType(service.wire, incoming.headers, incoming.url);
  if (wrongType !== undefined) return refuse(work, wrongType);
  const parsed = parseBody(incoming.body);
  if (parsed === undefined) return refuse(work, refuseUnreadable(service.wire));
  const uncounted = call.action === "count" ? refuseUncounted(service.wire, parsed) : undefined;
  if (uncounted !== undefined) return refuse(work, uncounted);
  const named = bodyOf(parsed, call);
  const modelId = call.model ?? (typeof named["model"] === "string" ? named["model"] : "");
  const model = modelAsked(modelId, incoming.url, world);
  const body = withCap(named, call, model);
  const first: ServiceExchange = {
    wire: service.wire,
    path: incoming.path + incoming.url.search,
    query: incoming.url.searchParams,
    headers: Object.fromEntries(incoming.headers),
    body,
    model,
    modelId,
    account: caller.account,
    world,
  };
  const unknown = refuseModel(first);
  if (unknown !== undefined) return refuse(work, unknown, { exchange: first });
  const recalled = service.recall?.(first) ?? body;
  if (isRefusal(recalled)) return refuse(work, recalled, { exchange: first });
  const exchange: ServiceExchange = { ...first, body: recalled };
  const { refusal, warnings } = await findRefusal(service, exchange, work.rest);
  const wrong =
    refusal ??
    refuseFiles(exchange) ??
    refuseBeyond(service.wire, recalled) ??
    refuseOverflow(service, exchange, recalled);
  if (wrong !== undefined) return refuse(work, wrong, { exchange, warnings });
  if (call.action === "count") {
    write(work, "answered", 200, { exchange, warnings });
    return jsonResponse(
      200,
      countForms[service.wire](promptTokens(service, recalled)),
      work.headers,
    );
  }
  await work.rest();
  const request = service.mirror.decodeRequest({
    path: exchange.path,
    headers: exchange.headers,
    body: exchange.body,
  });
  const effective = withEffortInForce(request, exchange.body);
  return generate(work, { ...exchange, request: effective }, warnings);
};

const isRefusal = (value: JsonObject | Refusal): value is Refusal =>
  "rule" in value && "error" in value;

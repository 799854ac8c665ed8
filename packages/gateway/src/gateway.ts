import { MullError, resolveModel } from "mull";
import type { ChatTarget, Environment, Fetch, JsonObject } from "mull";
import { whyNextModel } from "mull/wire";

import { checkAccess } from "./access.ts";
import { holdsCarried } from "./carry-in.ts";
import { chooseTarget } from "./choose-target.ts";
import { readDial } from "./client-dial.ts";
import type { ClientCall, GatewayParts } from "./client-call.ts";
import { compact, isCompaction } from "./compact.ts";
import { clientKeyOf, connectTo, isOwnVendor } from "./connections.ts";
import { count } from "./count.ts";
import { createMetrics } from "./metrics.ts";
import { modelList, modelNames } from "./model-list.ts";
import { readBody } from "./read-body.ts";
import { openReceipt, receiptHeader, type GatewayReceipt } from "./receipt.ts";
import { refuseState } from "./refuse-state.ts";
import { relay } from "./relay.ts";
import { callerOf, routeOf } from "./route.ts";
import { createSealCodec } from "./seal-codec.ts";
import { asMullError, readRequest, translate } from "./translate.ts";
import { errorResponse, requestIdHeader, writeError } from "./write-error.ts";

/** Settings of `createGateway`. */
export interface GatewayOptions {
  /** Answers whatever no line of `map` matches, e.g. `gpt-6-sol/high`. Default: the model that is asked for. */
  readonly model?: string | undefined;
  /** Names asked for, `*` standing for any text, and who answers: `claude-haiku-*` → `gemini-3.8-flash/low`. */
  readonly map?: Readonly<Record<string, string>> | undefined;
  /** Models to ask, in order, where a service is down, rate-limited or refuses for good. */
  readonly fallback?: readonly string[] | undefined;
  /** Seals of other services travel through clients under this secret; gateways that share it read each other's. */
  readonly secret: string;
  /** Where keys and addresses of the services are looked up. Default: nowhere. */
  readonly environment?: Environment | undefined;
  /** SHA-256 hashes, as hex, of the keys that clients must send. Absent: only this machine may ask. */
  readonly clientKeys?: readonly string[] | undefined;
  /** Host headers that are allowed besides those of this machine. */
  readonly hosts?: readonly string[] | undefined;
  /** Asks the services; a recorder or an emulator goes in here. */
  readonly fetch?: Fetch | undefined;
  /** Called once for every request, when it ended. */
  readonly onRequest?: ((receipt: GatewayReceipt) => void) | undefined;
  /** Milliseconds of silence after which a streaming client gets a ping. Default 10,000. */
  readonly pingMs?: number | undefined;
}

/** A gateway as one request handler. */
export interface Gateway {
  readonly fetch: (request: Request) => Promise<Response>;
  /** Counters for Prometheus, as `GET /metrics` shows them. */
  readonly metrics: () => string;
}

/** Makes a gateway: any client in, any model out. It keeps no conversation. */
export function createGateway(options: GatewayOptions): Gateway {
  if (typeof options?.secret !== "string" || options.secret.length < 16)
    throw new MullError("secret: a text of at least 16 characters is needed", {
      category: "invalid_argument",
      code: "INVALID_ARG",
      field: "secret",
      fix: "set MULL_GATEWAY_SECRET, the same for all gateways of an installation",
    });
  const metrics = createMetrics();
  const parts: GatewayParts = {
    codec: createSealCodec(options.secret),
    environment: options.environment ?? {},
    fetch: options.fetch,
    isSimulated: options.fetch !== undefined && "simulated" in options.fetch,
    takesClientKeys: options.clientKeys === undefined,
    now: Date.now,
    pingMs: options.pingMs ?? 10_000,
  };
  const onEnd = (receipt: GatewayReceipt): void => {
    metrics.count(receipt);
    options.onRequest?.(receipt);
  };
  return {
    metrics: metrics.text,
    fetch: async (request) => {
      const url = new URL(request.url);
      const key = clientKeyOf(request.headers, url);
      const wire = callerOf(url.pathname, request.headers);
      const refused = await checkAccess(request, key, options);
      if (refused === undefined && request.method === "GET" && url.pathname === "/metrics")
        return new Response(metrics.text(), {
          headers: { "content-type": "text/plain; version=0.0.4; charset=utf-8" },
        });
      const route = routeOf(request.method, url.pathname, request.headers);
      const id = requestIdOf(request.headers) ?? `req_${crypto.randomUUID().replaceAll("-", "")}`;
      const action = route?.action ?? "none";
      metrics.begin();
      const receipt = openReceipt({ id, wire: route?.wire ?? wire, action }, parts.now, onEnd);
      const fail = (thrown: unknown, details?: JsonObject): Response => {
        const error = asMullError(thrown);
        const written = writeError(error, route?.wire ?? wire, id, details);
        receipt.fail(error);
        receipt.fields.status = written.error.status;
        const more = route === undefined ? {} : { "x-mull-receipt": receiptHeader(receipt) };
        receipt.end();
        return errorResponse(written, route?.wire ?? wire, more);
      };
      if (refused !== undefined) return fail(refused);
      if (wire === "openai-responses" && request.headers.has("upgrade")) return fail(needsHttp());
      if (route === undefined) return fail(noRoute(request.method, url.pathname));
      if (route.action === "models") {
        receipt.end();
        const list = modelList(route.wire, modelNames(options));
        return Response.json(list, { headers: { [requestIdHeader(route.wire)]: id } });
      }
      try {
        const { body, text } = await readBody(request);
        const asked = route.model ?? (typeof body["model"] === "string" ? body["model"] : "");
        const stream = route.stream ?? (route.action !== "compact" && body["stream"] === true);
        Object.assign(receipt.fields, { asked, stream });
        if (asked === "") throw noModel();
        const call: ClientCall = {
          route,
          wire: route.wire,
          method: request.method,
          url,
          headers: request.headers,
          body,
          text,
          asked,
          stream,
          id,
          signal: request.signal,
          key,
          receipt,
        };
        return await answer(call, options, parts, fail);
      } catch (error) {
        return fail(error);
      }
    },
  };
}

/** Ids that a client or a proxy gave are kept, where they are ids. */
function requestIdOf(headers: Headers): string | undefined {
  const id = headers.get("x-request-id") ?? headers.get("request-id");
  return id !== null && /^[\w.:-]{1,128}$/.test(id) ? id : undefined;
}

type WriteFailure = (thrown: unknown, details?: JsonObject) => Response;

/** Asks the model that is meant, and then those that stand in for it. */
async function answer(
  call: ClientCall,
  options: GatewayOptions,
  parts: GatewayParts,
  fail: WriteFailure,
): Promise<Response> {
  const first = chooseTarget(call.asked, call.wire, options, thinksBesideTools(call));
  const others = (options.fallback ?? []).map((ref) => resolveModel(ref));
  const targets = [first, ...others];
  for (const [at, target] of targets.entries()) {
    const mayFallBack = at < targets.length - 1;
    const { fields } = call.receipt;
    Object.assign(fields, { provider: target.provider.id, model: target.model.id });
    try {
      return await answerWith(call, target, parts, mayFallBack, fail);
    } catch (error) {
      const why = mayFallBack ? whyNextModel({ error }) : undefined;
      if (why === undefined) throw error;
      fields.fallbacks = [
        ...fields.fallbacks,
        { model: `${target.provider.id}:${target.model.id}`, error: why },
      ];
    }
  }
  throw new MullError("no model is left to ask", { category: "server" });
}

/** Chat Completions of OpenAI's newer models refuses tools beside an effort; Responses takes both. */
function thinksBesideTools({ wire, body }: ClientCall): boolean {
  const { tools, reasoning_effort: effort } = body;
  const hasTools = Array.isArray(tools) && tools.length > 0;
  return wire === "openai-chat" && hasTools && effort !== undefined && effort !== "none";
}

async function answerWith(
  call: ClientCall,
  target: ChatTarget,
  parts: GatewayParts,
  mayFallBack: boolean,
  fail: WriteFailure,
): Promise<Response> {
  const { wire, route, receipt } = call;
  const needsKey = !parts.isSimulated;
  const client = { headers: call.headers, key: call.key, isTrusted: parts.takesClientKeys };
  const isForeign = target.provider.wire.id !== wire || !isSameModel(call, target);
  if (isForeign || !isOwnVendor(target.provider, wire)) {
    const refusal = refuseState(wire, call.body);
    if (refusal !== undefined) return fail(refusal.error, refusal.details);
  }
  const upstream = connectTo(target, wire, client, parts.environment, needsKey);
  if (canPass(call, target)) {
    receipt.fields.lane = "pass";
    return relay(call, target, upstream, parts, mayFallBack);
  }
  receipt.fields.lane = "translate";
  if (route.action === "count") return count(call, target, upstream, parts);
  if (target.provider.wire.id !== wire && wire === "openai-responses" && isCompaction(call))
    return compact(call, target, upstream, parts);
  return translate(call, target, upstream, parts, mayFallBack);
}

const isSameModel = ({ asked }: ClientCall, { model }: ChatTarget): boolean => asked === model.id;

/** Same vendor, model and level, and no seal of ours inside: the bytes go through. */
function canPass(call: ClientCall, target: ChatTarget): boolean {
  if (target.provider.wire.id !== call.wire || !isSameModel(call, target)) return false;
  if (holdsCarried(call.text)) return false;
  if (target.level === undefined || call.route.action !== "generate") return true;
  return readDial(readRequest(call), call.wire, target).level === target.level;
}

const needsHttp = (): MullError =>
  new MullError("this gateway answers over HTTP, not over a WebSocket", {
    category: "invalid_argument",
    code: "websocket_unsupported",
    status: 426,
    fix: "send POST /v1/responses",
  });

const noRoute = (method: string, path: string): MullError =>
  new MullError(`${method} ${path.slice(0, 200)} is nothing this gateway answers`, {
    category: "not_found",
    code: "unknown_path",
    fix: "POST /v1/messages, /v1/responses, /v1/chat/completions or /v1beta/models/{model}:generateContent",
  });

const noModel = (): MullError =>
  new MullError("model: a name is needed", {
    category: "invalid_argument",
    code: "missing_model",
    field: "model",
    fix: "name a model as model/level, e.g. gpt-6-sol/high",
  });

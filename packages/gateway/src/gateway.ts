import { MullError } from "mull";
import type { Environment, Fetch, JsonObject, Observe, WireId } from "mull";

import { checkAccess } from "./access.ts";
import { answerCall } from "./answer-call.ts";
import { chooseTarget, type ModelRoutes } from "./choose-target.ts";
import type { ClientCall, GatewayParts } from "./client-call.ts";
import {
  jsonAnswer,
  type ClientAnswer,
  type ClientHeaders,
  type ClientRequest,
} from "./client-exchange.ts";
import { clientKeyOf } from "./connections.ts";
import { createMetrics } from "./metrics.ts";
import { modelList, modelNames, modelPage } from "./model-list.ts";
import { readBody } from "./read-body.ts";
import { openReceipt, receiptHeader, type GatewayReceipt } from "./receipt.ts";
import { callerOf, routeOf } from "./route.ts";
import { createSealCodec } from "./seal-codec.ts";
import { asMullError } from "./translate.ts";
import { webHandler } from "./web-handler.ts";
import { errorAnswer, requestIdHeader, writeError } from "./write-error.ts";

/** Settings of `createGateway`. */
export interface GatewayOptions {
  /**
   * The model that answers if no line of `map` matches, e.g. `gpt-6-sol/high`. Default: the model
   * that the client asks for.
   */
  readonly model?: string | undefined;
  /**
   * Names that clients ask for, with `*` for any text, and the models that answer: `claude-
   * haiku-*` → `gemini-3.8-flash/low`.
   */
  readonly map?: Readonly<Record<string, string>> | undefined;
  /** Models to ask, in order, when a service is down, limits the rate or refuses for good. */
  readonly fallback?: readonly string[] | undefined;
  /** Seals of other services travel through clients under this secret; gateways that share it read each other's. */
  readonly secret: string;
  /** Where keys and addresses of the services are looked up. Default: nowhere. */
  readonly env?: Environment | undefined;
  /** SHA-256 hashes, as hex, of the keys that clients must send. Absent: only this machine may ask. */
  readonly clientKeys?: readonly string[] | undefined;
  /** Host headers that are allowed besides those of this machine. */
  readonly hosts?: readonly string[] | undefined;
  /** Asks the services; a recorder or an emulator goes in here. */
  readonly fetch?: Fetch | undefined;
  /** Told of every request to a model, e.g. what `otel()` of `@mull/otel` returns. */
  readonly observe?: Observe | undefined;
  /** Called once for every request, when it ended. */
  readonly onRequest?: ((receipt: GatewayReceipt) => void) | undefined;
  /** Milliseconds of silence after which a streaming client gets a ping. Default 10,000. */
  readonly pingMs?: number | undefined;
}

/** A gateway as one request handler. */
export interface Gateway {
  readonly fetch: (request: Request) => Promise<Response>;
  /** The same for a server of your own: without web streams, which cost Node more than the rest. */
  readonly answer: (request: ClientRequest) => Promise<ClientAnswer>;
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
    env: options.env ?? {},
    ownConnections: new Map(),
    fetch: options.fetch,
    observe: options.observe,
    isSimulated: options.fetch !== undefined && "simulated" in options.fetch,
    takesClientKeys: options.clientKeys === undefined,
    now: Date.now,
    pingMs: options.pingMs ?? 10_000,
  };
  const onEnd = (receipt: GatewayReceipt): void => {
    metrics.count(receipt);
    try {
      options.onRequest?.(receipt);
    } catch {
      // A log on a full disk must not fail the answer.
    }
  };
  const answer = async (request: ClientRequest): Promise<ClientAnswer> => {
    const { method, headers } = request;
    const url = new URL(`http://gateway${request.target}`);
    const key = clientKeyOf(headers, url);
    const refused = await checkAccess(headers, key, options);
    if (refused === undefined && method === "GET" && url.pathname === "/metrics")
      return {
        status: 200,
        headers: { "content-type": "text/plain; version=0.0.4; charset=utf-8" },
        body: metrics.text(),
      };
    const route = routeOf(method, url.pathname, headers);
    const wire = route?.wire ?? callerOf(url.pathname, headers);
    const id = requestIdOf(headers) ?? `req_${crypto.randomUUID().replaceAll("-", "")}`;
    metrics.begin();
    const receipt = openReceipt({ id, wire, action: route?.action ?? "none" }, parts.now, onEnd);
    const fail = (thrown: unknown, details?: JsonObject): ClientAnswer => {
      const error = asMullError(thrown);
      const written = writeError(error, wire, id, details);
      receipt.fail(error);
      receipt.fields.status = written.error.status;
      const more = route === undefined ? {} : { "x-mull-receipt": receiptHeader(receipt) };
      receipt.end();
      return errorAnswer(written, wire, more);
    };
    if (refused !== undefined) return fail(refused);
    if (wire === "openai-responses" && headers.has("upgrade")) return fail(needsHttp());
    if (route === undefined) return fail(noRoute(method, url.pathname));
    try {
      if (route.action === "models") {
        receipt.fields.asked = route.model?.slice(0, 200) ?? "";
        const told = tellModels(wire, route.model, options);
        receipt.end();
        return jsonAnswer(told, { [requestIdHeader(wire)]: id });
      }
      const call = await readCall(request, { route, wire, url, id, key, receipt });
      return await answerCall(call, options, parts, fail);
    } catch (error) {
      return fail(error);
    }
  };
  return { fetch: webHandler(answer), answer, metrics: metrics.text };
}

/**
 * The models that a client may name, or the one it asks about, with the limits of the model that
 * answers.
 */
function tellModels(wire: WireId, asked: string | undefined, routes: ModelRoutes): object {
  if (asked !== undefined) return modelPage(wire, asked, chooseTarget(asked, wire, routes).model);
  return modelList(
    wire,
    modelNames(routes).map((name) => [name, chooseTarget(name, wire, routes).model]),
  );
}

/** Reads what is asked of which model. */
async function readCall(
  request: ClientRequest,
  known: Pick<ClientCall, "route" | "wire" | "url" | "id" | "key" | "receipt">,
): Promise<ClientCall> {
  const { method, headers, signal } = request;
  const { route, receipt } = known;
  const read = await readBody(request);
  const { body } = read;
  const asked = route.model ?? (typeof body["model"] === "string" ? body["model"] : "");
  const stream = route.stream ?? (route.action !== "compact" && body["stream"] === true);
  Object.assign(receipt.fields, { asked: asked.slice(0, 200), stream });
  if (asked === "") throw noModel();
  // The trap: Node 20 makes a new hidden class for every object that begins with a spread and then gets a new field, such as
  // `{ ...known, asked }`. That takes 40 times as long, and fills old memory. Begin with a named field wherever every request passes.
  return { method, headers, signal, asked, stream, ...known, ...read };
}

/** Keeps the id that a client or a proxy gave, if it is an id. */
function requestIdOf(headers: ClientHeaders): string | undefined {
  const id = headers.get("x-request-id") ?? headers.get("request-id");
  return id !== undefined && /^[\w.:-]{1,128}$/.test(id) ? id : undefined;
}

const needsHttp = (): MullError =>
  new MullError("this gateway answers over HTTP, not over a WebSocket", {
    category: "invalid_argument",
    code: "websocket_unsupported",
    status: 426,
    fix: "send POST /v1/responses",
  });

const noRoute = (method: string, path: string): MullError =>
  new MullError(`this gateway does not answer ${method} ${path.slice(0, 200)}`, {
    category: "not_found",
    code: "unknown_url",
    fix: "send POST /v1/messages, /v1/responses, /v1/chat/completions or /v1beta/models/{model}:generateContent",
  });

const noModel = (): MullError =>
  new MullError("model: a name is needed", {
    category: "invalid_argument",
    code: "missing_model",
    field: "model",
    fix: "name a model as model/level, e.g. gpt-6-sol/high",
  });

import { costOf, MullError } from "mull";
import type { ChatTarget, Fetch, Finding, JsonObject } from "mull";
import { applyRules, heal, rulesOf, type Applied, type Refused } from "mull/rules";
import { encodeSse, mirrors, nodePost, readRefusal, urlOf } from "mull/wire";
import type { HttpAnswer, Post } from "mull/wire";

import type { ClientCall, GatewayParts } from "./client-call.ts";
import type { ClientAnswer, ClientSink } from "./client-exchange.ts";
import { keyHeaders, type ServiceConnection } from "./connections.ts";
import type { SentBytes } from "./read-body.ts";
import { watchEnd } from "./relay-end.ts";
import { receiptHeader } from "./receipt.ts";
import { codingOf, unpack } from "./unpack.ts";
import { requestIdHeader, writeError } from "./write-error.ts";

/** Headers of one connection, of the client's key, and those that the body's sender writes. */
const ownHeaders: ReadonlySet<string> = new Set([
  ...keyHeaders,
  "accept-encoding",
  "connection",
  "content-encoding",
  "content-length",
  "cookie",
  "expect",
  "host",
  "keep-alive",
  "origin",
  "proxy-authorization",
  "proxy-connection",
  "referer",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** Headers of one connection, and those between the service and its own visitors. */
const heldBack: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "set-cookie",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** `fetch` unpacks what it reads, and says nothing of it. */
const untrueOfFetch: ReadonlySet<string> = new Set(["content-encoding", "content-length"]);

const isOurs = ({ severity, answer }: Finding): boolean =>
  severity === "error" && answer?.status !== 404;

/** The service may know fields that are new to us: they go through, and the service judges them. */
const isAboutNames = (rule: string): boolean => /unknown-(?:field|name|type|setting)$/.test(rule);

/** Passes a request on as it is, repaired if the service is known to refuse it, and its answer back. */
export async function relay(
  call: ClientCall,
  target: ChatTarget,
  upstream: ServiceConnection,
  parts: GatewayParts,
  mayFallBack: boolean,
): Promise<ClientAnswer> {
  const { wire, route, receipt } = call;
  const { model } = target;
  const path = call.url.pathname;
  const headers = Object.fromEntries(call.headers);
  // Rules know what an answer needs: a count with Claude's `max_tokens` would be refused.
  const rules = route.action === "generate" ? rulesOf(wire) : [];
  const repair = (body: JsonObject, cost: "cheap" | "all"): Applied =>
    applyRules(
      { wire, model, path, headers, body },
      rules.filter(
        ({ id, preflight }) => (cost === "all" || preflight === true) && !isAboutNames(id),
      ),
      isOurs,
    );
  const checked = repair(call.body, "cheap");
  const { repairs } = checked;
  let { body } = checked;
  receipt.fields.repairs = repairs;
  if (target.level !== undefined) receipt.fields.level = target.level;
  const service = openService(parts.fetch);
  for (let isHealed = false; ; isHealed = true) {
    const sent = body === call.body ? call.sent : { bytes: utf8(JSON.stringify(body)) };
    const response = await post(call, upstream, service, sent);
    const { isPacked } = service;
    if (response.ok) return passedOn(call, target, response, isPacked);
    if (response.status < 400) throw redirected(upstream.connection.endpoint, response);
    const bytes = await readAll(response);
    const coding = isPacked ? codingOf(response.headers) : undefined;
    const said =
      coding === undefined ? bytes : await unpack(bytes, coding, longestRefusal).catch(() => bytes);
    const error = refusalOf(target, response, new TextDecoder().decode(said));
    const mayHeal = !isHealed && route.action === "generate";
    const healed = mayHeal ? healOrRepair({ wire, model, body, error }, repair) : undefined;
    if (healed !== undefined) {
      body = healed.body;
      receipt.fields.repairs = [...receipt.fields.repairs, ...healed.repairs];
      continue;
    }
    if (mayFallBack) throw error;
    receipt.fail(error);
    receipt.fields.status = response.status;
    receipt.end();
    return { status: response.status, headers: headersFor(call, response, isPacked), body: bytes };
  }
}

const longestRefusal = 1024 * 1024;

const utf8 = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

async function readAll({ body }: HttpAnswer): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  const reader = body?.getReader();
  for (let step = await reader?.read(); step?.done === false; step = await reader?.read())
    chunks.push(step.value);
  return Buffer.concat(chunks);
}

/** The rule that knows the words of a refusal repairs it. If none does, every rule looks once. */
function healOrRepair(
  refused: Refused,
  repair: (body: JsonObject, cost: "all") => Applied,
): Pick<Applied, "body" | "repairs"> | undefined {
  const healed = heal(refused);
  if (healed !== undefined) return { body: healed.body, repairs: [healed.repair] };
  if (refused.error.category !== "invalid_argument") return undefined;
  const repaired = repair(refused.body, "all");
  return repaired.repairs.length > 0 ? repaired : undefined;
}

const refusalOf = ({ provider }: ChatTarget, response: HttpAnswer, body: string): MullError =>
  readRefusal(provider, {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body,
  });

/** Sends requests to services; `isPacked` says whether a packed answer stays packed. */
interface PostingClient {
  readonly post: Post;
  readonly isPacked: boolean;
}

/** The client underneath Node's `fetch` hands over the bytes as they came; every `fetch` unpacks them. */
function openService(own: Fetch | undefined): PostingClient {
  const native = own === undefined ? nodePost() : undefined;
  return { post: native ?? own ?? fetch, isPacked: native !== undefined };
}

function post(
  call: ClientCall,
  { connection }: ServiceConnection,
  service: PostingClient,
  { bytes, coding }: SentBytes,
): Promise<HttpAnswer> {
  const accepted = service.isPacked ? call.headers.get("accept-encoding") : undefined;
  const headers: Record<string, string> = {};
  for (const [name, value] of call.headers) if (!ownHeaders.has(name)) headers[name] = value;
  Object.assign(headers, connection.headers);
  if (coding !== undefined) headers["content-encoding"] = coding;
  headers["accept-encoding"] = accepted ?? "identity";
  const url = urlOf(connection, call.url.pathname + queryOf(call.url));
  return service
    .post(url, {
      method: "POST",
      headers,
      body: bytes,
      redirect: "manual",
      signal: call.signal,
      ...(service.isPacked && { packed: true }),
    })
    .catch((error: unknown) => {
      throw call.signal.aborted ? error : unreachable(connection.endpoint, error);
    });
}

/** The query without the client's key. */
function queryOf({ search, searchParams }: URL): string {
  if (search === "" || !searchParams.has("key")) return search;
  const others = new URLSearchParams(searchParams);
  others.delete("key");
  return others.size === 0 ? "" : `?${others.toString()}`;
}

const unreachable = (endpoint: string, cause: unknown): MullError =>
  new MullError(
    `${new URL(endpoint).host} could not be reached`,
    { category: "network", code: "unreachable", retryable: true },
    { cause },
  );

/** A client would follow it, with its conversation and its key. */
function redirected(endpoint: string, { headers, body }: HttpAnswer): MullError {
  void body?.cancel().catch(() => undefined);
  const location = headers.get("location") ?? "";
  const to = URL.canParse(location, endpoint) ? new URL(location, endpoint).host : "nowhere";
  return new MullError(`${new URL(endpoint).host} redirects to ${to}`, {
    category: "protocol",
    code: "redirect",
    fix: "let the gateway ask that address instead, if you trust it",
  });
}

function headersFor(
  call: ClientCall,
  response: HttpAnswer,
  isPacked: boolean,
): Readonly<Record<string, string>> {
  const { wire, receipt } = call;
  const id = response.headers.get(requestIdHeader(wire));
  if (typeof id === "string") receipt.fields.upstreamRequestId = id;
  const headers: Record<string, string> = { [requestIdHeader(wire)]: call.id };
  for (const [name, value] of response.headers)
    if (!heldBack.has(name) && (isPacked || !untrueOfFetch.has(name))) headers[name] = value;
  headers["x-mull-receipt"] = receiptHeader(receipt);
  return headers;
}

/** The answer as it comes. A stream that breaks off ends in an error that its client understands. */
function passedOn(
  call: ClientCall,
  { model }: ChatTarget,
  response: HttpAnswer,
  isPacked: boolean,
): ClientAnswer {
  const { wire, receipt, signal } = call;
  const headers = headersFor(call, response, isPacked);
  const coding = isPacked ? codingOf(response.headers) : undefined;
  const isStream = /event-stream/.test(headers["content-type"] ?? "");
  const watch = watchEnd(wire, coding);
  const pass = async (client: ClientSink): Promise<void> => {
    const reader = response.body?.getReader();
    const leave = (): void => void reader?.cancel().catch(() => undefined);
    if (signal.aborted) leave();
    signal.addEventListener("abort", leave);
    for (let step = await reader?.read(); step?.done === false; step = await reader?.read()) {
      receipt.begin();
      watch.chunk(step.value);
      if (!client.write(step.value)) await client.ready();
    }
  };
  const body = async (client: ClientSink): Promise<void> => {
    let broken: unknown;
    await pass(client).catch((error: unknown) => {
      broken = error;
    });
    const { isWhole, usage } = await watch.read();
    const cost = usage && costOf(usage, model);
    if (usage !== undefined) receipt.fields.usage = usage;
    if (cost !== undefined) receipt.fields.cost = cost;
    const isCut = broken !== undefined || (isStream && isWhole === false);
    if (signal.aborted) receipt.fields.status = 499;
    else if (isCut) receipt.fail(cutOff());
    receipt.end();
    if (signal.aborted || !isCut) return;
    // Nothing can be added to a packed body or to JSON, so the connection breaks, as the service's
    // did.
    if (coding !== undefined || !isStream) throw cutOff();
    client.write(cutFrames(call));
  };
  return { status: response.status, headers, body };
}

const cutOff = (): MullError =>
  new MullError("the stream of the service broke off", { category: "network", code: "truncated" });

/** The end of a stream that broke off. A frame may have been cut in half: an empty line ends it. */
function cutFrames({ wire, asked, id }: ClientCall): string {
  const { error } = writeError(cutOff(), wire, id);
  const stream = mirrors[wire].openStream({
    model: asked,
    id,
    created: 0,
    pieces: (text) => [text],
  });
  return `\n\n${stream.fail(error).map(encodeSse).join("")}`;
}

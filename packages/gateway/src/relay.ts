import { costOf, MullError, type ChatTarget, type Finding, type JsonObject } from "mull";
import { applyRules, heal, rulesOf, type Applied, type Refused } from "mull/rules";
import { encodeSse, mirrors, readRefusal, urlOf } from "mull/wire";

import type { ClientCall, GatewayParts } from "./client-call.ts";
import { keyHeaders, type ServiceConnection } from "./connections.ts";
import { watchEnd } from "./relay-end.ts";
import { receiptHeader } from "./receipt.ts";
import { asMullError } from "./translate.ts";
import { requestIdHeader, writeError } from "./write-error.ts";

/** Headers of one connection; and those that `fetch` writes itself. */
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

/** Headers of an answer that no longer hold: `fetch` has unpacked the body. */
const answerHeaders: ReadonlySet<string> = new Set([
  "connection",
  "content-encoding",
  "content-length",
  "keep-alive",
  "set-cookie",
  "transfer-encoding",
]);

const isOurs = ({ severity, answer }: Finding): boolean =>
  severity === "error" && answer?.status !== 404;

/** What is new to us may be known to the service: its fields go through, and it says so itself. */
const isAboutNames = (rule: string): boolean => /unknown-(?:field|name|type|setting)$/.test(rule);

/** Passes a request on as it is, mended where the service is known to refuse it, and its answer back. */
export async function relay(
  call: ClientCall,
  target: ChatTarget,
  upstream: ServiceConnection,
  parts: GatewayParts,
  mayFallBack: boolean,
): Promise<Response> {
  const { wire, receipt } = call;
  const { model } = target;
  const path = call.url.pathname;
  const headers = Object.fromEntries(call.headers);
  const mend = (body: JsonObject, cost: "cheap" | "all"): Applied =>
    applyRules(
      { wire, model, path, headers, body },
      rulesOf(wire).filter(
        ({ id, preflight }) => !isAboutNames(id) && (cost === "all" || preflight === true),
      ),
      isOurs,
    );
  const checked = mend(call.body, "cheap");
  const { repairs } = checked;
  let { body } = checked;
  receipt.fields.repairs = repairs;
  if (target.level !== undefined) receipt.fields.level = target.level;
  const leaving = new AbortController();
  const signal = AbortSignal.any([call.signal, leaving.signal]);
  let text = body === call.body ? call.text : JSON.stringify(body);
  for (let isHealed = false; ; isHealed = true) {
    const response = await post(call, upstream, parts, text, signal);
    if (response.ok) return answered(call, target, response, () => leaving.abort());
    const refusal = await response.text();
    const error = refusalOf(target, response, refusal);
    const healed = isHealed ? undefined : healOrMend({ wire, model, body, error }, mend);
    if (healed !== undefined) {
      body = healed.body;
      text = JSON.stringify(body);
      receipt.fields.repairs = [...receipt.fields.repairs, ...healed.repairs];
      continue;
    }
    if (mayFallBack) throw error;
    receipt.fail(error);
    receipt.fields.status = response.status;
    receipt.end();
    return new Response(refusal, { status: response.status, headers: headersFor(call, response) });
  }
}

/** The rule that knows the words of a refusal mends it; where none does, every rule looks once. */
function healOrMend(
  refused: Refused,
  mend: (body: JsonObject, cost: "all") => Applied,
): Pick<Applied, "body" | "repairs"> | undefined {
  const healed = heal(refused);
  if (healed !== undefined) return { body: healed.body, repairs: [healed.repair] };
  if (refused.error.category !== "invalid_argument") return undefined;
  const mended = mend(refused.body, "all");
  return mended.repairs.length > 0 ? mended : undefined;
}

const refusalOf = ({ provider }: ChatTarget, response: Response, body: string): MullError =>
  readRefusal(provider, {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body,
  });

function post(
  call: ClientCall,
  { connection }: ServiceConnection,
  parts: GatewayParts,
  body: string,
  signal: AbortSignal,
): Promise<Response> {
  const headers: Record<string, string> = {};
  for (const [name, value] of call.headers) if (!ownHeaders.has(name)) headers[name] = value;
  const { pathname, searchParams } = call.url;
  const search = new URLSearchParams(searchParams);
  search.delete("key");
  const query = search.size === 0 ? "" : `?${search.toString()}`;
  return (parts.fetch ?? fetch)(urlOf(connection, pathname + query), {
    method: "POST",
    // Packed, the bytes could not go through as they are: `fetch` unpacks them.
    headers: { ...headers, ...connection.headers, "accept-encoding": "identity" },
    body,
    redirect: "manual",
    signal,
  }).catch((error: unknown) => {
    throw signal.aborted ? error : unreachable(connection.endpoint, error);
  });
}

const unreachable = (endpoint: string, cause: unknown): MullError =>
  new MullError(
    `${new URL(endpoint).host} could not be reached`,
    { category: "network", code: "unreachable", retryable: true },
    { cause },
  );

function headersFor({ wire, id, receipt }: ClientCall, response: Response): Headers {
  const headers = new Headers();
  for (const [name, value] of response.headers)
    if (!answerHeaders.has(name)) headers.append(name, value);
  if (!headers.has(requestIdHeader(wire))) headers.set(requestIdHeader(wire), id);
  else receipt.fields.upstreamRequestId = headers.get(requestIdHeader(wire))!;
  headers.set("x-mull-receipt", receiptHeader(receipt));
  return headers;
}

/** The answer as it comes. One that breaks off ends in an error that its client understands. */
function answered(
  call: ClientCall,
  { model }: ChatTarget,
  response: Response,
  abort: () => void,
): Response {
  const { wire, receipt } = call;
  const headers = headersFor(call, response);
  const isStream = /event-stream/.test(headers.get("content-type") ?? "");
  const watch = watchEnd(wire);
  const end = (): void => {
    const usage = watch.usage();
    const cost = usage && costOf(usage, model);
    if (usage !== undefined) receipt.fields.usage = usage;
    if (cost !== undefined) receipt.fields.cost = cost;
    receipt.end();
  };
  const reader = response.body?.getReader();
  if (reader === undefined) {
    receipt.end();
    return new Response(null, { status: response.status, headers });
  }
  const cut = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
    const error = new MullError("the stream of the service broke off", {
      category: "network",
      code: "truncated",
    });
    receipt.fail(error);
    const { error: written } = writeError(error, wire, call.id);
    const frames = mirrors[wire]
      .openStream({ model: call.asked, id: call.id, created: 0, pieces: (text) => [text] })
      .fail(written);
    // A frame may have been cut in half: an empty line ends it.
    controller.enqueue(new TextEncoder().encode(`\n\n${frames.map(encodeSse).join("")}`));
  };
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (!done) {
            receipt.begin();
            watch.chunk(value);
            controller.enqueue(value);
            return;
          }
          if (isStream && !watch.isWhole()) cut(controller);
        } catch (thrown) {
          if (!isStream) {
            receipt.fail(asMullError(thrown));
            receipt.end();
            throw thrown;
          }
          cut(controller);
        }
        end();
        controller.close();
      },
      cancel() {
        receipt.fields.status = 499;
        abort();
        void reader.cancel().catch(() => undefined);
        end();
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { status: response.status, headers });
}

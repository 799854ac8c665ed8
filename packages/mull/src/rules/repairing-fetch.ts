import { findModel } from "../catalogue/find-model.ts";
import type { HttpFailure } from "../types/http.ts";
import type { JsonObject } from "../types/json.ts";
import type { WireId } from "../types/message.ts";
import type { Repair } from "../types/plan.ts";
import type { Rule, RuleInput } from "../types/rule.ts";
import { asObject, tryParse } from "../wire/common/json-reading.ts";
import { places } from "../wire/places.ts";
import { rulesOf } from "../wire/rules-of.ts";
import { wires } from "../wire/wires.ts";
import { applyRules, heal, isRefused } from "./apply-rules.ts";

/** A request that was repaired: which model it is for, and what was changed. */
export interface RepairedRequest {
  readonly wire: WireId;
  readonly model: string;
  /** A repair with an `error` was made after the service's refusal, the others before the request was sent. */
  readonly repairs: readonly Repair[];
}

/** Settings of `repairingFetch`. */
export interface RepairingFetchOptions {
  /** What sends the requests; default the global `fetch`. */
  readonly fetch?: AnyFetch | undefined;
  /** Is told of every request that was repaired. */
  readonly onRepair?: ((repaired: RepairedRequest) => void) | undefined;
}

/** A `fetch` as clients call it. */
export type AnyFetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/**
 * A `fetch` for clients of Anthropic, OpenAI and Google that repairs what the service would refuse, and
 * once what it did refuse. Any other request goes through as it is, byte for byte.
 */
export function repairingFetch({
  fetch = (input, init) => globalThis.fetch(input, init),
  onRepair,
}: RepairingFetchOptions = {}): AnyFetch {
  return async (input, init) => {
    const asked = await readAsked(input, init);
    if (asked === undefined) return fetch(input, init);
    const before = applyRules(asked, rulesOf(asked.wire).filter(canRepair), isRefused);
    const report = (repairs: readonly Repair[]): void => {
      if (repairs.length > 0) onRepair?.({ wire: asked.wire, model: asked.model.id, repairs });
    };
    const send = (body: JsonObject): Promise<Response> =>
      body === asked.body ? fetch(input, init) : fetch(...rewritten(input, init, body));
    // A request has one body to read, and it may have to be sent twice.
    const first = input instanceof Request ? input.clone() : input;
    const response =
      before.body === asked.body ? await fetch(first, init) : await send(before.body);
    const healed = await healRefused({ ...asked, body: before.body }, response);
    report([...before.repairs, ...(healed?.repairs ?? [])]);
    if (healed === undefined) return response;
    await response.body?.cancel();
    return send(healed.body);
  };
}

/** Only rules that can repair: what they cannot repair, the service refuses itself. */
const canRepair = ({ repair, severity }: Rule): boolean =>
  repair !== undefined && severity === "error";

/** The request as rules see it; `undefined` if it is no request to a model or cannot be read. */
async function readAsked(
  input: string | URL | Request,
  init: RequestInit | undefined,
): Promise<RuleInput | undefined> {
  const isRequest = input instanceof Request;
  const url = isRequest ? input.url : String(input);
  const path = url.replace(/^[a-z]+:\/\/[^/]*|[?#].*$/gi, "");
  const place = places.find(([pattern]) => pattern.test(path));
  if (place === undefined) return undefined;
  const method = init?.method ?? (isRequest ? input.method : "GET");
  const headers = Object.fromEntries(
    new Headers(init?.headers ?? (isRequest ? input.headers : undefined)),
  );
  if (method.toUpperCase() !== "POST" || "content-encoding" in headers) return undefined;
  const body = asObject(tryParse((await textOf(input, init)) ?? ""));
  const [, wire, list] = place;
  const name = body["model"] ?? /models\/([^:/?]+)/.exec(path)?.[1];
  if (body[list] === undefined || typeof name !== "string") return undefined;
  return { wire, model: findModel(name), path, headers, body };
}

/** A streamed body can be read only once, so it is left alone. */
async function textOf(
  input: string | URL | Request,
  init: RequestInit | undefined,
): Promise<string | undefined> {
  const body = init?.body;
  if (typeof body === "string") return body;
  if (body instanceof ArrayBuffer || ArrayBuffer.isView(body))
    return new TextDecoder().decode(body);
  const isOwn = body === undefined || body === null;
  return isOwn && input instanceof Request ? input.clone().text() : undefined;
}

/** The same request with another body. Its length is another one too. */
function rewritten(
  input: string | URL | Request,
  init: RequestInit | undefined,
  body: JsonObject,
): [input: string | URL | Request, init: RequestInit] {
  const isRequest = input instanceof Request;
  const headers = new Headers(init?.headers ?? (isRequest ? input.headers : undefined));
  headers.delete("content-length");
  const text = JSON.stringify(body);
  if (isRequest) return [new Request(input, { ...init, headers, body: text }), {}];
  return [input, { ...init, headers, body: text }];
}

/** The request repaired by the rule that knows the words of the refusal, if there is one. */
async function healRefused(
  asked: RuleInput,
  response: Response,
): Promise<{ readonly body: JsonObject; readonly repairs: readonly Repair[] } | undefined> {
  if (response.status !== 400 && response.status !== 404 && response.status !== 422)
    return undefined;
  const { wire, model, body } = asked;
  const failure: HttpFailure = {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: await response.clone().text(),
  };
  const error = wires[wire].decodeError(failure, model.provider);
  const healed = heal({ wire, model, body, error });
  return healed && { body: healed.body, repairs: [healed.repair] };
}

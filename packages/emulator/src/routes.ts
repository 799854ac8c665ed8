import { isMullError } from "mull";
import type { ServeError } from "mull/wire";

import { control } from "./control.ts";
import { describeModel, listModels } from "./models.ts";
import { answerNobody, introduce } from "./no-route.ts";
import { answerError } from "./service/answer-error.ts";
import { answerHeaders } from "./service/answer-headers.ts";
import { answerRequest, type ServiceCall, type Incoming } from "./service/answer-request.ts";
import { anthropic } from "./service/anthropic.ts";
import { authenticate } from "./service/authenticate.ts";
import { chat } from "./service/chat.ts";
import { google } from "./service/google.ts";
import { localServerOf } from "./service/host.ts";
import { responses } from "./service/responses.ts";
import {
  answerPreflight,
  crossOriginHeaders,
  headerNames,
  isPreflight,
  refuseOrigin,
} from "./service/cross-origin.ts";
import { vendorOf } from "./service/failures.ts";
import type { Service } from "./service/service.ts";
import { readCompletions } from "./service/stored-completions.ts";
import { readStored } from "./service/stored-responses.ts";
import type { World } from "./world/world.ts";

type Handle = (
  world: World,
  incoming: Incoming,
  match: RegExpExecArray,
) => Response | Promise<Response>;

interface EmulatorRoute {
  readonly method: "GET" | "POST" | "DELETE";
  readonly path: RegExp;
  readonly handle: Handle;
}

const json = (
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Response =>
  new Response(JSON.stringify(body), {
    status,
    headers: { "content-type": "application/json", ...headers },
  });

const ask =
  (call: ServiceCall): Handle =>
  (world, incoming) =>
    answerRequest(world, call, incoming);

/** A name from a path. A badly escaped one matches nothing and is no error of the emulator. */
const nameIn = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

const askGoogle =
  (action: ServiceCall["action"], stream: boolean): Handle =>
  (world, incoming, match) =>
    answerRequest(
      world,
      { service: google, action, stream, model: nameIn(match[1] as string) },
      incoming,
    );

/** Azure names the model in the path. */
const askDeployment: Handle = (world, incoming, match) =>
  answerRequest(
    world,
    { service: chat, action: "generate", model: nameIn(match[1] as string) },
    incoming,
  );

/** All three list at `/v1/models`: their clients are known by their headers, Google's by its version too. */
const vendorAsked = ({ path, headers }: Incoming): Service => {
  const names = headerNames(headers);
  if (/^\/v1(?:beta|alpha)/.test(path) || names.has("x-goog-api-key")) return google;
  return names.has("anthropic-version") || names.has("x-api-key") ? anthropic : chat;
};

/** Whose client asks, also on an unknown path. */
const serviceAsked = (incoming: Incoming): Service => {
  const asked = vendorAsked(incoming);
  return asked !== google && /\/messages(?:\/|$)/.test(incoming.path) ? anthropic : asked;
};

const models: Handle = (world, incoming, match) => {
  const service = vendorAsked(incoming);
  const headers = answerHeaders(service.wire, world.random, world.clock.now());
  const caller = authenticate(service.wire, incoming.headers, incoming.url);
  if ("refusal" in caller) return answerError(service, caller.refusal, headers);
  const vendor = vendorOf[service.wire];
  const provider = localServerOf(incoming.url) ?? vendor;
  const listed = { vendor, provider, own: world.options.models };
  if (match[1] === undefined)
    return json(200, listModels(listed, incoming.url.searchParams), headers);
  const id = nameIn(match[1]);
  const found = describeModel(listed, id);
  if (found !== undefined) return json(200, found, headers);
  const error = {
    anthropic: { type: "not_found_error", message: `model: ${id}` },
    openai: {
      type: "invalid_request_error",
      message: `The model '${id}' does not exist`,
      param: "model",
      code: "model_not_found",
    },
    google: { type: "NOT_FOUND", message: `models/${id} is not found for API version v1beta.` },
  }[vendor];
  return answerError(service, { status: 404, ...error }, headers);
};

/** Google's paths have a version and, for tuned or regional models, more segments before the model. */
const googlePath = (method: string): RegExp =>
  new RegExp(`/v1(?:beta1?|alpha)?(?:/[^:]+)?/models/([^:/]+):${method}$`);

const routes: readonly EmulatorRoute[] = [
  {
    method: "POST",
    path: /\/deployments\/([^/]+)\/chat\/completions$/,
    handle: askDeployment,
  },
  { method: "POST", path: /\/messages$/, handle: ask({ service: anthropic, action: "generate" }) },
  {
    method: "POST",
    path: /\/messages\/count_tokens$/,
    handle: ask({ service: anthropic, action: "count" }),
  },
  { method: "POST", path: /\/responses$/, handle: ask({ service: responses, action: "generate" }) },
  {
    method: "POST",
    path: /\/responses\/input_tokens$/,
    handle: ask({ service: responses, action: "count" }),
  },
  { method: "GET", path: /\/responses\/([^/]+)(\/input_items)?$/, handle: readStored },
  { method: "DELETE", path: /\/responses\/([^/]+)$/, handle: readStored },
  {
    method: "POST",
    path: /\/chat\/completions$/,
    handle: ask({ service: chat, action: "generate" }),
  },
  { method: "GET", path: /\/chat\/completions$/, handle: readCompletions },
  {
    method: "GET",
    path: /\/chat\/completions\/([^/]+)(\/messages)?$/,
    handle: readCompletions,
  },
  { method: "POST", path: /\/chat\/completions\/([^/]+)$/, handle: readCompletions },
  { method: "DELETE", path: /\/chat\/completions\/([^/]+)$/, handle: readCompletions },
  { method: "POST", path: googlePath("generateContent"), handle: askGoogle("generate", false) },
  {
    method: "POST",
    path: googlePath("streamGenerateContent"),
    handle: askGoogle("generate", true),
  },
  { method: "POST", path: googlePath("countTokens"), handle: askGoogle("count", false) },
  { method: "GET", path: /\/models(?:\/([^/:]+))?$/, handle: models },
];

/** What the emulator itself cannot read, e.g. a misspelt fault header, is the caller's mistake. */
const explain = async (handle: () => Response | Promise<Response>): Promise<Response> => {
  try {
    return await handle();
  } catch (error) {
    if (!isMullError(error)) throw error;
    const { message } = error;
    return json(400, { error: { message, type: "emulator_error", param: null, code: null } });
  }
};

/** What a service answers to a page that it refuses. */
const shutOut = (world: World, { method, path }: Incoming, error: ServeError): Response => {
  const { status, message } = error;
  const entry = { method, path, status, verdict: "refused", rule: "http/cors", message } as const;
  world.journal.write(entry, 0);
  const headers = answerHeaders(anthropic.wire, world.random, world.clock.now());
  return answerError(anthropic, error, headers);
};

/** The base URL ends in the version and the client adds the version again: `/v1/v1/messages`. */
const isDoubled = (path: string): boolean => /\/v1(?:beta|alpha)?\/v1/.test(path);

const serve = async (world: World, incoming: Incoming): Promise<Response> => {
  const { method, path } = incoming;
  if (path === "/" && (method === "GET" || method === "HEAD")) return introduce();
  const known = isDoubled(path) ? [] : routes.filter((each) => each.path.test(path));
  const wanted = known.find((each) => each.method === method);
  if (wanted === undefined) {
    return answerNobody(world, serviceAsked(incoming), incoming, known.length > 0);
  }
  const match = wanted.path.exec(path) as RegExpExecArray;
  return explain(() => wanted.handle(world, incoming, match));
};

/** Finds what answers a request: the control endpoint, one of the services, or neither. */
export const route = async (world: World, incoming: Incoming): Promise<Response> => {
  const { path, method, headers } = incoming;
  // No page reads the journal: the control endpoint is for programs.
  if (path.startsWith("/__mull/")) return control(world, incoming);
  const vendor = vendorOf[serviceAsked(incoming).wire];
  const refusal = refuseOrigin(vendor, headers);
  const answer = isPreflight(method, headers)
    ? answerPreflight(headers)
    : refusal === undefined
      ? await serve(world, incoming)
      : shutOut(world, incoming, refusal);
  for (const [name, value] of Object.entries(crossOriginHeaders(vendor, headers))) {
    answer.headers.set(name, value);
  }
  return answer;
};

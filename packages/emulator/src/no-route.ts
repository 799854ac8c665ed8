import type { ServeError } from "mull/wire";

import { answerError } from "./service/answer-error.ts";
import { answerHeaders, simulatedHeader } from "./service/answer-headers.ts";
import type { Incoming } from "./service/answer-request.ts";
import { vendorOf, type FailingVendor } from "./service/failures.ts";
import type { Service } from "./service/service.ts";
import type { World } from "./world/world.ts";

type NoRouteWords = Readonly<Record<FailingVendor, (incoming: Incoming) => ServeError>>;

const notFound: NoRouteWords = {
  anthropic: () => ({ status: 404, type: "not_found_error", message: "Not Found" }),
  openai: ({ method, path }) => ({
    status: 404,
    type: "invalid_request_error",
    message: `Invalid URL (${method} ${path})`,
  }),
  google: () => ({ status: 404, type: "NOT_FOUND", message: "Not Found" }),
};

const wrongMethod: NoRouteWords = {
  anthropic: () => ({ status: 405, type: "invalid_request_error", message: "Method Not Allowed" }),
  openai: ({ method, path }) => ({
    status: 405,
    type: "invalid_request_error",
    message: `Not allowed to ${method} on ${path}. (HINT: Perhaps you meant to use a different HTTP method?)`,
    code: "method_not_supported",
  }),
  google: notFound.google,
};

/** What the services have and the emulator lacks, by method and path. The caller made no mistake. */
const notEmulated: Readonly<Record<FailingVendor, RegExp>> = {
  anthropic:
    /^(?:GET|POST|DELETE) \/v1\/(?:messages\/batches|files|skills|agents|sessions|environments|complete|organizations)(?:\/|$)/,
  openai:
    /^(?:GET|POST|DELETE) \/v1\/(?:assistants|audio|batches|completions|containers|conversations|embeddings|evals|files|fine_tuning|images|moderations|organization|realtime|responses\/compact|responses\/[^/]+\/cancel|threads|uploads|vector_stores|videos)(?:\/|$)/,
  google:
    /^\w+ .*(?::(?:batch\w+|asyncBatch\w+|embedContent|predict\w*)$|\/v1(?:beta|alpha)?\/(?:batches|cachedContents|corpora|fileSearchStores|files|interactions|operations|tunedModels)(?:[/:]|$))/,
};

const isMissing = (vendor: FailingVendor, { method, path }: Incoming): boolean =>
  notEmulated[vendor].test(`${method} ${path}`);

const missing = (error: ServeError, { method, path }: Incoming): ServeError => ({
  ...error,
  status: 404,
  message: `The mull emulator does not serve ${method} ${path}; the service itself may.`,
});

/** The answer for an unknown path, in the words of the service whose client asks. */
export const answerNobody = (
  world: World,
  service: Service,
  incoming: Incoming,
  isKnownPath: boolean,
): Response => {
  const { method, path } = incoming;
  const vendor = vendorOf[service.wire];
  const error = isMissing(vendor, incoming)
    ? missing(notFound[vendor](incoming), incoming)
    : (isKnownPath ? wrongMethod : notFound)[vendor](incoming);
  const { status, message } = error;
  world.journal.write({ method, path, status, verdict: "unknown", message }, 0);
  const headers = answerHeaders(service.wire, world.random, world.clock.now());
  return answerError(service, error, headers);
};

/** The answer for a person who opens the address in a browser or checks that the emulator is up. */
export const introduce = (): Response =>
  new Response(
    "This is the mull emulator. It answers as Anthropic, OpenAI and Gemini do and asks nobody.\n" +
      "Point a client at this address (OpenAI's at /v1); /__mull/journal lists what was asked.\n",
    { headers: { "content-type": "text/plain; charset=utf-8", [simulatedHeader]: "true" } },
  );

import type { ServeError } from "mull/mirror";

import { answerError } from "./service/answer-error.ts";
import { answerHeaders, simulatedHeader } from "./service/answer-headers.ts";
import type { Incoming } from "./service/answer-request.ts";
import { vendorOf, type Vendor } from "./service/failures.ts";
import type { Service } from "./service/service.ts";
import type { World } from "./world/world.ts";

type Words = Readonly<Record<Vendor, (incoming: Incoming) => ServeError>>;

const notFound: Words = {
  anthropic: () => ({ status: 404, type: "not_found_error", message: "Not Found" }),
  openai: ({ method, path }) => ({
    status: 404,
    type: "invalid_request_error",
    message: `Invalid URL (${method} ${path})`,
  }),
  google: () => ({ status: 404, type: "NOT_FOUND", message: "Not Found" }),
};

const wrongMethod: Words = {
  anthropic: () => ({ status: 405, type: "invalid_request_error", message: "Method Not Allowed" }),
  openai: ({ method, path }) => ({
    status: 405,
    type: "invalid_request_error",
    message: `Not allowed to ${method} on ${path}. (HINT: Perhaps you meant to use a different HTTP method?)`,
    code: "method_not_supported",
  }),
  google: notFound.google,
};

/** What nobody answers, in the words of the service whose client asks. */
export const answerNobody = (
  world: World,
  service: Service,
  incoming: Incoming,
  isKnownPath: boolean,
): Response => {
  const { method, path } = incoming;
  const error = (isKnownPath ? wrongMethod : notFound)[vendorOf[service.wire]](incoming);
  const { status, message } = error;
  world.journal.write({ method, path, status, verdict: "unknown", message }, 0);
  const headers = answerHeaders(service.wire, world.random, world.clock.now());
  return answerError(service, error, headers);
};

/** For who opens the address in a browser, or asks whether anybody is there. */
export const introduce = (): Response =>
  new Response(
    "This is the mull emulator. It answers as Anthropic, OpenAI and Gemini do and asks nobody.\n" +
      "Point a client at this address (OpenAI's at /v1); /__mull/journal lists what was asked.\n",
    { headers: { "content-type": "text/plain; charset=utf-8", [simulatedHeader]: "true" } },
  );

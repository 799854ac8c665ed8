import type { ServeError } from "mull/wire";

import type { Service } from "./service.ts";

type ErrorHeaders = Readonly<Record<string, string>>;

const isTransient = (status: number): boolean =>
  status === 408 || status === 409 || status === 429 || status >= 500;

/** An error in the form of the service, with the id of the request if the service repeats it. */
export const answerError = (
  service: Service,
  error: ServeError,
  headers: ErrorHeaders,
): Response => {
  const requestId = headers["request-id"];
  const named = requestId === undefined ? error : { ...error, requestId };
  return new Response(JSON.stringify(service.mirror.encodeError(named)), {
    status: error.status,
    headers: {
      "content-type": "application/json",
      ...(requestId !== undefined && { "x-should-retry": String(isTransient(error.status)) }),
      ...headers,
    },
  });
};

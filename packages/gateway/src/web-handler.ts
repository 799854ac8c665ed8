import type { ClientAnswer, ClientRequest, ClientSink } from "./client-exchange.ts";

/** What answers a client's request. */
export type AnswerClient = (request: ClientRequest) => Promise<ClientAnswer>;

/** Serves `answer` as a function of web requests, which every runtime has. */
export const webHandler =
  (answer: AnswerClient) =>
  async (request: Request): Promise<Response> => {
    const left = new AbortController();
    if (request.signal.aborted) left.abort();
    request.signal.addEventListener("abort", () => left.abort(), { once: true });
    return responseOf(await answer(readRequest(request, left.signal)), left);
  };

function readRequest(request: Request, signal: AbortSignal): ClientRequest {
  const { pathname, search, host } = new URL(request.url);
  const headers = new Map(request.headers);
  if (!headers.has("host")) headers.set("host", host);
  return {
    method: request.method,
    target: pathname + search,
    headers,
    signal,
    read: async (take) => {
      const reader = request.body?.getReader();
      if (reader === undefined) return;
      for (let step = await reader.read(); !step.done; step = await reader.read()) {
        if (take(step.value)) continue;
        void reader.cancel().catch(() => undefined);
        return;
      }
    },
  };
}

/** Bytes that may wait for a slow client before its upstream waits, too. */
const mostWaiting = 256 * 1024;

function responseOf({ status, headers, body }: ClientAnswer, left: AbortController): Response {
  if (typeof body === "string") return new Response(body, { status, headers });
  if (typeof body !== "function") return new Response(new Uint8Array(body), { status, headers });
  const encoder = new TextEncoder();
  let controller!: ReadableStreamDefaultController<Uint8Array>;
  let wake: (() => void) | undefined;
  const stream = new ReadableStream<Uint8Array>(
    {
      start: (given) => {
        controller = given;
      },
      pull: () => wake?.(),
      cancel: () => {
        left.abort();
        wake?.();
      },
    },
    { highWaterMark: mostWaiting, size: (chunk) => chunk.length },
  );
  const client: ClientSink = {
    write: (bytes) => {
      if (left.signal.aborted) return true;
      controller.enqueue(typeof bytes === "string" ? encoder.encode(bytes) : bytes);
      return (controller.desiredSize ?? 1) > 0;
    },
    ready: () =>
      new Promise((resolve) => {
        wake = resolve;
        if (left.signal.aborted || (controller.desiredSize ?? 1) > 0) resolve();
      }),
  };
  const run = async (): Promise<void> => {
    try {
      await body(client);
      if (!left.signal.aborted) controller.close();
    } catch (error) {
      controller.error(error);
    }
  };
  void run();
  return new Response(stream, { status, headers });
}

import { isMullError, MullError, type AssistantPart, type Reply, type StreamEvent } from "mull";
import {
  createFraming,
  readExchange,
  readRefusal,
  type HttpAnswer,
  type Post,
  type StreamDecoder,
} from "mull/wire";

import type { Destination } from "./destination.ts";
import type { JudgedRequest } from "./lint-request.ts";

/** A request ready to go: what is sent, where, and who is told of the answer. */
export interface OutgoingBody {
  readonly request: Pick<JudgedRequest, "wire" | "model">;
  readonly destination: Destination;
  readonly body: string;
  readonly post: Post;
  readonly signal: AbortSignal;
  readonly now: () => number;
  readonly newId: () => string;
  readonly onStatus: (answer: HttpAnswer) => void;
  readonly onBytes: (bytes: Uint8Array) => Promise<void>;
  readonly onEvent: (event: StreamEvent) => Promise<void>;
}

/** Sends a body once and reads the answer as it comes. Throws what the service refused it with. */
export async function sendBody(outgoing: OutgoingBody): Promise<Reply> {
  const { destination, onStatus } = outgoing;
  const answer = await postBody(outgoing);
  onStatus(answer);
  if (!answer.ok) {
    const { status, headers } = answer;
    const body = await readWhole(answer, outgoing);
    const failure = { status, headers: Object.fromEntries(headers), body };
    throw readRefusal(destination.provider, failure);
  }
  return isStreamed(answer) ? readLive(answer, outgoing) : readAtOnce(answer, outgoing);
}

async function postBody({ destination, post, body, signal }: OutgoingBody): Promise<HttpAnswer> {
  const { url, headers, provider } = destination;
  try {
    return await post(url, { method: "POST", headers, body, redirect: "manual", signal });
  } catch (error) {
    throw signal.aborted ? stopped() : unreached(error, new URL(url).host, provider.id);
  }
}

const isStreamed = ({ headers }: HttpAnswer): boolean =>
  headers.get("content-type")?.includes("event-stream") === true;

/** The bytes of the body, one after the other; a broken connection is said as one. */
async function* bytesOf(
  { body }: HttpAnswer,
  { destination, onBytes, signal }: OutgoingBody,
): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader();
  if (reader === undefined) return;
  try {
    for (;;) {
      const step = await reader.read();
      if (step.done) return;
      await onBytes(step.value);
      yield step.value;
    }
  } catch (error) {
    if (isMullError(error) || signal.aborted) throw signal.aborted ? stopped() : error;
    throw unreached(error, new URL(destination.url).host, destination.provider.id);
  } finally {
    // An answer that is whole may leave a connection behind that nobody reads.
    await reader.cancel().catch(() => undefined);
  }
}

async function readWhole(answer: HttpAnswer, outgoing: OutgoingBody): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const bytes of bytesOf(answer, outgoing)) pieces.push(bytes);
  return Buffer.concat(pieces).toString("utf8");
}

async function readLive(answer: HttpAnswer, outgoing: OutgoingBody): Promise<Reply> {
  const decoder = decoderOf(outgoing);
  const events: StreamEvent[] = [];
  let reply: Reply | undefined;
  const framing = createFraming((data, event) => {
    if (!decoder.finished()) decoder.push(data, event, events);
  });
  const settle = async (): Promise<void> => {
    for (const event of events.splice(0)) {
      if (event.type === "finish") reply = event.reply;
      await outgoing.onEvent(event);
    }
  };
  try {
    for await (const bytes of bytesOf(answer, outgoing)) {
      framing.push(bytes);
      await settle();
    }
    framing.end();
    decoder.end(events);
  } catch (error) {
    throw withPartial(error, decoder);
  }
  await settle();
  if (reply !== undefined) return reply;
  throw withPartial(unreached(undefined, "", outgoing.destination.provider.id), decoder);
}

const decoderOf = ({ request, destination, now, newId }: OutgoingBody): StreamDecoder => {
  const { provider, url } = destination;
  const { quirks } = provider;
  const origin = {
    wire: request.wire,
    provider: provider.id,
    model: request.model.id,
    endpoint: new URL(url).origin,
  };
  return provider.wire.decodeStream({
    origin,
    now,
    newId,
    ...(quirks !== undefined && { quirks }),
  });
};

/** Adds what arrived to the error that ended it. */
function withPartial(error: unknown, decoder: StreamDecoder): unknown {
  if (!isMullError(error) || error.partial !== undefined) return error;
  return new MullError(error.message, Object.assign({}, error, { partial: decoder.partial() }));
}

async function readAtOnce(answer: HttpAnswer, outgoing: OutgoingBody): Promise<Reply> {
  const { request, destination, newId, onEvent } = outgoing;
  const { quirks, id } = destination.provider;
  const reply = readExchange({
    wire: request.wire,
    body: await readWhole(answer, outgoing),
    status: answer.status,
    model: request.model.id,
    provider: id,
    newId,
    ...(quirks !== undefined && { quirks }),
  });
  for (const [index, part] of reply.message.parts.entries()) {
    for (const event of eventsOf(part, index)) await onEvent(event);
  }
  return reply;
}

/** The events of a whole part, as if it had been streamed. */
const eventsOf = (part: AssistantPart, index: number): readonly StreamEvent[] =>
  part.type === "text" || part.type === "thinking"
    ? [{ type: part.type, index, delta: part.text }]
    : [];

const stopped = (): MullError =>
  new MullError("The request was stopped.", { category: "aborted", code: "aborted" });

/** The network's own word, e.g. ECONNREFUSED, is what advice about it goes by. */
function unreached(error: unknown, host: string, provider: string): MullError {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "truncated";
  return new MullError(
    host === "" ? "The answer ended too early." : `The connection to ${host} failed (${code}).`,
    { category: host === "" ? "protocol" : "network", code, provider },
  );
}

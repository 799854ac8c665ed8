import { isMullError, MullError, parseModelRef } from "mull";
import type { ChatOptions, ChatTarget, Note, Origin, Reply, StreamEvent } from "mull";
import { isJsonObject, mirrors, streamOver } from "mull/wire";
import type { PassedStream, ServeContext, WireRequest } from "mull/wire";

import { gatherText, pings } from "./answer-text.ts";
import { carryIn, type CarriedIn } from "./carry-in.ts";
import { createCarryOut, type CarryOut } from "./carry-out.ts";
import type { TextSealPlace } from "./carry-parts.ts";
import { answerHead, newAnswerId, type ClientCall, type GatewayParts } from "./client-call.ts";
import type { ClientAnswer, ClientSink } from "./client-exchange.ts";
import { isOwnVendor, type ServiceConnection } from "./connections.ts";
import { createFrameWriter, type FrameWriter } from "./frames.ts";
import { toRequest } from "./to-request.ts";
import { writeError } from "./write-error.ts";

/** A translated answer that has begun. */
interface Begun {
  readonly stream: PassedStream;
  /** Events that arrived before it was clear whether another model must be asked. */
  readonly first: readonly StreamEvent[];
  readonly carry: CarryOut;
  readonly context: ServeContext;
}

/**
 * Asks a model over its own wire and writes its answer in the client's. Throws what went wrong
 * before anything of the answer was seen, so that another model may be asked.
 */
export async function translate(
  call: ClientCall,
  target: ChatTarget,
  upstream: ServiceConnection,
  parts: GatewayParts,
  mayFallBack: boolean,
): Promise<ClientAnswer> {
  const begun = await begin(call, target, upstream, parts, mayFallBack);
  return call.stream ? streamed(call, begun, parts) : whole(call, begun);
}

/** The request as its mirror reads it; Google's names the model in the path. */
export function readRequest({
  wire,
  url,
  headers,
  body,
  text,
  asked,
  stream,
}: ClientCall): WireRequest {
  const verb = stream ? "streamGenerateContent" : "generateContent";
  const path =
    wire === "google-generate"
      ? `/v1beta/models/${encodeURIComponent(asked)}:${verb}`
      : url.pathname;
  return mirrors[wire].decodeRequest({ path, headers: Object.fromEntries(headers), body, text });
}

/** The origin of bare seals in the conversation: the client's own service. */
export function nativeOrigin(
  { wire, asked }: ClientCall,
  { provider, model }: ChatTarget,
  { connection }: ServiceConnection,
): Origin {
  const name = nameOf(asked);
  if (provider.wire.id !== wire) return { wire, provider: "client", model: name };
  const isAnswering = asked === model.id || !isOwnVendor(provider, wire);
  return {
    wire,
    provider: provider.id,
    endpoint: connection.endpoint,
    model: isAnswering ? model.id : name,
    ...(connection.account !== undefined && { account: connection.account }),
  };
}

/** How the library sends for the gateway: with this connection, and once. */
export const sendingOptions = (
  { apiKey, headers }: ServiceConnection,
  { env, fetch, isSimulated, observe }: GatewayParts,
  signal: AbortSignal,
): ChatOptions => ({
  env,
  ...(apiKey !== undefined && { apiKey }),
  ...(headers !== undefined && { headers }),
  ...(fetch !== undefined && { fetch }),
  ...(observe !== undefined && { observe }),
  simulated: isSimulated,
  signal,
  // Clients ask again themselves, and say so to their user.
  maxAttempts: 1,
});

const nameOf = (asked: string): string => {
  try {
    return parseModelRef(asked).name;
  } catch {
    return asked;
  }
};

async function begin(
  call: ClientCall,
  target: ChatTarget,
  upstream: ServiceConnection,
  parts: GatewayParts,
  mayFallBack: boolean,
): Promise<Begun> {
  const { wire, receipt } = call;
  const asked = readRequest(call);
  const native = nativeOrigin(call, target, upstream);
  const carried = carryIn(asked.messages, native, parts.codec);
  receipt.fields.seals = {
    ...receipt.fields.seals,
    opened: carried.opened,
    broken: carried.broken,
  };
  const { request, forms, notes } = toRequest(asked, wire, target, carried.messages);
  const stream = streamOver(upstream.connection, target, request, {
    notes: [...notes, ...sealNotes(carried, target.model)],
    ...sendingOptions(upstream, parts, call.signal),
  });
  const first = await peek(stream, mayFallBack).catch((error: unknown) => {
    receipt.take(stream.receipt());
    throw error;
  });
  receipt.take(stream.receipt(true));
  return {
    stream,
    first,
    carry: createCarryOut(wire, target.provider.wire.id, parts.codec, forms, textSealPlace(call)),
    context: {
      model: call.asked,
      id: newAnswerId(wire),
      created: Math.floor(parts.now() / 1000),
      pieces: (text) => [text],
      request: asked,
    },
  };
}

/** Claude Code and pi. Anthropic's SDK would name the inner block twice to those who listen to `contentBlock`. */
const takesBlockInside = /^(?:claude-cli\/|pi \()/;

/** Programs that ask for no thinking read `content[0].text`. */
const textSealPlace = ({
  stream,
  headers,
  body: { thinking },
}: ClientCall): TextSealPlace | undefined => {
  if (!isJsonObject(thinking) || thinking["type"] === "disabled") return undefined;
  if (!stream) return "first";
  return takesBlockInside.test(headers.get("user-agent") ?? "") ? "inside" : undefined;
};

/** Says what happened to thoughts that the client should have returned. */
function sealNotes(
  { broken, bare, repeated }: CarriedIn,
  { thinking }: ChatTarget["model"],
): readonly Note[] {
  const notes: Note[] = [];
  const warn = (code: string, message: string): void => {
    notes.push({ code, severity: "warning", message });
  };
  if (repeated > 0)
    notes.push({
      code: "results-repeated",
      severity: "info",
      message: `${repeated} tool results came twice, word for word, and are sent once.`,
    });
  if (broken > 0)
    warn(
      "seal-unreadable",
      `${broken} carried seals are damaged or were made with another MULL_GATEWAY_SECRET; their thoughts were left out.`,
    );
  if (bare > 0 && thinking.kind !== "none")
    warn(
      "seal-stripped",
      `${bare} answers of the running turn came back without their thoughts, so the turn continues as if another model had started it.`,
    );
  return notes;
}

/** Reads the first events; if another model may be asked instead, up to the first the user would see. */
async function peek(stream: PassedStream, mayFallBack: boolean): Promise<readonly StreamEvent[]> {
  if (!mayFallBack) return stream.together();
  const events: StreamEvent[] = [];
  for (;;) {
    const more = await stream.together();
    events.push(...more);
    const seen = more.find(({ type }) => type !== "start" && type !== "heartbeat");
    if (seen?.type === "finish" && isRefusal(seen.reply)) throw refused(seen.reply);
    if (seen !== undefined || more.length === 0) return events;
  }
}

const isRefusal = ({ finish: { reason }, message }: Reply): boolean =>
  (reason === "refusal" || reason === "content-filter") &&
  !message.parts.some((part) => part.type !== "thinking");

const refused = ({ finish }: Reply): MullError =>
  new MullError(`the model refused${finish.note === undefined ? "" : `: ${finish.note}`}`, {
    category: "content_filter",
    code: "refused",
  });

function tellSeals({ receipt }: ClientCall, carry: CarryOut): void {
  const { seals } = receipt.fields;
  receipt.fields.seals = { ...seals, carried: carry.seals.carried, lost: carry.seals.lost };
}

async function whole(call: ClientCall, begun: Begun): Promise<ClientAnswer> {
  const { wire, receipt } = call;
  let reply: Reply | undefined;
  try {
    for (let events = begun.first; events.length > 0; events = await begun.stream.together()) {
      for (const event of events)
        for (const written of begun.carry.push(event))
          if (written.type === "finish") reply = written.reply;
    }
  } finally {
    receipt.take(begun.stream.receipt());
    tellSeals(call, begun.carry);
  }
  if (reply === undefined)
    throw new MullError("the answer ended before it was complete", { category: "protocol" });
  const text = mirrors[wire].writeReply(reply, begun.context);
  receipt.begin();
  receipt.end();
  const headers = { "content-type": "application/json", ...answerHead(call) };
  return { status: 200, headers, body: text };
}

function streamed(call: ClientCall, begun: Begun, { pingMs }: GatewayParts): ClientAnswer {
  const isArray = call.wire === "google-generate" && call.url.searchParams.get("alt") !== "sse";
  call.receipt.begin();
  const headers = {
    "content-type": isArray ? "application/json" : "text/event-stream",
    "cache-control": "no-cache",
    ...answerHead(call),
  };
  return {
    status: 200,
    headers,
    body: (client) => writeEvents(call, begun, createFrameWriter(isArray), client, pingMs),
  };
}

/** Writes an answer in the client's wire as its events arrive. A broken one ends in an error. */
async function writeEvents(
  call: ClientCall,
  { first, stream, carry, context }: Begun,
  frames: FrameWriter,
  client: ClientSink,
  pingMs: number,
): Promise<void> {
  const { wire, receipt, signal } = call;
  const writer = mirrors[wire].openStream(context);
  const ping = frames.isArray ? "" : pings[wire];
  const out = gatherText(client);
  let isQuiet = false;
  const beat = setInterval(() => {
    if (isQuiet && ping !== "") out.write(ping);
    isQuiet = true;
  }, pingMs);
  const take = (event: StreamEvent): void => {
    isQuiet = false;
    if (event.type === "heartbeat") {
      out.write(ping);
      return;
    }
    for (const written of carry.push(event))
      for (const frame of writer.write(written)) out.write(frames.write(frame));
  };
  try {
    for (let events = first; events.length > 0; events = await stream.together()) {
      for (const event of events) take(event);
      const waiting = out.ready();
      if (waiting !== undefined) await waiting;
    }
  } catch (thrown) {
    if (signal.aborted) receipt.fields.status = 499;
    const error = asMullError(thrown);
    receipt.fail(error);
    const { error: written } = writeError(error, wire, call.id);
    for (const frame of writer.fail(written)) out.write(frames.write(frame));
  } finally {
    clearInterval(beat);
    out.write(frames.end());
    out.flush();
    receipt.take(stream.receipt());
    tellSeals(call, carry);
    receipt.end();
  }
}

/** Any other error is a bug of the gateway; it must not end the process. */
export const asMullError = (thrown: unknown): MullError =>
  isMullError(thrown)
    ? thrown
    : new MullError(
        "the gateway failed on this request",
        { category: "server", code: "internal" },
        { cause: thrown },
      );

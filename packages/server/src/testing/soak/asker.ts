import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { readChunks, Visitor } from "../test-server.ts";

/** One question, from its first send on. */
export interface Asked {
  readonly userId: string;
  readonly conversation: string;
  /** In the text of the question, and nowhere else. */
  readonly mark: string;
  /** A server acknowledged it. Named after the turn that answers. */
  turn?: string;
  /** What became of the answer. */
  seen: string;
  /** `finish`, or another event that ends a stream. */
  end?: string;
  /** How often the stream broke or was left, and was read on. */
  readOn: number;
  /** How sends that nobody accepted were answered: a status, or why there was none. */
  readonly refused: string[];
}

export interface AskerOptions {
  readonly url: string;
  /** 0 to 1. */
  readonly random: () => number;
  /** Share of answers that are left once and resumed. */
  readonly leaves: number;
  /** Questions in one conversation. */
  readonly perTalk: number;
  /** Events of an answer, at 30 a second. */
  readonly events: { readonly least: number; readonly most: number };
  readonly isOver: () => boolean;
  /** Longest wait; an answer that takes longer is missing from the figures. */
  readonly signal: AbortSignal;
}

/** A user who asks one question after another, and doesn't give up when a server goes away. */
export async function askOn(options: AskerOptions, noted: Asked[]): Promise<void> {
  const { isOver, signal } = options;
  const visitor = new Visitor((url, init) => fetch(url, { ...init, signal }), options.url);
  await again(() => visitor.signUp(`asker-${randomUUID()}`), signal);
  const { userId } = await again(
    () => visitor.json<{ userId: string }>("GET", "/api/account"),
    signal,
  );
  while (!isOver() && !signal.aborted) {
    const conversation = await again(() => visitor.newConversation(), signal);
    for (let nth = 0; nth < options.perTalk && !isOver() && !signal.aborted; nth++) {
      const mark = randomUUID();
      const asked: Asked = { userId, conversation, mark, seen: "", readOn: 0, refused: [] };
      noted.push(asked);
      await askOne(options, visitor, asked);
    }
  }
}

const pauseMs = 100;

/** Repeat until it works: a server that dies takes the request with it. */
async function again<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (signal.aborted) throw error;
      await sleep(pauseMs);
    }
  }
}

async function askOne(options: AskerOptions, visitor: Visitor, asked: Asked): Promise<void> {
  const { random, events, signal } = options;
  const count = events.least + Math.floor(random() * (events.most - events.least));
  const script = { kind: "paced", events: count, perSecond: 30, mark: asked.mark };
  const text = JSON.stringify(script);
  // The page sends questions with an id of their own, so that one sent twice is still one question.
  const send = (): Promise<Response> => visitor.ask(asked.conversation, { text, id: asked.mark });
  const leaveAfter = random() < options.leaves ? random() * count * 20 : Infinity;
  const place = { at: 0, leaveAfter };
  while (asked.end === undefined && !signal.aborted) {
    try {
      const response =
        asked.turn === undefined ? await send() : await readOn(visitor, asked, place);
      if (response.status !== 200) {
        await response.body?.cancel();
        if (asked.turn === undefined) asked.refused.push(String(response.status));
        await sleep(pauseMs);
        continue;
      }
      asked.turn ??= response.headers.get("x-mull-turn") ?? "";
      await follow(response, asked, place);
    } catch (error) {
      if (asked.turn === undefined) asked.refused.push(nameOf(error));
      await sleep(pauseMs);
    }
  }
}

const readOn = (visitor: Visitor, asked: Asked, { at }: Place): Promise<Response> => {
  asked.readOn++;
  return visitor.call(
    "GET",
    `/api/chat/${asked.conversation}/stream?turn=${asked.turn}&after=${at}`,
  );
};

interface Place {
  /** The number after the last event. */
  at: number;
  /** Leave the stream once, after this many characters. */
  leaveAfter: number;
}

const endings: ReadonlySet<string> = new Set(["finish", "abort", "error"]);

/** Reads to the end of the stream, or until it breaks or is left. */
async function follow(response: Response, asked: Asked, place: Place): Promise<void> {
  let rest = "";
  const decoder = new TextDecoder();
  for await (const bytes of response.body ?? []) {
    rest += decoder.decode(bytes, { stream: true });
    const whole = rest.lastIndexOf("\n\n") + 2;
    if (whole < 2) continue;
    for (const chunk of readChunks(rest.slice(0, whole))) {
      if (chunk.type === "text-delta") asked.seen += String(chunk["delta"]);
      if (endings.has(chunk.type)) asked.end = chunk.type;
      place.at = chunk.at ?? place.at;
    }
    rest = rest.slice(whole);
    if (asked.seen.length > place.leaveAfter && asked.end === undefined) {
      place.leaveAfter = Infinity;
      return;
    }
  }
}

/** Why a connection failed. */
function nameOf(error: unknown): string {
  const { cause } = error as { readonly cause?: { readonly code?: string } };
  return cause?.code ?? (error instanceof Error ? error.name : "unknown");
}

import { randomUUID } from "node:crypto";
import { request, type Agent, type ClientRequest, type IncomingMessage } from "node:http";
import type { Script } from "./script.ts";

/** Where requests go. */
export interface Target {
  readonly port: number;
  readonly agent: Agent;
  /** Our server has accounts and routes; the others answer every request with its script. */
  readonly isMull: boolean;
  readonly cookie: string;
}

export interface CallOptions {
  readonly method?: "GET" | "POST";
  readonly path?: string;
  readonly body?: string;
  /** The address to connect from: one address has a limited number of ports. */
  readonly from?: string;
}

export interface Opened {
  readonly response: IncomingMessage;
  readonly close: () => void;
}

function send(target: Target, options: CallOptions): ClientRequest {
  const { method = "POST", path = "/", body, from } = options;
  const sent = request({
    port: target.port,
    host: "127.0.0.1",
    agent: target.agent,
    path,
    method,
    ...(from !== undefined && { localAddress: from }),
    headers: {
      origin: `http://127.0.0.1:${target.port}`,
      ...(target.cookie !== "" && { cookie: target.cookie }),
      ...(body !== undefined && {
        "content-type": "application/json",
        "content-length": Buffer.byteLength(body),
      }),
    },
  });
  sent.end(body);
  return sent;
}

const hasCode = (error: Error, code: string): boolean =>
  (error as NodeJS.ErrnoException).code === code;

const openOnce = (target: Target, options: CallOptions): Promise<Opened | "again"> =>
  new Promise((resolve, reject) => {
    const sent = send(target, options);
    sent.on("error", (error) => {
      if (sent.reusedSocket && hasCode(error, "ECONNRESET")) resolve("again");
      else reject(error);
    });
    sent.on("response", (response) => {
      response.on("error", () => undefined);
      resolve({ response, close: () => sent.destroy() });
    });
  });

/**
 * Resolves with the head of the answer. A server may close an idle connection just as we use it
 * again; then we use another one.
 */
export async function open(target: Target, options: CallOptions): Promise<Opened> {
  for (;;) {
    const opened = await openOnce(target, options);
    if (opened !== "again") return opened;
  }
}

export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly cookie: string;
  /** Milliseconds until the first byte of the body, and until the last. */
  readonly firstByteMs: number;
  readonly wholeMs: number;
}

/** Reads to the end; `onText` sees the text as it comes. */
export async function call(
  target: Target,
  options: CallOptions,
  onText?: (text: string) => void,
): Promise<Answer> {
  const startedAt = performance.now();
  const { response } = await open(target, options);
  response.setEncoding("utf8");
  const pieces: string[] = [];
  let firstByteMs = 0;
  for await (const piece of response as AsyncIterable<string>) {
    if (firstByteMs === 0) firstByteMs = performance.now() - startedAt;
    if (onText === undefined) pieces.push(piece);
    else onText(piece);
  }
  return {
    status: response.statusCode ?? 0,
    text: pieces.join(""),
    cookie: response.headers["set-cookie"]?.[0]?.split(";")[0] ?? "",
    firstByteMs,
    wholeMs: performance.now() - startedAt,
  };
}

/** A new account on our server; returns the target with its cookie. */
export async function signUp(target: Target): Promise<Target> {
  const name = newConversation();
  const body = JSON.stringify({ name, password: "correct horse" });
  const { status, text, cookie } = await call(target, { path: "/api/account/sign-up", body });
  if (status !== 201) throw new Error(`sign-up: ${status} ${text}`);
  return { ...target, cookie };
}

/** Longest text of one part of a question. */
const longestPart = 1_000_000;

/** A request for the stream of a script; on our server, a new conversation. */
export function streamOf(
  target: Target,
  script: Script,
  conversation: string,
  padding = 0,
): CallOptions {
  const text = JSON.stringify(script);
  if (!target.isMull) return { body: text };
  const part = { type: "text", text: "x".repeat(longestPart) };
  const parts = Array.from({ length: padding / longestPart }, () => part);
  const message = { id: "q", role: "user", parts: [...parts, { type: "text", text }] };
  return {
    path: "/api/chat",
    body: JSON.stringify({ id: conversation, messages: [message], trigger: "submit-message" }),
  };
}

export const newConversation = (): string => `load-${randomUUID()}`;

/** Asks and reads to the end. */
export async function ask(
  target: Target,
  script: Script,
  onText?: (text: string) => void,
): Promise<Answer> {
  const answer = await call(target, streamOf(target, script, newConversation()), onText);
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
  return answer;
}

/** Does a piece of work this many times, this many at once. */
export async function repeat(
  times: number,
  atOnce: number,
  work: (at: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const go = async (): Promise<void> => {
    for (let at = next++; at < times; at = next++) await work(at);
  };
  await Promise.all(Array.from({ length: Math.min(times, atOnce) }, go));
}

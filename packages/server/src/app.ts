import { setTimeout as sleep } from "node:timers/promises";
import type { User } from "./accounts/accounts.ts";
import { createContext, type ServerContext } from "./context.ts";
import { conversationIdFor } from "./conversations/read-send.ts";
import { toResponse, type Answer } from "./http/answer.ts";
import type { RequestedUrl } from "./http/asked.ts";
import { cookieName, readCookie } from "./http/cookie.ts";
import { checkHost, checkOrigin } from "./http/cross-site.ts";
import type { Arrival } from "./http/direct.ts";
import { createMatcher, type Match } from "./http/match.ts";
import { readJson } from "./http/read-json.ts";
import {
  full,
  linkNeeded,
  noSuchPlace,
  notSignedIn,
  tooMany,
  wrongMethod,
} from "./http/refusals.ts";
import { failure, secureHeaders, securityHeaders } from "./http/respond.ts";
import { badRequest, readQuery } from "./http/shape.ts";
import { serveFile } from "./http/static-files.ts";
import type { ChatServerParts } from "./parts.ts";
import { routes } from "./routes/index.ts";
import type { UserCall } from "./routes/route.ts";
import { keepTurns } from "./turns/keep-turns.ts";

/** The chat server as a `fetch`: pass it requests, or put it behind a port with `listen`. */
export interface ChatServer {
  (input: string | URL | Request, init?: RequestInit, peer?: Peer): Promise<Response>;
  /** Takes no new turns, lets running ones finish, and stops the rest. The store stays open. */
  readonly drain: (goodbye?: Goodbye) => Promise<void>;
}

/**
 * How a server behind a load balancer shuts down: first it sends its clients elsewhere, then it
 * refuses them.
 */
export interface Goodbye {
  /**
   * Milliseconds between `/ready` saying 503 and `stopListening`. Everything is still served
   * meanwhile.
   */
  readonly leaveMs: number;
  /** Takes no new connections. Open ones are still served, including new turns. */
  readonly stopListening: () => Promise<void>;
  /**
   * Closes idle connections at the moment from which new turns are refused. A proxy
   * would send its next question through one of them, and hand our refusal to its user.
   */
  readonly hangUp: () => void;
}

/** The other end of a connection. */
export interface Peer {
  readonly address?: string;
}

/** The same, without a web request, for Node's own server. */
type AnswerDirectly = (request: RequestedUrl, url: URL, address?: string) => Promise<Answer>;

const direct: unique symbol = Symbol("direct");

/** `undefined` for a wrapped server, which has to be called as a `fetch`. */
export const answerOf = (
  server: ChatServer & { readonly [direct]?: AnswerDirectly },
): AnswerDirectly | undefined => server[direct];

/** A proxy that hasn't used its open connections for this long has found other processes. */
const quietMs = 500;

/** The chat server as a function from request to response. `listen` puts it behind a port. */
export function chatServer(parts: ChatServerParts): ChatServer {
  const context = createContext(parts);
  const matcher = createMatcher(routes);
  const keeper = keepTurns(context);

  const answer: AnswerDirectly = async (request, url, address = "local") => {
    const requestId = context.newId();
    const startedAt = performance.now();
    const found = matcher.find(request.method === "HEAD" ? "GET" : request.method, url.pathname);
    const match = "route" in found ? found : undefined;
    let response: Answer;
    try {
      checkHost(url, parts.hosts ?? []);
      checkOrigin(request, url);
      response =
        match === undefined
          ? elsewhere(context, request, url, found as readonly string[])
          : await handle(context, match, request, url, address);
    } catch (error) {
      response = failure(error, context.scrub);
      if (response.status >= 500) {
        context.log({ event: "error", requestId, error: context.scrub(describe(error)) });
      }
    }
    return finish(context, response, {
      requestId,
      method: request.method,
      route: match?.route.path ?? "other",
      ms: performance.now() - startedAt,
    });
  };

  /**
   * A shutdown waits for requests to be answered. Health checks keep coming until the end, so they
   * don't count.
   */
  const answerCounted: AnswerDirectly = async (request, url, address) => {
    if (isOps(url)) return answer(request, url, address);
    const { state } = context;
    state.askedAt = performance.now();
    state.asking++;
    try {
      return await answer(request, url, address);
    } finally {
      state.asking--;
    }
  };

  const app = async (
    input: string | URL | Request,
    init?: RequestInit,
    peer: Peer = {},
  ): Promise<Response> => {
    const request = new Request(input, init);
    return toResponse(await answerCounted(request, new URL(request.url), peer.address));
  };
  return Object.assign(app, {
    [direct]: answerCounted,
    drain: async (goodbye?: Goodbye) => {
      const { state, turns, limits } = context;
      state.isLeaving = true;
      if (goodbye !== undefined) {
        await sleep(goodbye.leaveMs);
        await goodbye.stopListening();
        const isQuiet = (): boolean =>
          state.asking === 0 && performance.now() - state.askedAt > quietMs;
        await turns.settle(limits.drainMs, isQuiet);
      }
      state.isDraining = true;
      goodbye?.hangUp();
      await turns.drain(limits.drainMs);
      keeper.stop();
      await context.events.close();
    },
  });
}

const isOps = ({ pathname }: URL): boolean => !pathname.startsWith("/api/");

async function handle(
  context: ServerContext,
  { route, params }: Match,
  request: RequestedUrl,
  url: URL,
  address: string,
): Promise<Answer> {
  const arrival = { request, url, address };
  const isOpsRoute = isOps(url);
  const name = cookieName(context.parts.isSecure ?? false);
  const token = isOpsRoute ? undefined : readCookie(request.headers.get("cookie"), name);
  // Asks the store two things at once: whether this is still their session, and how often they may ask.
  const before = token === undefined ? undefined : context.accounts.foundBefore(token);
  if (before !== undefined) context.requests.expect?.(before);
  const user = token === undefined ? undefined : await findUser(context, token, arrival);
  if (!isOpsRoute) await slowDown(context, user, address);
  if (route.access === "user" && user === undefined) {
    throw (await context.owner.use()) === "one" ? linkNeeded() : notSignedIn();
  }
  const own = user === undefined ? params : ownIds(params, user);
  const query =
    route.query === undefined ? refuseQuery(url) : readQuery(route.query, url.searchParams);
  const body = await readBody(context, route.body, request);
  if (context.state.isDraining && startsTurn(route.path)) {
    throw full("The server is shutting down.");
  }
  const call = { context, request, url, params: own, body, query, address, user };
  const response = await route.handle(call as UserCall<never, never>);
  if (user?.setCookie !== undefined && !response.headers.has("set-cookie")) {
    response.headers.set("set-cookie", user.setCookie);
  }
  return response;
}

async function findUser(
  { accounts, owner }: ServerContext,
  token: string,
  arrival: Arrival,
): Promise<User | undefined> {
  const user = await accounts.find(token);
  return user === undefined || (await owner.admits(user, arrival)) ? user : undefined;
}

const startsTurn = (path: string): boolean =>
  /^\/api\/(compare|chat(\/:conversationId\/(retry|edit|continue|decide))?)$/.test(path);

async function readBody(
  { limits, loop }: ServerContext,
  shape: { readonly read: (value: unknown, field: string) => unknown } | undefined,
  request: RequestedUrl,
): Promise<unknown> {
  if (request.method === "GET" || request.method === "HEAD") return undefined;
  const isEmpty = request.body === null || request.headers.get("content-length") === "0";
  if (shape === undefined) {
    if (!isEmpty) await readJson(request, limits.bodyBytes, loop);
    return undefined;
  }
  return shape.read(isEmpty ? {} : await readJson(request, limits.bodyBytes, loop), "");
}

function refuseQuery(url: URL): undefined {
  if (url.search === "") return undefined;
  for (const [name] of url.searchParams) throw badRequest(name.slice(0, 80), "no query");
  return undefined;
}

async function slowDown(
  context: ServerContext,
  user: User | undefined,
  address: string,
): Promise<void> {
  const wait = await context.requests.take(user === undefined ? `from ${address}` : user.userId);
  if (wait > 0) throw tooMany("Too many requests.", wait);
}

const ownIds = (
  params: Readonly<Record<string, string>>,
  user: User,
): Readonly<Record<string, string>> => {
  const given = params["conversationId"];
  return given === undefined
    ? params
    : { ...params, conversationId: conversationIdFor(user.userId, given) };
};

function elsewhere(
  { parts }: ServerContext,
  request: RequestedUrl,
  url: URL,
  allowed: readonly string[],
): Response {
  if (allowed.length > 0) throw wrongMethod(allowed);
  const isRead = request.method === "GET" || request.method === "HEAD";
  const file = isRead ? serveFile(parts.files ?? new Map(), url.pathname, request) : undefined;
  if (file === undefined) throw noSuchPlace();
  return file;
}

/** Only message and place: causes may hold requests, and requests hold keys. */
const describe = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);

const plainHead = Object.entries(securityHeaders);
const secureHead = Object.entries(secureHeaders);

function finish(
  context: ServerContext,
  response: Answer,
  facts: {
    readonly requestId: string;
    readonly method: string;
    readonly route: string;
    readonly ms: number;
  },
): Answer {
  const head = context.parts.isSecure === true ? secureHead : plainHead;
  for (const [name, value] of head) response.headers.set(name, value);
  response.headers.set("x-request-id", facts.requestId);
  const page = context.parts.files?.get("/index.html");
  if (page !== undefined) response.headers.set("x-mull-page", page.tag);
  // The page then doesn't offer an account that would be refused.
  if (context.parts.isClosed === true) response.headers.set("x-mull-closed", "1");
  const { route, method, ms } = facts;
  const status = String(response.status);
  context.metrics.count("mull_requests_total", { route, method, status });
  context.metrics.observe("mull_request_seconds_total", { route }, ms / 1000);
  context.log({ event: "request", ...facts, ms: Math.round(ms), status: response.status });
  return response;
}

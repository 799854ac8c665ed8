import { EventEmitter, once } from "node:events";
import { Agent, type IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";
import { buffer, text as readText } from "node:stream/consumers";
import { memoryStore } from "@mull/store";
import { afterEach, describe, expect, it } from "vitest";
import { listen, type Listening, type ListenOptions } from "./node.ts";
import { call, open as openStream, type CallOptions, type Target } from "./testing/load/client.ts";
import { standingClock } from "./testing/standing-clock.ts";
import { readChunks, testServer, Visitor, type TestServer } from "./testing/test-server.ts";

const opened: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((close) => close()));
});

async function onPort(
  given: Parameters<typeof testServer>[0] = {},
  options: ListenOptions = {},
): Promise<{ readonly server: TestServer; readonly at: Listening; readonly ann: Visitor }> {
  const server = testServer({ ...given, limits: { drainMs: 50, ...given.limits } });
  const at = await listen(server.app, { port: 0, ...options });
  opened.push(at.close);
  const ann = new Visitor((url, init) => fetch(url, init), at.url);
  await ann.signUp("ann");
  return { server, at, ann };
}

const open = (port: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => resolve(socket));
    socket.once("error", reject);
  });

/** A used connection that stays open. */
async function openLine(at: Listening, { cookie }: Visitor): Promise<Target> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const target = { port: at.port, agent, isMull: true, cookie };
  expect((await call(target, { method: "GET", path: "/health" })).status).toBe(200);
  return target;
}

const openOn = async (target: Target, options: CallOptions): Promise<IncomingMessage> =>
  (await openStream(target, options)).response;

const readAll = (socket: Socket): Promise<string> =>
  new Promise((resolve) => {
    let text = "";
    socket.on("data", (chunk) => (text += chunk.toString()));
    socket.on("close", () => resolve(text));
    socket.on("error", () => resolve(text));
  });

/** An answer larger than the buffers of any socket. */
async function storeBigTurn(
  { store }: TestServer,
  ann: Visitor,
  id: string,
  text = "x".repeat(12_000_000),
): Promise<void> {
  const { userId } = await ann.json<{ userId: string }>("GET", "/api/account");
  const { turn } = await store.beginTurn({
    userId,
    conversationId: id,
    idempotencyKey: "big",
    expectedHead: null,
    message: { role: "user", parts: [{ type: "text", text: "Tell me everything" }] },
  });
  await store.finishTurn(userId, turn.id, {
    state: "done",
    messages: [{ role: "assistant", parts: [{ type: "text", text }] }],
  });
}

/** The body of a chunked answer, and what comes after it. */
function readChunked(raw: Buffer): { readonly body: string; readonly rest: Buffer } {
  const pieces: Buffer[] = [];
  let at = raw.indexOf("\r\n\r\n") + 4;
  for (;;) {
    const start = raw.indexOf("\r\n", at) + 2;
    const length = Number.parseInt(raw.toString("latin1", at, start), 16);
    pieces.push(raw.subarray(start, start + length));
    at = start + length + 2;
    if (length === 0) return { body: Buffer.concat(pieces).toString(), rest: raw.subarray(at) };
  }
}

describe("a port", () => {
  it("F-W17: a search ends when the browser that asked has left", async () => {
    const store = memoryStore();
    const searching = new EventEmitter();
    const { at, server } = await onPort({
      keptStore: {
        ...store,
        listConversations: async (userId, options = {}) => {
          if (options.signal === undefined) return store.listConversations(userId, options);
          const left = once(options.signal, "abort");
          searching.emit("begun");
          await left;
          searching.emit("ended");
          return store.listConversations(userId, options);
        },
      },
    });
    const [begun, ended] = [once(searching, "begun"), once(searching, "ended")];
    const bob = new Visitor((url, init) => fetch(url, init), at.url);
    await bob.signUp("bob");
    const leaving = new AbortController();
    const url = `${at.url}/api/conversations?search=x`;
    const asked = fetch(url, { headers: { cookie: bob.cookie }, signal: leaving.signal });
    await begun;
    leaving.abort();
    await expect(asked).rejects.toThrow(/abort/i);
    await ended;
    await expect
      .poll(() => server.logs.findLast(({ event }) => event === "request"))
      .toMatchObject({ route: "/api/conversations", status: 499 });
    expect(server.logs.filter(({ event }) => event === "error")).toEqual([]);
  });

  it("F-W10: a body of 1 GB declared is 413 before it is read", async () => {
    const { at, ann } = await onPort();
    const socket = await open(at.port);
    socket.write(
      `POST /api/chat HTTP/1.1\r\nhost: 127.0.0.1:${at.port}\r\norigin: ${at.url}\r\ncookie: ${ann.cookie}\r\n` +
        "content-type: application/json\r\ncontent-length: 1000000000\r\n\r\n{",
    );
    expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 413 /);
  });

  it("F-W10: a body without an end is 413 at the limit", async () => {
    const { at, ann } = await onPort({ limits: { bodyBytes: 100_000 } });
    const socket = await open(at.port);
    socket.write(
      `POST /api/chat HTTP/1.1\r\nhost: 127.0.0.1:${at.port}\r\norigin: ${at.url}\r\ncookie: ${ann.cookie}\r\n` +
        "content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n",
    );
    const answer = readAll(socket);
    const piece = `4000\r\n${"x".repeat(0x4000)}\r\n`;
    let sent = 0;
    const feed = setInterval(() => {
      if (socket.writable) sent += socket.write(piece) ? 0x4000 : 0x4000;
    }, 1);
    const said = await answer;
    clearInterval(feed);
    expect(said).toMatch(/^HTTP\/1\.1 413 /);
    expect(sent).toBeLessThan(20_000_000);
  });

  it("F-W10: who sends too much reads so in words of people", async () => {
    const { ann } = await onPort();
    const refusalOf = async (texts: readonly string[]): Promise<readonly unknown[]> => {
      const parts = texts.map((text) => ({ type: "text", text }));
      const body = { id: "x", messages: [{ role: "user", parts }] };
      const response = await ann.call("POST", "/api/chat", body);
      const { error } = (await response.json()) as { error: { code: string; message: string } };
      return [response.status, error.code, error.message];
    };
    expect(await refusalOf(["x".repeat(1_000_001)])).toEqual([
      413,
      "message_too_long",
      "The message has 1,000,001 characters; 1,000,000 is the most. Shorten it, or ask in parts.",
    ]);
    expect(await refusalOf(Array.from({ length: 11 }, () => "x".repeat(1_000_000)))).toEqual([
      413,
      "body_too_large",
      "The request is larger than 10 MB. Shorten it and send it again.",
    ]);
  });

  it("F-W10: a compressed body is refused unread", async () => {
    const { ann } = await onPort();
    const headers = { "content-encoding": "gzip" };
    const response = await ann.call("POST", "/api/conversations", {}, headers);
    expect(response.status).toBe(415);
  });

  it("F-W11: a reader that does not read is let go; others are not affected", async () => {
    const { at, ann, server } = await onPort({}, { stalledMs: 4000 });
    const id = await ann.newConversation();
    await storeBigTurn(server, ann, id);
    const head =
      `GET /api/chat/${id}/stream?after=0 HTTP/1.1\r\nhost: 127.0.0.1:${at.port}\r\n` +
      `cookie: ${ann.cookie}\r\n\r\n`;
    const slow = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const socket = await open(at.port);
        socket.pause();
        socket.write(head);
        return socket;
      }),
    );
    const readers = async (): Promise<string | undefined> => {
      const metrics = await (await ann.call("GET", "/metrics")).text();
      return /mull_open_readers (\d+)/.exec(metrics)?.[1];
    };
    await expect.poll(readers).not.toBe("0");
    const other = await ann.newConversation();
    expect((await ann.askWhole(other, "What is 2 + 2?")).at(-1)?.type).toBe("finish");
    await expect.poll(readers, { timeout: 40_000 }).toBe("0");
    for (const socket of slow) socket.destroy();
  }, 60_000);

  it("F-W10: a stream is the same in chunks, behind another answer, and over HTTP/1.0", async () => {
    const { at, ann, server } = await onPort();
    const id = await ann.newConversation();
    await storeBigTurn(server, ann, id, "é🙂x".repeat(300_000));
    const path = `/api/chat/${id}/stream?after=0`;
    const expected = await (await ann.call("GET", path)).text();
    const ask = async (version: string, times: number): Promise<Buffer> => {
      const socket = await open(at.port);
      const request = (connection: string): string =>
        `GET ${path} HTTP/${version}\r\nhost: 127.0.0.1:${at.port}\r\n` +
        `connection: ${connection}\r\ncookie: ${ann.cookie}\r\n\r\n`;
      socket.write(request("keep-alive").repeat(times - 1) + request("close"));
      return buffer(socket);
    };
    const old = (await ask("1.0", 1)).toString();
    expect(old.slice(old.indexOf("\r\n\r\n") + 4)).toBe(expected);
    const first = readChunked(await ask("1.1", 2));
    expect(first.body).toBe(expected);
    expect(readChunked(first.rest)).toEqual({ body: expected, rest: Buffer.alloc(0) });
  });

  it("F-W11: headers that never end are cut off by the server's limits", async () => {
    const { at } = await onPort();
    const socket = await open(at.port);
    socket.write("GET / HTTP/1.1\r\nx: ");
    socket.write("y".repeat(20_000));
    expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 431 /);
  });

  it("F-W12: malformed requests do not end the process", async () => {
    const { at, ann } = await onPort();
    for (const bytes of ["\u0000\u0001\r\n\r\n", "GET // HTTP/1.1\r\nhost: a b\r\n\r\n", "POST"]) {
      const socket = await open(at.port);
      socket.end(bytes);
      await readAll(socket);
    }
    expect((await ann.call("GET", "/health")).status).toBe(200);
  });

  it("R252: deletes for browsers, which name a type for a body they do not send", async () => {
    const { at, ann } = await onPort();
    const id = await ann.newConversation();
    const socket = await open(at.port);
    socket.write(
      `DELETE /api/conversations/${id} HTTP/1.1\r\nhost: 127.0.0.1:${at.port}\r\norigin: ${at.url}\r\n` +
        `cookie: ${ann.cookie}\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n`,
    );
    expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 204/);
    expect((await ann.call("GET", `/api/conversations/${id}/messages`)).status).toBe(404);
  });

  it("listens on loopback and nowhere else unless told so", async () => {
    const { app } = testServer();
    await expect(listen(app, { host: "0.0.0.0", port: 0 })).rejects.toThrow(/MULL_ALLOW_REMOTE/);
    const { at } = await onPort();
    await expect(listen(app, { port: at.port })).rejects.toThrow(/is taken/);
  });

  it("serves a server that somebody wrapped, with web requests and their streams", async () => {
    const { app } = testServer();
    const asked: unknown[] = [];
    const wrapped: typeof app = Object.assign(
      (...given: Parameters<typeof app>) => {
        asked.push(given[0]);
        return app(...given);
      },
      { drain: app.drain },
    );
    const at = await listen(wrapped, { port: 0 });
    opened.push(at.close);
    const ann = new Visitor((url, init) => fetch(url, init), at.url);
    await ann.signUp("ann");
    expect((await ann.askWhole("x", "What is 2 + 2?")).at(-1)?.type).toBe("finish");
    expect(asked).toHaveLength(2);
  });

  it("F-W16: asking for the head of a stream leaves no reader behind", async () => {
    const { at, ann } = await onPort();
    await ann.askWhole("x", "What is 2 + 2?");
    const head = await fetch(`${at.url}/api/chat/x/stream?after=0`, {
      method: "HEAD",
      headers: { cookie: ann.cookie },
    });
    expect(head.headers.get("content-type")).toBe("text/event-stream");
    expect(await (await ann.call("GET", "/metrics")).text()).toContain("mull_open_readers 0");
  });

  it("F-D16: closing with 100 open streams ends every turn in time and closes", async () => {
    const { clock } = standingClock();
    const { at, ann } = await onPort({
      emulator: { faults: "pace=200", clock },
      // Each turn reserves its next step, and a hundred at once don't fit into one user's day.
      limits: { turnsPerUser: 200, tokensPerDay: 0, dollarsPerDay: 0, drainMs: 200 },
    });
    const ids = await Promise.all(Array.from({ length: 100 }, () => ann.newConversation()));
    const streams = await Promise.all(ids.map((id) => ann.ask(id, { text: "What is 2 + 2?" })));
    const ends = Promise.allSettled(streams.map((stream) => stream.text()));
    // The turns would never end by themselves.
    await at.close();
    const texts = await ends;
    expect(texts.every((end) => end.status === "rejected" || end.value.includes("abort"))).toBe(
      true,
    );
  }, 60_000);

  it("F-D16: while it goes, open connections are served and told to close", async () => {
    const { clock, letGo } = standingClock();
    const { at, ann } = await onPort({
      emulator: { faults: "pace=50", clock },
      limits: { drainMs: 60_000 },
    });
    const running = await ann.ask("x", { text: "What is 2 + 2?" });
    const lines = await Promise.all(["ready", "sign-up", "ask"].map(() => openLine(at, ann)));
    const [readyLine, signUpLine, askLine] = lines as [Target, Target, Target];
    const closing = at.close();
    const ready = await openOn(readyLine, { method: "GET", path: "/ready" });
    expect([ready.statusCode, ready.headers.connection]).toEqual([503, "close"]);
    const body = JSON.stringify({ name: "bob", password: "correct horse" });
    const signedUp = await openOn(signUpLine, { path: "/api/account/sign-up", body });
    expect(signedUp.statusCode).toBe(201);
    // The session cookie and the device cookie.
    expect(signedUp.headers["set-cookie"]).toHaveLength(2);
    const message = { role: "user", parts: [{ type: "text", text: "What is 3 + 3?" }] };
    const question = JSON.stringify({ id: "y", messages: [message] });
    const asked = await openOn(askLine, { path: "/api/chat", body: question });
    expect([asked.statusCode, asked.headers.connection]).toEqual([200, "close"]);
    await expect(open(at.port)).rejects.toThrow("ECONNREFUSED");
    letGo();
    const texts = await Promise.all([running.text(), readText(asked)]);
    expect(texts.map((each) => readChunks(each).at(-1)?.type)).toEqual(["finish", "finish"]);
    await closing;
    for (const { agent } of lines) agent.destroy();
  }, 60_000);

  it("an idle line is kept for longer than proxies keep theirs", async () => {
    const { at } = await onPort();
    const answer = await fetch(`${at.url}/health`);
    expect(answer.headers.get("keep-alive")).toBe("timeout=75");
  });

  it("health, readiness and metrics answer without an account", async () => {
    const { ann } = await onPort();
    await ann.askWhole("x", "What is 2 + 2?");
    const visitor = new Visitor((url, init) => fetch(url, init), ann.origin);
    expect((await visitor.call("GET", "/health")).status).toBe(200);
    expect((await visitor.call("GET", "/ready")).status).toBe(200);
    const metrics = await (await visitor.call("GET", "/metrics")).text();
    expect(metrics).toContain('mull_turns_total{state="done"} 1');
    expect(metrics).toMatch(
      /mull_requests_total\{route="\/api\/chat",method="POST",status="200"\} 1/,
    );
    expect(metrics).not.toContain("ann");
  });
});

import type { Socket } from "node:net";
import { describe, expect, test } from "vitest";
import { failureOf, serveHttp, serveRaw, until } from "../../../../test/loopback.ts";
import { plain, plainDecoder, readPlain } from "../../../../test/plain-decoder.ts";
import { MullError } from "../types/error.ts";
import type { StreamEvent } from "../types/event.ts";
import type { StreamDecoder } from "../types/wire.ts";
import { runtimePost } from "./node-client.ts";
import { send, type SendOptions, type SendRequest } from "./send.ts";
import type { ReadOptions } from "./reader.ts";

const decodeError: SendRequest["decodeError"] = ({ status }) =>
  new MullError("refused", { category: "server", status });

const sendOptions: SendOptions = {
  sleep: async () => undefined,
};

async function open(
  url: string,
  options: SendOptions = {},
  readOptions: ReadOptions = {},
): Promise<AsyncIterableIterator<StreamEvent, undefined>> {
  const response = await send(
    { url, headers: {}, body: "{}", decodeError, post: runtimePost() },
    { ...sendOptions, ...options },
  );
  return readPlain(response, readOptions);
}

const stubResponse = (chunks: readonly string[]): Response =>
  new Response(
    new ReadableStream({
      start: (controller) => {
        for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk));
        controller.close();
      },
    }),
  );

const stub = (chunks: readonly string[]): SendOptions => ({
  fetch: async () => stubResponse(chunks),
});

const head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n";
const chunked = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;

async function collect(
  events: AsyncIterable<StreamEvent>,
  into: StreamEvent[] = [],
): Promise<readonly StreamEvent[]> {
  for await (const event of events) into.push(event);
  return into;
}

const textOf = (events: readonly StreamEvent[]): string =>
  events.map((event) => (event.type === "text" ? event.delta : "")).join("");

describe("F-N3 F-N4: a body that breaks off", () => {
  const cuts: [string, string, (socket: Socket) => void, string][] = [
    ["a reset", "transfer-encoding: chunked", (socket) => socket.resetAndDestroy(), "network"],
    ["an end in chunked coding", "transfer-encoding: chunked", (socket) => socket.end(), "network"],
    ["an end before content-length", "content-length: 9999", (socket) => socket.end(), "network"],
    ["an end without any length", "connection: close", (socket) => socket.end(), "protocol"],
    [
      "a bad chunk size",
      "transfer-encoding: chunked",
      (socket) => socket.end("zz\r\n"),
      "protocol",
    ],
  ];
  test.each(cuts)("F-N3: %s behind an answer that is whole ends it", async (_name, header, cut) => {
    const server = await serveRaw((socket) => {
      const frames = [plain.start, plain.text("whole"), plain.last];
      const body = frames.map((frame) => (header.endsWith("chunked") ? chunked(frame) : frame));
      socket.write(`${head}${header}\r\n\r\n${body.join("")}`);
      setTimeout(cut, 20, socket);
    });
    const events = await collect(await open(server.url));
    expect(events.at(-1)).toMatchObject({ type: "finish", reply: { finish: { reason: "stop" } } });
    expect(server.connections()).toBe(1);
  });

  test.each(cuts)(
    "F-N3 F-N4: %s after any number of events: all of them, then one error with the partial",
    async (_name, header, cut, category) => {
      for (let k = 1; k <= 4; k++) {
        const server = await serveRaw((socket) => {
          const frames = [plain.start, ...Array.from({ length: k }, (_, i) => plain.text(`${i}`))];
          const body = frames.map((frame) => (header.endsWith("chunked") ? chunked(frame) : frame));
          socket.write(`${head}${header}\r\n\r\n${body.join("")}`);
          setTimeout(cut, 20, socket);
        });
        const seen: StreamEvent[] = [];
        const events = await open(server.url);
        const error = await failureOf(collect(events, seen));
        expect(textOf(seen)).toBe("0123".slice(0, k));
        expect(error.category).toBe(category);
        expect(error.partial?.message.parts).toMatchObject([
          { text: "0123".slice(0, k), cut: true },
        ]);
        expect(server.requests).toHaveLength(1);
        expect(await events.next()).toEqual({ done: true, value: undefined });
      }
    },
  );

  test("F-N4: cut at every byte, an answer is complete or an error", async () => {
    const body = plain.start + plain.text("añ🧠") + plain.end;
    const bytes = new TextEncoder().encode(body);
    for (let end = 0; end <= bytes.length; end++) {
      const cut: SendOptions = {
        fetch: async () => new Response(bytes.slice(0, end), { headers: {} }),
      };
      const seen: StreamEvent[] = [];
      const outcome = await collect(await open("http://stub.test", cut), seen).then(
        () => "complete",
        (error: MullError) => error.code,
      );
      const isComplete = seen.at(-1)?.type === "finish";
      expect(outcome).toBe(isComplete ? "complete" : end === 0 ? "empty_response" : "truncated");
      expect(isComplete).toBe(end >= bytes.length - 2);
    }
  });

  test("F-N8: an empty 200 is asked for once more, and is never an empty answer", async () => {
    let calls = 0;
    const server = await serveHttp((_request, response) => {
      calls++;
      response.writeHead(200, { "content-type": "text/event-stream" }).end();
    });
    const events = await open(server.url);
    const error = await failureOf(collect(events));
    expect(error).toMatchObject({ category: "protocol", code: "empty_response", retryable: true });
    expect(calls).toBe(2);
  });

  test("F-R8: an answer that fails before it says anything is asked for again, with one start", async () => {
    let calls = 0;
    const server = await serveHttp((_request, response) => {
      calls++;
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(plain.start + (calls === 1 ? plain.overloaded : plain.text("hi") + plain.end));
    });
    const response = await send(
      { url: server.url, headers: {}, body: "{}", decodeError, post: runtimePost() },
      sendOptions,
    );
    const events = await collect(readPlain(response));
    expect(events.map((event) => event.type)).toEqual(["start", "text", "finish"]);
    expect(response.attempts).toMatchObject([
      { status: 200, error: "overloaded" },
      { status: 200 },
    ]);
  });

  test("F-R8: what comes in one chunk with the second start is not lost, however long that is", async () => {
    const said = plain.text("one ") + plain.text("two".repeat(200)) + plain.end;
    for (let pad = 400; pad < 520; pad += 10) {
      const start = `data: ${JSON.stringify({ start: true, pad: "x".repeat(pad) })}\n\n`;
      const bodies = [plain.start, start + said];
      const fetch = async (): Promise<Response> => stubResponse([bodies.shift() ?? ""]);
      const events = await open("http://stub.test", { fetch });
      expect(textOf(await collect(events))).toBe(`one ${"two".repeat(200)}`);
    }
  });

  test("F-R8: an error after output began is thrown with the partial, and not retried", async () => {
    let calls = 0;
    const server = await serveHttp((_request, response) => {
      calls++;
      response.writeHead(200, { "content-type": "text/event-stream", "request-id": "r9" });
      response.end(plain.start + plain.text("so far") + plain.overloaded + plain.text("lost"));
    });
    const seen: StreamEvent[] = [];
    const events = await open(server.url);
    const error = await failureOf(collect(events, seen));
    expect(error).toMatchObject({ category: "overloaded", requestId: "r9", status: 200 });
    expect(error.partial?.message.parts).toMatchObject([{ text: "so far" }]);
    expect(textOf(seen)).toBe("so far");
    expect(calls).toBe(1);
  });
});

describe("the end is a fact of the protocol", () => {
  test("the terminal event ends the answer although the socket stays open, which then is closed", async () => {
    const server = await serveHttp((_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(plain.start + plain.end + plain.text("never read"));
    });
    const events = await collect(await open(server.url));
    expect(events.map((event) => event.type)).toEqual(["start", "finish"]);
    await until(() => server.answering() === 0);
  });

  test("a connection whose body ends after the terminal event is used again", async () => {
    const server = await serveHttp((_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(plain.start + plain.end);
      setImmediate(() => response.end("data: [DONE]\n\n"));
    });
    for (let i = 0; i < 3; i++) {
      await collect(await open(server.url));
      await until(() => server.answering() === 0);
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
    expect(server.connections()).toBe(1);
  });

  test("calls of next that do not wait for each other are served in order", async () => {
    const chunks = [plain.start, plain.text("a") + plain.text("b"), plain.text("c") + plain.end];
    const events = await open("http://stub.test", stub(chunks));
    const steps = await Promise.all(Array.from({ length: 8 }, () => events.next()));
    expect(textOf(steps.flatMap((step) => (step.done === true ? [] : [step.value])))).toBe("abc");
    expect(steps.map((step) => step.done === true)).toEqual([
      ...Array(5).fill(false),
      true,
      true,
      true,
    ]);
  });
});

describe("a chunk with many events", () => {
  const words = 200;
  const whole = plain.start + plain.text("a word of some length").repeat(words) + plain.end;

  /** An answer that comes in one chunk, and a decoder that counts. */
  async function openCounted(
    options: SendOptions = {},
  ): Promise<[events: AsyncIterableIterator<StreamEvent, undefined>, decoded: () => number]> {
    const decoder = plainDecoder();
    let decoded = 0;
    const counting: StreamDecoder = {
      ...decoder,
      push: (data, event, out) => {
        decoded++;
        decoder.push(data, event, out);
      },
    };
    const response = await send(
      { url: "http://stub.test", headers: {}, body: "{}", decodeError },
      { ...sendOptions, ...stub([whole]), ...options },
    );
    return [readPlain(response, {}, () => counting), () => decoded];
  }

  test("F-A4: its first are handed out before the rest is decoded", async () => {
    const [events, decoded] = await openCounted();
    expect(await events.next()).toMatchObject({ value: { type: "start" } });
    expect(decoded()).toBeLessThan(words / 3);
    expect(await collect(events)).toHaveLength(words + 1);
  });

  test("F-A1: stop means stop, also in the middle of it", async () => {
    const controller = new AbortController();
    const [events, decoded] = await openCounted({ signal: controller.signal });
    await events.next();
    controller.abort();
    const seen = decoded();
    expect(await failureOf(collect(events))).toMatchObject({ category: "aborted" });
    expect(decoded()).toBe(seen);
  });
});

describe("F-S6 F-S14: what a service may make us do", () => {
  test("F-S14: invalid JSON names the event and the byte, not the content", async () => {
    const broken = 'event: delta\ndata: {"text": secret content}\n\n';
    const events = await open("http://stub.test", stub([plain.start, plain.text("a") + broken]));
    const error = await failureOf(collect(events));
    expect(error).toMatchObject({ category: "protocol", code: "invalid_json" });
    expect(error.message).toMatch(/event delta is not JSON \(at byte \d+ of the stream\)/);
    expect(error.message).not.toContain("secret");
    const offset = Number(/byte (\d+)/.exec(error.message)?.[1]);
    expect(offset).toBeGreaterThan((plain.start + plain.text("a")).length);
    expect(offset).toBeLessThan((plain.start + plain.text("a") + broken).length);
  });

  test("F-S6: an event or a body over its limit closes the connection and names the option", async () => {
    const limits: [ReadOptions, RegExp][] = [
      [{ maxEventBytes: 1000 }, /maxEventBytes \(1000\)/],
      [{ maxResponseBytes: 3000 }, /maxResponseBytes \(3000\)/],
    ];
    for (const [options, message] of limits) {
      const server = await serveHttp((_request, response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write(`data: ${"x".repeat(4000)}`);
      });
      const error = await failureOf(collect(await open(server.url, {}, options)));
      expect(error.category).toBe("protocol");
      expect(error.message).toMatch(message);
      await until(() => server.answering() === 0);
    }
  });

  test("a decoder that falls over is a protocol error", async () => {
    const response = await send(
      { url: "http://stub.test", headers: {}, body: "", decodeError, post: runtimePost() },
      { ...sendOptions, ...stub([plain.start]) },
    );
    const clumsy = {
      ...plainDecoder(),
      push: (): void => {
        throw new TypeError("x of undefined");
      },
      partial: (): never => {
        throw new TypeError("y of undefined");
      },
    };
    const error = await failureOf(collect(readPlain(response, {}, () => clumsy)));
    expect(error).toMatchObject({ category: "protocol", code: "undecodable" });
  });
});

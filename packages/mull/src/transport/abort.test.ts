import { getEventListeners } from "node:events";
import { describe, expect, test } from "vitest";
import { failureOf, type HttpLoopback, serveHttp, until } from "../../../../test/loopback.ts";
import { plain, readPlain } from "../../../../test/plain-decoder.ts";
import { MullError } from "../types/error.ts";
import type { Fetch } from "../types/http.ts";
import { runtimePost } from "./node-client.ts";
import { send, type SendOptions, type PatientResponse, type SendRequest } from "./send.ts";

const decodeError: SendRequest["decodeError"] = ({ status }) =>
  new MullError("refused", { category: "server", status });

const post = (url: string, options: SendOptions): Promise<PatientResponse> =>
  send({ url, headers: {}, body: "{}", decodeError, post: runtimePost() }, options);

/** Sends, reads to the end, and aborts when `when` resolves. */
async function readAll(url: string, options: SendOptions): Promise<void> {
  const response = await post(url, options);
  const events = readPlain(response);
  for await (const event of events) void event;
}

const timers = (): number =>
  process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;

const silent: Fetch = () => new Promise(() => undefined);

type Phase = [name: string, first: string | undefined];

describe("F-G7 F-A1: stop means stop", () => {
  test("before the call: nothing is sent", async () => {
    let calls = 0;
    const reason = new Error("changed my mind");
    const error = await failureOf(
      readAll("http://stub.test", {
        signal: AbortSignal.abort(reason),
        fetch: async () => {
          calls++;
          return new Response("");
        },
      }),
    );
    expect(error).toMatchObject({ category: "aborted", retryable: false, cause: reason });
    expect(calls).toBe(0);
  });

  test("with a fetch that ignores its signal", async () => {
    const controller = new AbortController();
    const work = failureOf(
      readAll("http://stub.test", { signal: controller.signal, fetch: silent }),
    );
    controller.abort();
    expect((await work).category).toBe("aborted");
  });

  test("with a fetch that answers after the abort: the late body is cancelled", async () => {
    const controller = new AbortController();
    let isCancelled = false;
    const body = new ReadableStream({
      cancel: () => {
        isCancelled = true;
      },
    });
    const late: Fetch = () =>
      new Promise((resolve) => setTimeout(() => resolve(new Response(body)), 10));
    const work = failureOf(readAll("http://stub.test", { signal: controller.signal, fetch: late }));
    controller.abort();
    expect((await work).category).toBe("aborted");
    await until(() => isCancelled);
  });

  const phases: Phase[] = [
    ["before the headers", undefined],
    ["before the first event", ""],
    ["after the start", plain.start],
    ["in the text", plain.start + plain.text("hello")],
    ["inside an event", `${plain.start}data: {"te`],
  ];
  test.each(phases)("%s: aborted, and the socket is closed", async (_name, first) => {
    const controller = new AbortController();
    const server = await serveHttp((_request, response) => {
      if (first !== undefined) {
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.flushHeaders();
        response.write(first);
      }
      setTimeout(() => controller.abort(), 20);
    });
    const error = await failureOf(readAll(server.url, { signal: controller.signal }));
    expect(error.category).toBe("aborted");
    await until(() => server.answering() === 0);
    expect(getEventListeners(controller.signal, "abort")).toHaveLength(0);
  });

  test("while an error body is read", async () => {
    const controller = new AbortController();
    const server = await serveHttp((_request, response) => {
      response.writeHead(500, { "content-type": "application/json" }).write("{");
      setTimeout(() => controller.abort(), 20);
    });
    const error = await failureOf(readAll(server.url, { signal: controller.signal }));
    expect(error.category).toBe("aborted");
    await until(() => server.answering() === 0);
  });

  test("F-R11: in a backoff wait: no further call, no timer, no listener", async () => {
    const controller = new AbortController();
    let calls = 0;
    const fetch: Fetch = async () => {
      calls++;
      setTimeout(() => controller.abort(), 10);
      return new Response("{}", { status: 503 });
    };
    const before = timers();
    const error = await failureOf(
      readAll("http://stub.test", { signal: controller.signal, fetch, random: () => 1 }),
    );
    expect(error.category).toBe("aborted");
    expect(calls).toBe(1);
    expect(timers()).toBeLessThanOrEqual(before);
    expect(getEventListeners(controller.signal, "abort")).toHaveLength(0);
  });

  test("F-R11: in a backoff wait whose sleep ignores the signal", async () => {
    const controller = new AbortController();
    const work = failureOf(
      readAll("http://stub.test", {
        signal: controller.signal,
        fetch: async () => new Response("{}", { status: 503 }),
        sleep: () => new Promise(() => undefined),
      }),
    );
    setTimeout(() => controller.abort(), 10);
    expect((await work).category).toBe("aborted");
  });

  test("after the end: nothing happens", async () => {
    const controller = new AbortController();
    const body = plain.start + plain.end;
    await readAll("http://stub.test", {
      signal: controller.signal,
      fetch: async () => new Response(new TextEncoder().encode(body)),
    });
    expect(() => controller.abort()).not.toThrow();
  });
});

async function serveForever(): Promise<HttpLoopback> {
  return serveHttp((_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(plain.start);
    const timer = setInterval(() => response.write(plain.text("x")), 2);
    response.on("close", () => clearInterval(timer));
  });
}

describe("F-A2 F-A4 F-A5: consumers", () => {
  test("F-A2: breaking out of the loop closes the connection", async () => {
    const server = await serveForever();
    const events = readPlain(await post(server.url, {}));
    for await (const event of events) if (event.type === "text") break;
    await until(() => server.answering() === 0);
    expect(await events.next()).toEqual({ done: true, value: undefined });
  });

  test("F-A2: return() closes it too, also while a read is pending", async () => {
    const server = await serveHttp((_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).write(": nothing yet\n\n");
    });
    const events = readPlain(await post(server.url, {}));
    const pending = events.next();
    await events.return?.();
    expect(await pending).toEqual({ done: true, value: undefined });
    await until(() => server.answering() === 0);
  });

  test("F-A4: nothing is read ahead of the consumer", async () => {
    let pulled = 0;
    const chunk = new TextEncoder().encode(plain.text("x".repeat(1000)).repeat(10));
    const body = new ReadableStream(
      {
        pull: (controller) => {
          pulled++;
          controller.enqueue(chunk);
        },
      },
      { highWaterMark: 0 },
    );
    const response = await post("http://stub.test", { fetch: async () => new Response(body) });
    const events = readPlain(response);
    for (let i = 0; i < 25; i++) {
      await events.next();
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    expect(pulled).toBe(3);
    await events.return?.();
  });

  test("F-A5: one signal shared by 1,000 calls keeps no listener, however they end", async () => {
    const controller = new AbortController();
    const bodies = [plain.start + plain.end, plain.start, "", plain.start + plain.text("x")];
    let calls = 0;
    const fetch: Fetch = async () => {
      const body = bodies[calls++ % bodies.length];
      if (calls % 5 === 0) throw new TypeError("fetch failed");
      return new Response(new TextEncoder().encode(body));
    };
    const options = { fetch, signal: controller.signal, maxAttempts: 1 };
    for (let i = 0; i < 1000; i++) {
      if (i % 3 === 0) {
        const broken = await post("http://stub.test", options).catch(() => undefined);
        broken?.lifeline.close();
      } else {
        await readAll("http://stub.test", options).catch(() => undefined);
      }
    }
    expect(getEventListeners(controller.signal, "abort")).toHaveLength(0);
  });
});

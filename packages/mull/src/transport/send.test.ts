import { expect, describe, test } from "vitest";
import { failureOf, serveHttp, serveRaw } from "../../../../test/loopback.ts";
import { MullError } from "../types/error.ts";
import type { Fetch } from "../types/http.ts";
import type { Attempt } from "../types/plan.ts";
import { schedule } from "./deadline.ts";
import { readBriefly } from "./answer.ts";
import { runtimePost } from "./node-client.ts";
import { send, type SendOptions, type PatientResponse, type SendRequest } from "./send.ts";

const decodeError: SendRequest["decodeError"] = ({ status, body }) =>
  new MullError(body, { category: status === 429 ? "rate_limit" : "server", status });

const asked = {
  headers: { "x-api-key": "k-123456789" },
  body: '{"prompt":"é"}',
  decodeError,
  provider: "test",
  secrets: ["k-123456789"],
};
const quick = { sleep: async (): Promise<void> => undefined };

const post = (
  url: string,
  options: SendOptions = {},
  attempts: Attempt[] = [],
): Promise<PatientResponse> =>
  send({ ...asked, url, attempts, post: runtimePost() }, { ...quick, ...options });

const thrower =
  (code: string, calls: string[] = []): Fetch =>
  async (input) => {
    calls.push(input);
    throw new TypeError("fetch failed", {
      cause: Object.assign(new Error(`getaddrinfo ${code} api.test?key=k-123456789`), { code }),
    });
  };

describe("F-N1 F-N2: the service cannot be reached", () => {
  test.each(["ENOTFOUND", "EAI_AGAIN", "ECONNREFUSED", "ECONNRESET", "UND_ERR_SOCKET"])(
    "F-N1: %s is retried, 3 calls at most, and names the host but no query and no key",
    async (code) => {
      const calls: string[] = [];
      const attempts: Attempt[] = [];
      const error = await failureOf(
        post("https://api.test/v1?key=k-123456789", { fetch: thrower(code, calls) }, attempts),
      );
      expect(error).toMatchObject({ category: "network", retryable: true, code, provider: "test" });
      expect(error.message).toContain("api.test");
      expect(`${error.message}${String(error.cause)}`).not.toMatch(/k-123|key=k/);
      expect(calls).toHaveLength(3);
      expect(attempts.map((attempt) => attempt.error)).toEqual([code, code, code]);
    },
  );

  test("F-N1: a name that does not exist, through the runtime's own fetch", async () => {
    const error = await failureOf(post("http://nope.invalid/v1"));
    expect(error.category).toBe("network");
    expect(error.message).toContain("nope.invalid");
  });

  test.each<[string, Parameters<typeof serveRaw>[0]]>([
    ["a reset", (socket) => socket.resetAndDestroy()],
    ["an end", (socket) => socket.end()],
    ["half a status line", (socket) => socket.end("HTTP/1.1 2")],
  ])("F-N2: %s before the headers is retried with the same bytes", async (_name, answer) => {
    const server = await serveRaw(answer);
    const error = await failureOf(post(server.url));
    expect(error).toMatchObject({ category: "network", retryable: true });
    expect(server.requests).toHaveLength(3);
    expect(new Set(server.requests.map((text) => text.split("\r\n\r\n")[1])).size).toBe(1);
  });

  test("F-N2: the retry that succeeds is the answer, and every attempt is reported", async () => {
    const server = await serveRaw((socket, count) => {
      if (count === 1) socket.resetAndDestroy();
      else socket.end("HTTP/1.1 200 OK\r\nrequest-id: r1\r\ncontent-length: 2\r\n\r\nok");
    });
    const response = await post(server.url, { random: () => 0.5 });
    expect(response.status).toBe(200);
    expect(response.headers.get("request-id")).toBe("r1");
    expect(response.attempts).toMatchObject([{}, { status: 200, waitedMs: 250 }]);
    expect(response.attempts[0]?.error).toMatch(/ECONNRESET|UND_ERR_SOCKET/);
    expect(await readBriefly(response.body.getReader(), 1000, schedule)).toBe("ok");
    response.lifeline.release();
  });
});

describe("F-N6 F-N7 F-N10 F-N12: bodies that aren't answers", () => {
  test("F-N6: of an endless error page 64 KB are read; the wire makes them words", async () => {
    let sent = 0;
    const server = await serveHttp((_request, response) => {
      response.writeHead(502, { "content-type": "text/html" });
      response.write("<html><style>p{}</style><h1>Bad   gateway</h1>");
      const more = (): void => {
        for (; sent < 10_000_000; sent += 10_000) {
          if (!response.write(`<p>${"x".repeat(10_000)}</p>`)) {
            response.once("drain", more);
            return;
          }
        }
        response.end();
      };
      more();
    });
    const error = await failureOf(post(server.url, { maxAttempts: 1 }));
    expect(error).toMatchObject({ category: "server", status: 502, retryable: true });
    expect(error.message).toHaveLength(65_536);
    expect(sent).toBeLessThan(10_000_000);
  });

  test.each(["text/html", "text/plain; charset=utf-8", "image/png"])(
    "F-N7: 200 with %s is a protocol error that names it, and is not retried",
    async (type) => {
      let calls = 0;
      const server = await serveHttp((_request, response) => {
        calls++;
        response.writeHead(200, { "content-type": type }).end("<p>Log in</p>");
      });
      const error = await failureOf(post(server.url));
      expect(error).toMatchObject({ category: "protocol", code: "content_type", retryable: false });
      expect(error.message).toContain(type.split(";")[0]);
      expect(calls).toBe(1);
    },
  );

  test.each(["text/event-stream; charset=utf-8", "application/json", "application/x-ndjson", ""])(
    "F-N7: %j is a stream",
    async (type) => {
      const headers: Record<string, string> = type === "" ? {} : { "content-type": type };
      const body = new TextEncoder().encode("{}");
      const response = await post("http://stub.test", {
        fetch: async () => new Response(body, { headers }),
      });
      response.lifeline.close();
      expect(response.status).toBe(200);
    },
  );

  test.each([301, 302, 303, 307, 308])(
    "F-N10: a %i to another origin is not followed and the other origin hears nothing",
    async (status) => {
      let leaked = 0;
      const other = await serveHttp((_request, response) => {
        leaked++;
        response.end();
      });
      const server = await serveHttp((_request, response) => {
        response.writeHead(status, { location: `${other.url}?key=secret-query` }).end();
      });
      const error = await failureOf(post(server.url));
      expect(error).toMatchObject({ category: "protocol", code: "redirect", status });
      expect(error.message).toContain(new URL(other.url).host);
      expect(error.message).not.toContain("secret-query");
      expect(leaked).toBe(0);
    },
  );

  test.each([
    ["garbage", "\u0016\u0003\u0001 what is this\r\n\r\n"],
    ["headers over 16 KB", `HTTP/1.1 200 OK\r\nx: ${"y".repeat(20_000)}\r\n\r\n`],
  ])("F-N12: %s is a readable error after one call", async (_name, bytes) => {
    const server = await serveRaw((socket) => socket.end(bytes));
    const error = await failureOf(post(server.url));
    expect(error.category).toBe("protocol");
    expect(error.message).toMatch(/not valid HTTP/);
    expect(server.requests).toHaveLength(1);
  });

  test("F-N12: TLS to a plain port", async () => {
    const server = await serveHttp((_request, response) => response.end());
    const error = await failureOf(post(server.url.replace("http:", "https:"), { maxAttempts: 2 }));
    expect(["network", "protocol"]).toContain(error.category);
  });
});

describe("F-N14 F-N18 F-N20: limits, sockets and the caller's own fetch", () => {
  test("F-N14: where the runtime's limit cannot be lifted the error says so and how", async () => {
    const calls: string[] = [];
    const error = await failureOf(
      post("http://slow.test", { fetch: thrower("UND_ERR_HEADERS_TIMEOUT", calls) }),
    );
    expect(error.category).toBe("timeout");
    expect(error.message).toMatch(/300 s.*dispatcher.*headersTimeout/);
    expect(calls).toHaveLength(1);
  });

  test("F-N18: 200 refusals at 10 a time give their sockets back", async () => {
    const server = await serveHttp((_request, response) => {
      response
        .writeHead(500, { "content-type": "application/json" })
        .end(`{"e":"${"x".repeat(3000)}"}`);
    });
    const worker = async (): Promise<void> => {
      for (let i = 0; i < 20; i++) await failureOf(post(server.url, { maxAttempts: 1 }));
    };
    await Promise.all(Array.from({ length: 10 }, worker));
    // The runtime's pool itself opens up to 17 for bodies that are read whole, and 200 for unread ones.
    expect(server.connections()).toBeLessThanOrEqual(20);
  });

  test("F-N20: the caller's fetch does every attempt, and gets no agent of ours", async () => {
    const inits: RequestInit[] = [];
    const ownFetch: Fetch = async (_url, init) => {
      inits.push(init);
      if (inits.length < 3) return new Response("{}", { status: 503 });
      return new Response(new Uint8Array(1));
    };
    const response = await post("http://stub.test", { fetch: ownFetch });
    response.lifeline.close();
    expect(inits).toHaveLength(3);
    for (const init of inits) {
      expect(init).not.toHaveProperty("dispatcher");
      expect(init).toMatchObject({
        redirect: "error",
        credentials: "omit",
        referrerPolicy: "no-referrer",
        body: '{"prompt":"é"}',
      });
    }
  });

  test("F-N20: the caller's dispatcher is passed on as it is", async () => {
    const dispatcher = {};
    let seen: unknown;
    const response = await post("http://stub.test", {
      dispatcher,
      fetch: async (_url, init) => {
        seen = Reflect.get(init, "dispatcher");
        return new Response(new Uint8Array(1));
      },
    });
    response.lifeline.close();
    expect(seen).toBe(dispatcher);
  });

  test("an error that the caller's fetch already built is passed on, without retry", async () => {
    let calls = 0;
    const own = new MullError("no such cassette", { category: "not_found", code: "cassette" });
    const error = await failureOf(
      post("http://stub.test", {
        fetch: () => {
          calls++;
          throw own;
        },
      }),
    );
    expect(error).toMatchObject({ message: own.message, category: "not_found", code: "cassette" });
    expect(calls).toBe(1);
  });

  test("F-N20: a caller's fetch that fails with a code of its own is asked once, its words are the cause", async () => {
    const calls: string[] = [];
    const error = await failureOf(
      post("http://service.test/", { fetch: thrower("no-match", calls) }),
    );
    expect(error).toMatchObject({ category: "network", code: "no-match", retryable: false });
    expect(error.message).toContain("the given `fetch` failed; the cause says why (no-match)");
    expect(calls).toHaveLength(1);
  });

  test("F-N20: a fetch of the caller's that hands on nothing usable is told so, without retry", async () => {
    const read = new Response("data: {}", { headers: { "content-type": "text/event-stream" } });
    await read.text();
    let calls = 0;
    const handing = (answer: unknown): Fetch => {
      calls = 0;
      return async () => {
        calls++;
        return answer as Response;
      };
    };
    const seen = await failureOf(post("http://stub.test", { fetch: handing(read) }));
    expect(seen).toMatchObject({ category: "protocol", code: "body_used", retryable: false });
    expect(seen.message).toContain("response.clone()");
    expect(calls).toBe(1);
    const none = await failureOf(post("http://stub.test", { fetch: handing(undefined) }));
    expect(none).toMatchObject({ category: "protocol", code: "no_response" });
  });

  test("a bad address and a key with a line break are refused before anything is sent", async () => {
    const url = await failureOf(post("ftp://x.test"));
    expect(url).toMatchObject({ category: "invalid_argument", field: "url" });
    const broken = { ...asked, url: "http://x.test", headers: { "x-api-key": "k-1\n" } };
    const header = await failureOf(send(broken, quick));
    expect(header).toMatchObject({ category: "invalid_argument", field: "header x-api-key" });
    expect(header.message).not.toContain("k-1");
  });
});

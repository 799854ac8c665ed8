import { readFileSync } from "node:fs";
import { createServer, request, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { listen } from "@mull/server";
import { afterEach, describe, expect, test } from "vitest";
import { testServer } from "../../packages/server/src/testing/test-server.ts";

const guide = readFileSync(join(import.meta.dirname, "../../docs/operate/deploy.md"), "utf8");
const name = "chat.example.com";
const site = `https://${name}`;

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

/** The server as the guide sets it up, and a proxy in front that does what the guide's nginx does. */
async function serveBehindProxy(
  limits: Parameters<typeof testServer>[0] = {},
): Promise<{ readonly inside: number; readonly outside: number }> {
  const { app } = testServer({ isSecure: true, hosts: [name], ...limits });
  const inner = await listen(app, { port: 0 });
  const proxy = createServer((asked, answer) => {
    const { method, url, headers } = asked;
    const passed = request({ port: inner.port, method, path: url, headers }, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(answer);
    });
    asked.pipe(passed);
  });
  await new Promise<void>((ready) => proxy.listen(0, "127.0.0.1", ready));
  closing.push(() => stop(proxy), inner.close);
  return { inside: inner.port, outside: (proxy.address() as AddressInfo).port };
}

const stop = (server: Server): Promise<void> =>
  new Promise((done) => {
    server.close(() => done());
    server.closeAllConnections();
  });

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly text: string;
}

/** As a browser asks whose TLS ends at the proxy; `fetch` would not let go of its own `Host`. */
const ask = (
  port: number,
  path: string,
  body?: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const asking = request(
      {
        port,
        path,
        method: body === undefined ? "GET" : "POST",
        headers: { host: name, origin: site, "content-type": "application/json", ...headers },
      },
      (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (piece: string) => (text += piece));
        response.on("end", () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
        );
      },
    );
    asking.on("error", reject).end(body === undefined ? undefined : JSON.stringify(body));
  });

const ann = { name: "ann", password: "correct horse" };

describe("docs/operate/deploy.md: behind a proxy", () => {
  test("cookies are Secure and bound to the host, and an answer streams through unbuffered", async () => {
    const { outside } = await serveBehindProxy();
    const signed = await ask(outside, "/api/account/sign-up", ann);
    expect(signed.status).toBe(201);
    const [set = ""] = signed.headers["set-cookie"] ?? [];
    expect(set).toMatch(/^__Host-/);
    expect(set).toMatch(/; Secure\b/i);
    const cookie = set.split(";")[0] ?? "";
    const made = await ask(outside, "/api/conversations", {}, { cookie });
    const { id } = JSON.parse(made.text) as { readonly id: string };
    const message = { role: "user", parts: [{ type: "text", text: "What is 2 + 2?" }] };
    const answer = await ask(outside, "/api/chat", { id, messages: [message] }, { cookie });
    expect(answer.text).toContain('"text-delta"');
    expect(answer.headers).toMatchObject({
      "x-accel-buffering": "no",
      "content-type": expect.stringContaining("text/event-stream"),
    });
    expect(guide).toContain("`x-accel-buffering: no`");
  });

  test("F-W21: another Origin is refused, and so is every name that was not set", async () => {
    const { inside, outside } = await serveBehindProxy();
    const foreign = { origin: "https://evil.example" };
    expect((await ask(outside, "/api/account/sign-up", ann, foreign)).status).toBe(403);
    const loopback = { host: `127.0.0.1:${inside}` };
    expect((await ask(inside, "/health", undefined, loopback)).status).toBeGreaterThanOrEqual(400);
    expect((await ask(inside, "/health")).status).toBe(200);
  });

  test("F-W3: forwarding headers are not believed: the limit counts the proxy's address", async () => {
    const { outside } = await serveBehindProxy({ limits: { attemptsPerAddress: 3 } });
    const tries = await Promise.all(
      [1, 2, 3, 4, 5].map((one) =>
        ask(
          outside,
          "/api/account/sign-in",
          { name: `nobody${one}`, password: "wrong horse" },
          { "x-forwarded-for": `192.0.2.${one}`, forwarded: `for=192.0.2.${one}` },
        ),
      ),
    );
    expect(tries.filter(({ status }) => status === 429).length).toBeGreaterThan(0);
  });
});

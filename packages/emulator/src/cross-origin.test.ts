import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { emulate } from "./emulate.ts";
import { listen, type Listening } from "./node.ts";
import { testWires, type TestWire } from "./testing/wires.ts";

const origin = "http://localhost:5173";
const consent = { "anthropic-dangerous-direct-browser-access": "true" };

const consentOf = ({ name }: TestWire): Readonly<Record<string, string>> =>
  name === "anthropic" ? consent : {};

const preflight = (wire: TestWire, headers: Readonly<Record<string, string>>): Promise<Response> =>
  emulate()(wire.url, {
    method: "OPTIONS",
    headers: {
      origin,
      "access-control-request-method": "POST",
      "access-control-request-headers": ["x-stainless-os", ...Object.keys(headers)].join(","),
    },
  });

const post = (wire: TestWire, headers: Readonly<Record<string, string>>): Promise<Response> =>
  emulate()(wire.url, {
    method: "POST",
    headers: { "content-type": "application/json", ...wire.headers, ...headers },
    body: JSON.stringify(wire.body("Hi")),
  });

describe.each(testWires)("P-J1 a page in a browser asks $name", (wire) => {
  it("is given leave for every header it wants to send, and reads the answer", async () => {
    const asked = { ...wire.headers, ...consentOf(wire) };
    const leave = await preflight(wire, asked);
    expect(leave.status).toBe(204);
    expect(leave.headers.get("access-control-allow-origin")).toMatch(/^\*$|localhost/);
    expect(leave.headers.get("access-control-allow-headers")).toContain("x-stainless-os");
    expect(leave.headers.get("access-control-allow-methods")).toContain("POST");
    const answer = await post(wire, { origin, ...consentOf(wire) });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("access-control-allow-origin")).toMatch(/^\*$|localhost/);
  });

  it("reads refusals too, and programs see nothing of it", async () => {
    const refused = await emulate()(wire.url, {
      method: "POST",
      headers: { ...wire.headers, origin, ...consentOf(wire) },
      body: "{",
    });
    expect(refused.status).toBe(400);
    expect(refused.headers.has("access-control-allow-origin")).toBe(true);
    expect((await post(wire, {})).headers.has("access-control-allow-origin")).toBe(false);
  });
});

describe("P-J1 Anthropic wants a page's consent", () => {
  const [anthropic] = testWires as [TestWire];

  it("refuses without it, and does not let the page read why", async () => {
    const refused = await post(anthropic, { origin });
    expect([refused.status, await refused.json()]).toMatchObject([
      401,
      {
        type: "error",
        error: {
          type: "authentication_error",
          message: "CORS requests must set 'anthropic-dangerous-direct-browser-access' header",
        },
      },
    ]);
    expect(refused.headers.has("access-control-allow-origin")).toBe(false);
    const leave = await preflight(anthropic, anthropic.headers);
    expect(leave.headers.has("access-control-allow-origin")).toBe(false);
  });
});

const ask = (
  { url }: Listening,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<readonly [number, string]> =>
  new Promise((resolve, reject) => {
    request(`${url}${path}`, { headers }, (response) => {
      let said = "";
      response.setEncoding("utf8").on("data", (piece: string) => (said += piece));
      response.on("end", () => resolve([response.statusCode ?? 0, said]));
    })
      .on("error", reject)
      .end();
  });

const statusOf = async (there: Listening, host: string): Promise<number> =>
  (await ask(there, "/__mull/health", { host }))[0];

describe("F-W4 F-W21 an emulator on a port", () => {
  let server: Listening;
  beforeAll(async () => {
    server = await listen({ origins: ["http://app.test:3000"], hosts: ["Emulator"] });
  });
  afterAll(() => server.close());

  const get = async (path: string, headers: Readonly<Record<string, string>>): Promise<number> =>
    (await ask(server, path, headers))[0];
  const models = "/v1/models";
  const key = { authorization: "Bearer k" };

  it.each([
    ["a page of this machine", { origin: "http://127.0.0.1:5173" }, 200],
    ["a page under a name of this machine", { origin: "http://app.localhost:5173" }, 200],
    ["a page that was named", { origin: "http://app.test:3000" }, 200],
    ["any other site", { origin: "https://example.com" }, 403],
    ["a site that only looks like it", { origin: "http://localhost.example.com" }, 403],
    ["a page without a name", { origin: "null" }, 403],
  ])("lets in, or sends away, %s", async (_, headers, status) => {
    expect(await get(models, { ...key, ...headers })).toBe(status);
  });

  it.each([
    ["a page", { origin: "http://rebound.example.com" }],
    ["a page that asks where it comes from", { "sec-fetch-site": "same-origin" }],
    ["a program, or a page of a browser that says nothing", {}],
  ])("sends away %s of a site whose name points here", async (_, headers) => {
    const [status, said] = await ask(server, "/__mull/journal", {
      host: "rebound.example.com:80",
      ...headers,
    });
    expect(status).toBe(421);
    expect(said).toMatch(/does not answer for rebound\.example\.com.*--host-name/);
  });

  it.each(["localhost:1", "127.0.0.1", "[::1]:80", "mull.localhost", "emulator:8787", "EMULATOR"])(
    "answers for %s",
    async (host) => {
      expect(await get("/__mull/journal", { host, "sec-fetch-site": "none" })).toBe(200);
    },
  );

  it("F-W4: open to other machines it answers for any name, or for those that were given", async () => {
    const open = { allowRemote: true } as const;
    const [any, named] = await Promise.all([listen(open), listen({ ...open, hosts: ["box"] })]);
    expect(await statusOf(any, "emulator:8787")).toBe(200);
    expect(await statusOf(named, "box:8787")).toBe(200);
    expect(await statusOf(named, "emulator:8787")).toBe(421);
    await Promise.all([any.close(), named.close()]);
  });

  it("shows the journal to no page of another port", async () => {
    const response = await fetch(`${server.url}/__mull/journal`, { headers: { origin } });
    expect(response.headers.has("access-control-allow-origin")).toBe(false);
  });
});

import { describe, expect, it } from "vitest";
import { routes } from "./routes/index.ts";
import { sampleBodies } from "./testing/route-samples.ts";
import { origin, testServer } from "./testing/test-server.ts";

const missing = "00000000-0000-4000-8000-000000000000";
const unsafe = routes.filter((route) => route.method !== "GET");

const attacks: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  [
    "a form of another site",
    { origin: "https://evil.example", "content-type": "application/x-www-form-urlencoded" },
  ],
  ["JSON as text/plain", { origin: "https://evil.example", "content-type": "text/plain" }],
  ["no Origin", { "content-type": "application/json" }],
  ["Origin null", { origin: "null", "content-type": "application/json" }],
  [
    "Sec-Fetch-Site cross-site",
    { origin, "sec-fetch-site": "cross-site", "content-type": "application/json" },
  ],
  [
    "Sec-Fetch-Site same-site",
    { "sec-fetch-site": "same-site", "content-type": "application/json" },
  ],
  ["another port", { origin: "http://localhost:4000", "content-type": "application/json" }],
];

describe("F-W4: requests from other sites", () => {
  it.each(unsafe.map((route) => [`${route.method} ${route.path}`, route] as const))(
    "F-W4: %s is refused from anywhere else",
    async (name, route) => {
      const server = testServer();
      const ann = await server.signedUp("ann");
      const path = route.path.replace(":conversationId", missing);
      const ids = { conversationId: missing, messageId: missing };
      const body = JSON.stringify(sampleBodies.get(name)?.(ids) ?? {});
      for (const [what, headers] of attacks) {
        const response = await server.app(origin + path, {
          method: route.method,
          headers: { ...headers, cookie: ann.cookie },
          body,
        });
        expect([what, response.status]).toEqual([what, 403]);
      }
    },
  );

  it("F-W4: a program that isn't a browser is told which header it needs, and needs no other", async () => {
    const server = testServer();
    const body = JSON.stringify({ name: "ann", password: "a long password" });
    const send = (headers: Readonly<Record<string, string>>): Promise<Response> =>
      server.app(`${origin}/api/account/sign-up`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body,
      });
    const { error } = (await (await send({})).json()) as { readonly error: { fix: string } };
    expect(error.fix).toContain(`Origin: ${origin}`);
    expect((await send({ origin })).status).toBe(201);
  });

  it("F-W4: no GET changes anything", async () => {
    const server = testServer();
    const ann = await server.signedUp("ann");
    const conversationId = await ann.newConversation();
    await ann.askWhole(conversationId, "What is 2 + 2?");
    const read = (): Promise<unknown> =>
      ann.json("GET", `/api/conversations/${conversationId}/messages`);
    const before = await read();
    for (const route of routes.filter((each) => each.method === "GET")) {
      await ann.call("GET", route.path.replace(":conversationId", conversationId));
    }
    expect(await read()).toEqual(before);
  });

  it("F-W4: only JSON is read", async () => {
    const server = testServer();
    const ann = await server.signedUp("ann");
    const response = await server.app(`${origin}/api/conversations`, {
      method: "POST",
      headers: { origin, cookie: ann.cookie, "content-type": "text/plain" },
      body: "{}",
    });
    expect(response.status).toBe(415);
  });

  it("F-W21: a host that is not configured is 421", async () => {
    const server = testServer();
    for (const host of ["evil.example", "localhost.evil.example", "127.0.0.1.nip.io"]) {
      const response = await server.app(`http://${host}/health`, {});
      expect([host, response.status]).toEqual([host, 421]);
    }
    const named = testServer({ hosts: ["chat.example"] });
    expect((await named.app("https://chat.example/health", {})).status).toBe(200);
    expect((await named.app("http://localhost:3001/health", {})).status).toBe(421);
  });

  it("F-W19: paths that climb lead nowhere", async () => {
    const page = new Map([
      [
        "/index.html",
        { type: "text/html", bytes: new TextEncoder().encode("<p>"), tag: '"1"', isHashed: false },
      ],
    ]);
    const server = testServer({ files: page });
    const ann = await server.signedUp("ann");
    expect((await ann.call("GET", "/")).status).toBe(200);
    const climbs = [
      "/../etc/passwd",
      "/%2e%2e%2fetc/passwd",
      "/..%5c..%5cetc",
      "/assets/..%2f..%2fpackage.json",
      "/index.html%00.js",
      "//etc/passwd",
      "/api/conversations/..%2f..%2faccount",
      "/api/conversations/%00",
      "/api/conversations/..%5c",
      "/api/conversations/../../../etc/passwd/export",
    ];
    for (const path of climbs) {
      expect([path, (await ann.call("GET", path)).status]).toEqual([path, 404]);
    }
    const id = await ann.newConversation();
    await ann.json("PATCH", `/api/conversations/${id}`, { title: '../../x"\r\nset-cookie: a=b' });
    const file = await ann.call("GET", `/api/conversations/${id}/export`);
    expect(file.headers.get("content-disposition")).toBe(
      'attachment; filename="x-set-cookie-a-b.json"',
    );
  });

  it("F-W5: every answer carries the policy that blocks scripts and foreign images", async () => {
    const server = testServer();
    for (const path of ["/health", "/nowhere", "/api/account"]) {
      const { headers } = await server.app(origin + path, {});
      expect(headers.get("content-security-policy")).toContain(
        "default-src 'none'; script-src 'self'",
      );
      expect(headers.get("x-content-type-options")).toBe("nosniff");
    }
  });
});

import { describe, expect, it } from "vitest";
import { routes } from "./routes/index.ts";
import { sampleBodies } from "./testing/route-samples.ts";
import { origin, testServer } from "./testing/test-server.ts";

/** A small random generator with a seed, so that a failure can be repeated. */
const createRandom = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
};

const deep = (levels: number): string => `${"[".repeat(levels)}${"]".repeat(levels)}`;

const bodies: readonly string[] = [
  "",
  "null",
  "[]",
  "0",
  '"text"',
  "{",
  '{"__proto__": {"isAdmin": true}}',
  '{"constructor": {"prototype": {"x": 1}}}',
  '{"id": {"$ne": null}}',
  `{"id": ${deep(100)}}`,
  deep(20_000),
  "[".repeat(20_000),
  `{"id": "\\"${"[".repeat(100)}", "message": ${deep(100)}}`,
  '{"id": "x", "messages": null}',
  '{"id": "x", "messages": [null]}',
  '{"id": "x", "messages": [{"role": "user", "parts": [null]}]}',
  '{"id": "x", "messages": [{"role": "assistant", "parts": []}]}',
  '{"id": "x", "messages": [{"role": "user", "parts": [{"type": "text", "text": 1}]}]}',
  '{"id": "\\u0000", "messages": []}',
  '{"id": "x\'; drop table messages; --"}',
  '{"history": {"version": 99}}',
  '{"history": {"version": 1, "head": 5, "entries": []}}',
  '{"messages": [{"role": "user"}]}',
  '{"model": "../../etc/passwd"}',
  '{"model": "gpt-6-sol/enormous"}',
  '{"level": "maximum"}',
  '{"title": 5}',
  '{"title": "\\ud800"}',
  '{"name": "", "password": ""}',
  '{"messageId": []}',
  '{"head": "nowhere"}',
];

const queries: readonly string[] = [
  "",
  "?limit=-1",
  "?limit=1e9",
  "?limit=1&limit=2",
  "?__proto__=1",
  "?after=NaN",
  "?after=99999999999999999999",
  "?model=%00",
  "?search=%F0%9F%92%A9",
  "?at=%27%3B--",
  "?format=exe",
  "?api_base=http%3A%2F%2F127.0.0.1",
];

describe("F-W12: input nobody meant", () => {
  it("F-W12: 5,000 bad requests over all routes are answered in JSON, none with 500", async () => {
    const server = testServer({ limits: { attemptsPerAddress: 1e6, attemptsPerAccount: 1e6 } });
    const ann = await server.signedUp("ann");
    const own = await ann.newConversation();
    const random = createRandom(7);
    const pick = <T>(from: readonly T[]): T => from.at(Math.floor(random() * from.length))!;
    const ids = [own, "x", "%00", "constructor", "__proto__", "'; --", "a".repeat(3000)];
    const wrong: string[] = [];
    for (let round = 0; round < 5000; round++) {
      const route = pick(routes);
      const path = route.path.replace(":conversationId", pick(ids)) + pick(queries);
      const isRead = route.method === "GET";
      const response = await server.app(origin + path, {
        method: route.method,
        headers: { origin, cookie: ann.cookie, "content-type": "application/json" },
        ...(!isRead && { body: pick(bodies) }),
      });
      const isRefusal = response.status >= 400;
      const isJson = response.headers.get("content-type") === "application/json";
      if (response.status === 500 || (isRefusal && !isJson)) {
        wrong.push(`${round}: ${route.method} ${path.slice(0, 100)} ${response.status}`);
      }
      await response.body?.cancel();
    }
    expect(wrong).toEqual([]);
    expect(({} as { isAdmin?: unknown }).isAdmin).toBeUndefined();
    expect((await ann.call("GET", "/health")).status).toBe(200);
  }, 60_000);

  it("F-W12: brackets inside a text are no levels", async () => {
    const ann = await testServer().signedUp("ann");
    const asked = await ann.ask(await ann.newConversation(), { text: `\\"${"[{".repeat(200)}` });
    expect(asked.status).toBe(200);
    await asked.text();
  });

  it("F-W12: unknown fields are refused on every route", async () => {
    const server = testServer();
    const ann = await server.signedUp("ann");
    const conversationId = await ann.newConversation();
    const ids = { conversationId, messageId: conversationId };
    for (const route of routes.filter((each) => each.body !== undefined)) {
      const name = `${route.method} ${route.path}`;
      const sample = sampleBodies.get(name)?.(ids) as object;
      const response = await ann.call(
        route.method,
        route.path.replace(":conversationId", conversationId),
        { ...sample, extra: { api_base: "http://127.0.0.1:1" } },
      );
      expect([name, response.status]).toEqual([name, 400]);
    }
  });

  it("F-W12: a method that a path does not take is 405 with those it takes", async () => {
    const ann = await testServer().signedUp("ann");
    for (const [method, path, allow] of [
      ["OPTIONS", "/api/chat", "POST"],
      ["PUT", "/api/conversations/x", "GET, HEAD, PATCH, DELETE"],
      ["POST", "/health", "GET, HEAD"],
    ] as const) {
      const response = await ann.call(method, path);
      expect([response.status, response.headers.get("allow")]).toEqual([405, allow]);
    }
  });

  it.each([
    ["base URL", { api_base: "http://127.0.0.1:9" }],
    ["headers", { headers: { "x-api-key": "stolen" } }],
    ["extra", { extra: { mcp_servers: [{ url: "http://127.0.0.1:9" }] } }],
    ["a model of a provider that is not there", { model: "evil:gpt-6-sol" }],
    ["an address as model", { model: "http://127.0.0.1:9/v1" }],
  ])("F-W8: %s from a user is refused", async (_, fields) => {
    const server = testServer();
    const ann = await server.signedUp("ann");
    const response = await ann.call("POST", "/api/chat", {
      id: "x",
      messages: [{ role: "user", parts: [{ type: "text", text: "hello" }] }],
      ...fields,
    });
    expect(response.status).toBe(400);
    expect(server.emulator.journal()).toEqual([]);
  });

  it.each([
    ["http", "http://127.0.0.1:9/x.png"],
    ["https", "https://evil.example/x.png"],
    ["file", "file:///etc/passwd"],
    ["a file id of the provider", "file-id:abc"],
  ])("F-W8: a file given by %s is refused; data goes through", async (_, url) => {
    const server = testServer();
    const ann = await server.signedUp("ann");
    const send = (file: string): Promise<Response> =>
      ann.call("POST", "/api/chat", {
        id: "x",
        messages: [
          {
            role: "user",
            parts: [
              { type: "text", text: "What is this?" },
              { type: "file", mediaType: "image/png", url: file },
            ],
          },
        ],
      });
    expect((await send(url)).status).toBe(400);
    expect((await send("data:image/png;base64,iVBORw0KGgo=")).status).toBe(200);
  });

  it("F-W8: fields hidden on a message of a client do not reach the model", async () => {
    const server = testServer();
    const ann = await server.signedUp("ann");
    const hidden = { source: { type: "url", url: "http://127.0.0.1:9/secret" }, send: true };
    const response = await ann.call("POST", "/api/chat", {
      id: "x",
      messages: [
        {
          role: "user",
          metadata: hidden,
          parts: [{ type: "text", text: "hello", providerMetadata: { mull: hidden } }],
        },
      ],
    });
    await response.text();
    expect(JSON.stringify(server.emulator.journal())).not.toContain("127.0.0.1:9");
  });

  it("F-W8: an imported conversation brings no addresses along", async () => {
    const server = testServer();
    const ann = await server.signedUp("ann");
    const message = {
      role: "user",
      parts: [
        { type: "text", text: "Look" },
        { type: "file", mediaType: "image/png", source: { type: "url", url: "http://10.0.0.1/x" } },
      ],
    };
    const made = await ann.json<{ notes: string[]; conversation: { id: string } }>(
      "POST",
      "/api/conversations/import",
      { history: { version: 1, head: 0, entries: [{ parent: -1, message }] } },
    );
    expect(made.notes).toEqual(["message 0: a file given by its address was left out"]);
    await ann.askWhole(made.conversation.id, "And now?");
    expect(JSON.stringify(server.emulator.journal())).not.toContain("10.0.0.1");
  });

  it("F-W12: a question that holds half a character is stored without it, and answered", async () => {
    const server = testServer();
    const ann = await server.signedUp("ann");
    const id = await ann.newConversation();
    expect(JSON.stringify(await ann.askWhole(id, "What is 2 + 2? \ud83d"))).toContain("**4");
    const { messages } = await ann.json<{ readonly messages: readonly object[] }>(
      "GET",
      `/api/conversations/${id}/messages`,
    );
    const parts = [{ type: "text", text: "What is 2 + 2? \uFFFD" }];
    expect(messages[0]).toMatchObject({ role: "user", parts });
  });
});

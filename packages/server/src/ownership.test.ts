import { describe, expect, it } from "vitest";
import { routes } from "./routes/index.ts";
import type { Route } from "./routes/route.ts";
import { sampleBodies, sampleQueries, type SampleIds } from "./testing/route-samples.ts";
import { testServer, type Visitor } from "./testing/test-server.ts";

const nameOf = (route: Route): string => `${route.method} ${route.path}`;
const owned = routes.filter(
  (route) =>
    route.path.includes(":conversationId") ||
    ["POST /api/chat", "POST /api/compare", "POST /api/count"].includes(nameOf(route)),
);

const callAs = (visitor: Visitor, route: Route, ids: SampleIds): Promise<Response> => {
  const path = route.path.replace(":conversationId", ids.conversationId);
  const body = sampleBodies.get(nameOf(route))?.(ids);
  return visitor.call(
    route.method,
    path + (sampleQueries.get(nameOf(route)) ?? ""),
    route.method === "GET" ? undefined : (body ?? undefined),
  );
};

const missing = "00000000-0000-4000-8000-000000000000";

describe("F-G11 F-W1: what belongs to another user", () => {
  it("F-W1: every route with a body has a sample to test it with", () => {
    const without = routes.filter(
      (route) => route.body !== undefined && !sampleBodies.has(nameOf(route)),
    );
    expect(without.map(nameOf)).toEqual([]);
  });

  it.each(owned.map((route) => [nameOf(route), route] as const))(
    "F-W1: %s is 404, byte for byte as for a missing id",
    async (_, route) => {
      const server = testServer();
      const ann = await server.signedUp("ann");
      const bob = await server.signedUp("bob");
      const conversationId = await ann.newConversation();
      await ann.askWhole(conversationId, "What is 2 + 2?");
      const before = await ann.json<{ messages: { id: string }[] }>(
        "GET",
        `/api/conversations/${conversationId}/messages`,
      );
      const messageId = before.messages.at(0)!.id;
      const foreign = await callAs(bob, route, { conversationId, messageId });
      const absent = await callAs(bob, route, { conversationId: missing, messageId });
      expect(foreign.status).toBe(404);
      expect(absent.status).toBe(404);
      expect(await foreign.text()).toBe(await absent.text());
      expect(await ann.json("GET", `/api/conversations/${conversationId}/messages`)).toEqual(
        before,
      );
    },
  );

  it("F-W1: a message or turn of another user is 404 inside one's own conversation", async () => {
    const server = testServer();
    const ann = await server.signedUp("ann");
    const bob = await server.signedUp("bob");
    const theirs = await ann.newConversation();
    const chunks = await ann.askWhole(theirs, "What is 2 + 2?");
    const turnId = chunks.at(0)!["messageId"];
    const own = await bob.newConversation();
    const probes: readonly (readonly [string, string, unknown?])[] = [
      ["GET", `/api/chat/${own}/stream?turn=${String(turnId)}`],
      ["GET", `/api/conversations/${own}/messages?at=${String(turnId)}`],
      ["GET", `/api/conversations/${own}/inspect?at=${String(turnId)}`],
      ["GET", `/api/conversations/${own}/inspect?before=${String(turnId)}`],
      ["PATCH", `/api/conversations/${own}`, { head: turnId }],
      ["POST", `/api/conversations/${own}/fork`, { messageId: turnId }],
      ["POST", `/api/chat/${own}/retry`, { messageId: turnId }],
    ];
    for (const [method, path, body] of probes) {
      const response = await bob.call(method, path, body);
      expect([method, path, response.status]).toEqual([method, path, 404]);
    }
  });

  it("F-W1: each user sees only their own preferences", async () => {
    const server = testServer();
    const ann = await server.signedUp("ann");
    const bob = await server.signedUp("bob");
    await ann.json("PATCH", "/api/preferences", { theme: "dark" });
    expect(await bob.json("GET", "/api/preferences")).toEqual({});
    expect(await ann.json("GET", "/api/preferences")).toEqual({ theme: "dark" });
  });

  it("F-W1: a name a client made up is another conversation for another user", async () => {
    const server = testServer();
    const ann = await server.signedUp("ann");
    const bob = await server.signedUp("bob");
    await ann.askWhole("my-chat", "What is 2 + 2?");
    expect((await bob.call("GET", "/api/conversations/my-chat")).status).toBe(404);
    await bob.askWhole("my-chat", "What is 3 + 3?");
    const seen = await bob.json<{ messages: unknown[] }>(
      "GET",
      "/api/conversations/my-chat/messages",
    );
    expect(JSON.stringify(seen)).not.toContain("2 + 2");
  });

  it.each(
    routes
      .filter((route) => route.access === "user")
      .map((route) => [nameOf(route), route] as const),
  )("F-W1: %s wants somebody who is signed in", async (_, route) => {
    const server = testServer();
    const response = await callAs(server.visitor(), route, {
      conversationId: missing,
      messageId: missing,
    });
    expect(response.status).toBe(401);
  });
});

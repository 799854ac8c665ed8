import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { emulate } from "@mull/emulator";
import { createMemoryData, memoryStore } from "@mull/store";
import { findProvider, type Environment, type Fetch } from "mull";
import { afterAll, describe, expect, it } from "vitest";
import { chooseUpstream } from "./config.ts";
import { openServerKeys, type ServerKeys } from "./keys/server-keys.ts";
import { openKey, sealKey } from "./keys/seal-key.ts";
import type { ChatServerParts } from "./parts.ts";
import { testServer, textIn, type TestServer, type Visitor } from "./testing/test-server.ts";

const scratch = mkdtempSync(join(tmpdir(), "mull-keys-"));
afterAll(() => rmSync(scratch, { recursive: true }));

const link = "the-link-of-this-start";
const annsKey = "sk-ann-0123456789abcdef";
const serverKey = "sk-server-0123456789abcdef";

/** A service that records which model was asked with which key. */
function watchedService(): { readonly fetch: Fetch; readonly asked: string[] } {
  const emulator = emulate({ secret: "watched" });
  const asked: string[] = [];
  return {
    asked,
    fetch: (url, init) => {
      const headers = new Headers(init.headers);
      const key = headers.get("x-api-key") ?? headers.get("authorization") ?? "none";
      asked.push(`${new URL(url).host} ${key}`);
      return emulator(url, init);
    },
  };
}

function withUserKeys(parts: Partial<ChatServerParts> = {}): {
  readonly server: TestServer;
  readonly asked: readonly string[];
} {
  const { fetch, asked } = watchedService();
  return { asked, server: testServer({ userKeys: { fetch }, ...parts }) };
}

const enter = (visitor: Visitor, provider: string, key: string, whose = "me"): Promise<Response> =>
  visitor.call("POST", "/api/keys", { provider, key, for: whose });

interface Keys {
  readonly mayChangeServer: boolean;
  readonly mayKeepOwn: boolean;
  readonly providers: readonly {
    readonly id: string;
    readonly server: string | null;
    readonly own: boolean;
    readonly takesOwn: boolean;
  }[];
}

const keysOf = (visitor: Visitor): Promise<Keys> => visitor.json<Keys>("GET", "/api/keys");
const rowOf = async (visitor: Visitor, id: string): Promise<Keys["providers"][number]> =>
  (await keysOf(visitor)).providers.find((each) => each.id === id)!;

describe("a user's own key", () => {
  it("asks its own vendor for its user, and nobody else", async () => {
    const { server, asked } = withUserKeys();
    const [ann, bob] = [await server.signedUp("ann"), await server.signedUp("bob")];
    expect((await enter(ann, "anthropic", ` ${annsKey}\n`)).status).toBe(204);
    const id = await ann.newConversation("claude-sonnet-4-5");
    const answer = await ann.askWhole(id, "What is 2 + 2?");
    expect(textIn(answer)).toContain("4");
    expect([...new Set(asked)]).toEqual([`api.anthropic.com ${annsKey}`]);
    const before = asked.length;
    await bob.askWhole(await bob.newConversation("claude-sonnet-4-5"), "What is 2 + 2?");
    expect(asked).toHaveLength(before);
    expect((await rowOf(ann, "anthropic")).own).toBe(true);
    expect((await rowOf(bob, "anthropic")).own).toBe(false);
  });

  it("never goes to another vendor: that one has no key, and nothing is sent", async () => {
    const { server, asked } = withUserKeys();
    const ann = await server.signedUp("ann");
    await enter(ann, "anthropic", annsKey);
    const chunks = await ann.askWhole(await ann.newConversation("gpt-6-sol"), "What is 2 + 2?");
    expect(JSON.stringify(chunks)).toContain("No key for OpenAI");
    expect(asked).toEqual([]);
    const { providers } = await ann.json<{
      providers: readonly { id: string; simulated: boolean; available: boolean }[];
    }>("GET", "/api/models");
    const seen = (id: string): object | undefined => providers.find((each) => each.id === id);
    expect(seen("anthropic")).toMatchObject({ simulated: false, available: true });
    expect(seen("openai")).toMatchObject({ simulated: false, available: false });
  });

  it("a new conversation begins with a model that it reaches", async () => {
    const { server } = withUserKeys();
    const ann = await server.signedUp("ann");
    await enter(ann, "openai", annsKey);
    const models = await ann.json<{ default: { model: string } }>("GET", "/api/models");
    expect(models.default.model).toMatch(/^openai:/);
  });

  it("does not go where the server sends that vendor's requests", async () => {
    const env = { OPENAI_BASE_URL: "https://proxy.example", OPENAI_API_KEY: serverKey };
    const { server } = withUserKeys({ upstream: () => ({ env, isSimulated: false }) });
    const ann = await server.signedUp("ann");
    expect((await rowOf(ann, "openai")).takesOwn).toBe(false);
    expect((await enter(ann, "openai", annsKey)).status).toBe(403);
    expect((await enter(ann, "anthropic", annsKey)).status).toBe(204);
  });

  it("is stored sealed, never returned, never exported, and can be removed", async () => {
    const rows = createMemoryData();
    const { server } = withUserKeys({ store: memoryStore({ data: rows }) });
    const ann = await server.signedUp("ann");
    await enter(ann, "anthropic", annsKey);
    const id = await ann.newConversation("claude-sonnet-4-5");
    await ann.askWhole(id, "What is 2 + 2?");
    expect(JSON.stringify([...rows.userKeys.values()].map((kept) => [...kept]))).not.toContain(
      annsKey,
    );
    const pages = [
      "/api/keys",
      "/api/account",
      "/api/models",
      "/api/preferences",
      `/api/conversations/${id}/turns`,
      `/api/conversations/${id}/inspect`,
      ...["json", "markdown", "raw"].map(
        (format) => `/api/conversations/${id}/export?format=${format}`,
      ),
    ];
    const texts = await Promise.all(
      pages.map(async (page) => `${page} ${await (await ann.call("GET", page)).text()}`),
    );
    expect(texts.filter((text) => text.includes(annsKey))).toEqual([]);
    expect(JSON.stringify(server.logs)).not.toContain(annsKey);
    expect((await ann.call("DELETE", "/api/keys/anthropic?for=me")).status).toBe(204);
    expect((await rowOf(ann, "anthropic")).own).toBe(false);
  });

  it("opens only under the server's secret; under another one it counts as none", async () => {
    const rows = createMemoryData();
    const secrets = ["a".repeat(32), "b".repeat(32)] as const;
    const open = (secret: string): TestServer =>
      testServer({ userKeys: {}, secret, store: memoryStore({ data: rows }) });
    await enter(await open(secrets[0]).signedUp("ann"), "anthropic", annsKey);
    const account = { name: "ann", password: "correct horse" };
    for (const [at, secret] of secrets.entries()) {
      const ann = open(secret).visitor();
      await ann.json("POST", "/api/account/sign-in", account);
      expect((await rowOf(ann, "anthropic")).own).toBe(at === 0);
    }
  });

  it("is refused where the operator allows none, and what is stored is not used", async () => {
    const store = memoryStore();
    const ann = await testServer({ userKeys: {}, store }).signedUp("ann");
    await enter(ann, "anthropic", annsKey);
    const server = testServer({ store });
    const later = server.visitor();
    later.cookie = ann.cookie;
    expect(await keysOf(later)).toMatchObject({ mayKeepOwn: false, mayChangeServer: false });
    expect((await enter(later, "openai", annsKey)).status).toBe(403);
    const id = await later.newConversation("claude-sonnet-4-5");
    expect(textIn(await later.askWhole(id, "What is 2 + 2?"))).toContain("4");
  });

  it.each([["two words"], ["line\nbreak"], ["k".repeat(1001)], ["ключ"]])(
    "what is no key is refused, and not repeated: %j",
    async (given) => {
      const { server } = withUserKeys();
      const response = await enter(await server.signedUp("ann"), "openai", given);
      expect(response.status).toBe(400);
      expect(await response.text()).not.toContain(given);
    },
  );

  it.each(["ollama", "nobody", "__proto__"])("%s takes none", async (provider) => {
    const { server } = withUserKeys();
    expect((await enter(await server.signedUp("ann"), provider, annsKey)).status).toBe(400);
  });
});

describe("a sealed key", () => {
  const place = { userId: "ann", provider: "openai" };
  const secret = "s".repeat(32);

  it("opens at its place only", () => {
    const sealed = sealKey(secret, place, annsKey);
    expect(sealed).not.toContain(annsKey);
    expect(openKey(secret, place, sealed)).toBe(annsKey);
    expect(openKey(secret, { ...place, userId: "bob" }, sealed)).toBeUndefined();
    expect(openKey(secret, { ...place, provider: "xai" }, sealed)).toBeUndefined();
    expect(openKey(`${secret}x`, place, sealed)).toBeUndefined();
    expect(sealKey(secret, place, annsKey)).not.toBe(sealed);
  });

  it.each(["", "v1", "v1.", "v2.AAAA", "v1.AAAA", "nonsense"])("that is none: %j", (text) => {
    expect(openKey(secret, place, text)).toBeUndefined();
  });

  it("that was changed does not open", () => {
    const sealed = sealKey(secret, place, annsKey);
    const at = sealed.length - 4;
    const changed = sealed.slice(0, at) + (sealed[at] === "A" ? "B" : "A") + sealed.slice(at + 1);
    expect(openKey(secret, place, changed)).toBeUndefined();
  });
});

const openFile = (name: string, env: Environment = {}): ServerKeys & { readonly file: string } => {
  const file = join(scratch, name, "mull", "credentials.json");
  return { ...openServerKeys({ env, file }), file };
};
const onePerson = async (
  keys: ServerKeys,
  fetch: Fetch,
): Promise<{ readonly server: TestServer; readonly owner: Visitor }> => {
  const server = testServer({
    serverKeys: keys,
    entrance: { link, isForOne: true },
    upstream: (provider) => {
      const { fetch: _, ...chosen } = chooseUpstream(keys.env(), fetch)(provider);
      return { ...chosen, fetch };
    },
  });
  const owner = server.visitor();
  await owner.json("POST", "/api/account/enter", { link });
  return { server, owner };
};

describe("the keys of the server", () => {
  it("are entered by the person who runs it, work at once, and lie in a private file", async () => {
    const keys = openFile("entered");
    const { fetch, asked } = watchedService();
    const { owner } = await onePerson(keys, fetch);
    expect(await keysOf(owner)).toMatchObject({ mayChangeServer: true });
    expect((await enter(owner, "anthropic", serverKey, "server")).status).toBe(204);
    expect((await rowOf(owner, "anthropic")).server).toBe("file");
    await owner.askWhole(await owner.newConversation("claude-sonnet-4-5"), "What is 2 + 2?");
    expect([...new Set(asked)]).toEqual([`api.anthropic.com ${serverKey}`]);
    expect(JSON.parse(readFileSync(keys.file, "utf8"))).toEqual({ ANTHROPIC_API_KEY: serverKey });
    expect(statSync(keys.file).mode & 0o077).toBe(0);
    expect((await owner.call("DELETE", "/api/keys/anthropic?for=server")).status).toBe(204);
    expect(JSON.parse(readFileSync(keys.file, "utf8"))).toEqual({});
    expect((await rowOf(owner, "anthropic")).server).toBeNull();
  });

  it("are for that person alone: no other user, no proxy, no other site", async () => {
    const keys = openFile("alone");
    const { server, owner } = await onePerson(keys, watchedService().fetch);
    const account = { name: "ann", password: "correct horse" };
    await owner.json("POST", "/api/account/claim", account);
    expect(await keysOf(owner)).toMatchObject({ mayChangeServer: true });
    const bob = await server.signedUp("bob");
    expect((await enter(bob, "openai", serverKey, "server")).status).toBe(403);
    expect((await bob.call("DELETE", "/api/keys/openai?for=server")).status).toBe(403);
    const body = { provider: "openai", key: serverKey, for: "server" };
    const proxied = { "x-forwarded-for": "203.0.113.9" };
    expect((await owner.call("POST", "/api/keys", body, proxied)).status).toBe(403);
    const foreign = { "sec-fetch-site": "cross-site" };
    expect((await owner.call("POST", "/api/keys", body, foreign)).status).toBe(403);
    expect(keys.env()).toEqual({});
  });

  it("of the environment win, and other entries of the file stay", async () => {
    const env = { OPENAI_API_KEY: "sk-from-the-environment" };
    const keys = openFile("environment", env);
    await keys.store(findProvider("anthropic"), "sk-one-0123456789");
    writeFileSync(
      keys.file,
      JSON.stringify({ ...JSON.parse(readFileSync(keys.file, "utf8")), note: [1] }),
    );
    await keys.store(findProvider("openai"), "sk-two-0123456789");
    expect(keys.sourceOf(findProvider("openai"))).toBe("environment");
    expect(keys.sourceOf(findProvider("anthropic"))).toBe("file");
    expect(keys.env()["OPENAI_API_KEY"]).toBe("sk-from-the-environment");
    expect(JSON.parse(readFileSync(keys.file, "utf8"))).toEqual({
      ANTHROPIC_API_KEY: "sk-one-0123456789",
      note: [1],
      OPENAI_API_KEY: "sk-two-0123456789",
    });
    expect(await keys.remove(findProvider("xai"))).toBe(false);
  });

  it("a file that is damaged is not overwritten", async () => {
    const keys = openFile("damaged");
    await keys.store(findProvider("anthropic"), "sk-one-0123456789");
    writeFileSync(keys.file, "{ not JSON");
    await expect(keys.store(findProvider("openai"), "sk-two-0123456789")).rejects.toMatchObject({
      code: "credentials",
    });
    expect(readFileSync(keys.file, "utf8")).toBe("{ not JSON");
  });
});

import { memoryStore, type Store } from "@mull/store";
import { describe, expect, it, test } from "vitest";
import { isForOnePerson } from "./config.ts";
import { origin, testServer, Visitor, type TestServer } from "./testing/test-server.ts";

const link = "the-link-of-this-start";

/** As started by hand on this machine. */
const onePerson = (store: Store = memoryStore(), given = link): TestServer =>
  testServer({ keptStore: store, entrance: { link: given, isForOne: true } });

/** The same data behind a proxy, some time later. */
const published = (store: Store, isClosed = false): TestServer =>
  testServer({ keptStore: store, isClosed, entrance: { link: "another-link", isForOne: false } });

const enter = (visitor: Visitor, given = link, headers = {}): Promise<Response> =>
  visitor.call("POST", "/api/account/enter", { link: given }, headers);

const codeOf = async (response: Response): Promise<readonly unknown[]> => {
  const { error } = (await response.json()) as { error: { code: string } };
  return [response.status, error.code];
};

const somebody = { name: "ann", password: "correct horse" };

describe("one person on their own machine", () => {
  it("come in by the link, without an account, and stay in after a restart", async () => {
    const store = memoryStore();
    const visitor = onePerson(store).visitor();
    expect(await codeOf(await visitor.call("GET", "/api/account"))).toEqual([401, "link_needed"]);
    expect((await enter(visitor)).status).toBe(200);
    expect(await visitor.json("GET", "/api/account")).toMatchObject({ hasPassword: false });
    const id = await visitor.newConversation();
    await visitor.askWhole(id, "What is 2 + 2?");
    const { app } = onePerson(store, "next-link");
    const later = new Visitor((url, init) => app(url, init), origin);
    later.cookie = visitor.cookie;
    const listed = await later.json<{ conversations: unknown[] }>("GET", "/api/conversations");
    expect(listed.conversations).toHaveLength(1);
  });

  it("their session is renewed like any other, and ends after two weeks without use", async () => {
    const day = 24 * 60 * 60_000;
    const clock = { at: Date.now() };
    const now = (): number => clock.at;
    const store = memoryStore({ now });
    const server = testServer({ keptStore: store, now, entrance: { link, isForOne: true } });
    const visitor = server.visitor();
    await enter(visitor);
    clock.at += 13 * day;
    const renewed = await visitor.call("GET", "/api/account");
    expect(renewed.status).toBe(200);
    expect(renewed.headers.get("set-cookie")).toMatch(/^mull=.+HttpOnly; SameSite=Lax/);
    clock.at += 13 * day;
    expect((await visitor.call("GET", "/api/account")).status).toBe(200);
    clock.at += 15 * day;
    expect((await visitor.call("GET", "/api/account")).status).toBe(401);
  });

  it("the link opens one session, also for two who come at once", async () => {
    const server = onePerson();
    const [one, other] = [server.visitor(), server.visitor()];
    const both = await Promise.all([enter(one), enter(other)]);
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401]);
    expect(await codeOf(await enter(server.visitor()))).toEqual([401, "wrong_link"]);
  });

  it("what fails on the way leaves the link as it was", async () => {
    const store = memoryStore();
    let isBroken = true;
    const failing: Store = {
      ...store,
      createSession: (...given) =>
        isBroken ? Promise.reject(new Error("no disk")) : store.createSession(...given),
    };
    const visitor = onePerson(failing).visitor();
    expect((await enter(visitor)).status).toBe(500);
    isBroken = false;
    expect((await enter(visitor)).status).toBe(200);
  });

  it.each(["", "x", `${link}x`, link.slice(1), "next-link"])(
    "a guess does not get in: %j",
    async (guess) => {
      const visitor = onePerson().visitor();
      expect((await enter(visitor, guess)).ok).toBe(false);
      expect(visitor.cookie).toBe("");
      expect((await visitor.call("GET", "/api/conversations")).status).toBe(401);
    },
  );

  it("nobody else on the machine can make an account before them", async () => {
    const visitor = onePerson().visitor();
    const made = await visitor.call("POST", "/api/account/sign-up", somebody);
    expect(await codeOf(made)).toEqual([401, "link_needed"]);
    const guessed = { ...somebody, link: "a guess" };
    expect((await visitor.call("POST", "/api/account/sign-up", guessed)).status).toBe(401);
    const blank = { name: "you", password: "" };
    expect((await visitor.call("POST", "/api/account/sign-in", blank)).status).toBe(401);
  });

  it("nobody signs in to the account without a password", async () => {
    const server = onePerson();
    await enter(server.visitor());
    const blank = { name: "you", password: "" };
    const response = await server.visitor().call("POST", "/api/account/sign-in", blank);
    expect(await codeOf(response)).toEqual([401, "wrong_password"]);
  });

  it("DNS rebinding: a page under another name gets nothing, not even with the cookie", async () => {
    const server = onePerson();
    const own = server.visitor();
    await enter(own);
    const rebound = new Visitor((url, init) => server.app(url, init), "http://evil.example:3001");
    rebound.cookie = own.cookie;
    expect((await rebound.call("GET", "/api/conversations")).status).toBe(421);
    expect((await enter(rebound)).status).toBe(421);
  });

  it.each([
    ["x-forwarded-for", "203.0.113.9"],
    ["x-forwarded-host", "chat.example.com"],
    ["forwarded", "for=203.0.113.9"],
    ["x-real-ip", "203.0.113.9"],
    ["via", "1.1 proxy"],
    ["cf-connecting-ip", "203.0.113.9"],
  ])("a proxy in front that sends %s gets nothing, with link or cookie", async (name, value) => {
    const server = onePerson();
    const through = server.visitor();
    const refused = await enter(through, link, { [name]: value });
    expect(await codeOf(refused)).toEqual([403, "not_direct"]);
    const own = server.visitor();
    expect((await enter(own)).status).toBe(200);
    const seen = await own.call("GET", "/api/conversations", undefined, { [name]: value });
    expect(seen.status).toBe(401);
    expect((await own.call("GET", "/api/conversations")).status).toBe(200);
  });

  it.each(["10.0.0.7", "::ffff:192.168.1.2", "fe80::1", "not an address"])(
    "a connection from %s gets nothing",
    async (address) => {
      const { app } = onePerson();
      const far = new Visitor((url, init) => app(url, init, { address }), origin);
      expect(await codeOf(await enter(far))).toEqual([403, "not_direct"]);
    },
  );

  it("a page of another site cannot use the link", async () => {
    const visitor = onePerson().visitor();
    const response = await enter(visitor, link, { "sec-fetch-site": "cross-site" });
    expect(await codeOf(response)).toEqual([403, "cross_site"]);
  });
});

const said = async (store: Store): Promise<{ readonly visitor: Visitor; readonly id: string }> => {
  const visitor = onePerson(store).visitor();
  await enter(visitor);
  const id = await visitor.newConversation();
  await visitor.askWhole(id, "What is 2 + 2?");
  return { visitor, id };
};
const titles = async (visitor: Visitor): Promise<readonly string[]> => {
  const listed = await visitor.json<{ conversations: readonly { id: string }[] }>(
    "GET",
    "/api/conversations",
  );
  return listed.conversations.map(({ id }) => id);
};

describe("the first account", () => {
  it("made out of the session takes everything along, and ends the others", async () => {
    const store = memoryStore();
    const { visitor, id } = await said(store);
    const before = visitor.cookie;
    await visitor.json("POST", "/api/account/claim", somebody);
    expect(await titles(visitor)).toEqual([id]);
    expect(await visitor.json("GET", "/api/account")).toMatchObject({ name: "ann" });
    const again = { name: "eve", password: "correct horse" };
    const second = await visitor.call("POST", "/api/account/claim", again);
    expect(await codeOf(second)).toEqual([403, "has_account"]);
    visitor.cookie = before;
    expect((await visitor.call("GET", "/api/account")).status).toBe(401);
    await visitor.json("POST", "/api/account/sign-in", somebody);
    expect(await titles(visitor)).toEqual([id]);
  });

  it("on a published server is made with the link of that start, and by nobody else", async () => {
    const store = memoryStore();
    const { visitor, id } = await said(store);
    const server = published(store);
    const stranger = server.visitor();
    const refused = await stranger.call("POST", "/api/account/sign-up", somebody);
    expect(await codeOf(refused)).toEqual([401, "link_needed"]);
    const old = await stranger.call("POST", "/api/account/sign-up", { ...somebody, link });
    expect(await codeOf(old)).toEqual([401, "wrong_link"]);
    // What the session without a password may do on this machine, it may not do from elsewhere.
    stranger.cookie = visitor.cookie;
    expect((await stranger.call("GET", "/api/conversations")).status).toBe(401);
    expect((await stranger.call("POST", "/api/account/claim", somebody)).status).toBe(401);
    stranger.cookie = "";
    expect(await codeOf(await enter(stranger, "another-link"))).toEqual([409, "name_needed"]);
    await stranger.json("POST", "/api/account/sign-up", { ...somebody, link: "another-link" });
    expect(await titles(stranger)).toEqual([id]);
    const next = await server.signedUp("bob");
    expect(await titles(next)).toEqual([]);
  });

  it("on a closed server is made with the link, too, and no other account is", async () => {
    const store = memoryStore();
    const { id } = await said(store);
    const server = published(store, true);
    const [owner, stranger] = [server.visitor(), server.visitor()];
    const signUp = (visitor: Visitor, more: object): Promise<Response> =>
      visitor.call("POST", "/api/account/sign-up", { ...somebody, ...more });
    expect(await codeOf(await signUp(stranger, {}))).toEqual([403, "closed"]);
    expect(await codeOf(await signUp(stranger, { link }))).toEqual([401, "wrong_link"]);
    await owner.json("POST", "/api/account/sign-up", { ...somebody, link: "another-link" });
    expect(await titles(owner)).toEqual([id]);
    expect(await codeOf(await signUp(stranger, { name: "eve" }))).toEqual([403, "closed"]);
  });

  it("of a server that had accounts before is theirs: no link gets in", async () => {
    const store = memoryStore();
    await testServer({ keptStore: store }).signedUp("ann");
    const server = onePerson(store);
    expect(await codeOf(await enter(server.visitor()))).toEqual([401, "wrong_link"]);
    expect(await titles(await server.signedUp("bob"))).toEqual([]);
  });
});

test.each([
  [{}, "127.0.0.1", true],
  [{}, "localhost", true],
  [{}, "0.0.0.0", false],
  [{}, "192.168.1.2", false],
  [{ MULL_HOSTS: "chat.example.com" }, "127.0.0.1", false],
  [{ MULL_SECURE: "1" }, "127.0.0.1", false],
  [{ DATABASE_URL: "postgres://db" }, "127.0.0.1", false],
  [{ MULL_TRUSTED_PROXIES: "1" }, "127.0.0.1", false],
  [{ MULL_ALLOW_REMOTE: "1" }, "127.0.0.1", false],
  [{ MULL_CLOSED: "1" }, "127.0.0.1", false],
  [{ MULL_HOSTS: "" }, "127.0.0.1", true],
])("settings %j on %s are for one person: %s", (env, host, expected) => {
  expect(isForOnePerson(env, host)).toBe(expected);
});

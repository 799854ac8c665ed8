import { MullError } from "mull";
import { createMemoryData, memoryStore, type MemoryData, type Store } from "@mull/store";
import { describe, expect, it } from "vitest";
import { readConfig, secretsIn } from "./config.ts";
import { testServer, type TestServer } from "./testing/test-server.ts";

const minute = 60_000;
const day = 24 * 60 * minute;

/** A store that counts its calls, and fails on request. */
function watchedStore(options: Parameters<typeof memoryStore>[0] = {}): {
  readonly store: Store;
  readonly asked: Map<string, number>;
  readonly broken: Set<string>;
} {
  const asked = new Map<string, number>();
  const broken = new Set<string>();
  const store = new Proxy(memoryStore(options), {
    get(target, name: string) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      return (...given: unknown[]): unknown => {
        asked.set(name, (asked.get(name) ?? 0) + 1);
        if (broken.has(name)) return Promise.reject(new Error(`no ${name} today`));
        return Reflect.apply(value, target, given) as unknown;
      };
    },
  });
  return { store, asked, broken };
}

/** A server whose clock the test moves. */
function timedServer(): TestServer & {
  readonly clock: { at: number };
  readonly asked: Map<string, number>;
} {
  const clock = { at: Date.now() };
  const now = (): number => clock.at;
  const { store, asked } = watchedStore({ now });
  return { ...testServer({ now, keptStore: store }), clock, asked };
}

const over = (data: MemoryData, secret?: string): TestServer =>
  testServer({ keptStore: memoryStore({ data }), ...(secret !== undefined && { secret }) });

describe("F-W22: how long a session lives", () => {
  it("F-W22: two weeks without use end it", async () => {
    const { clock, signedUp } = timedServer();
    const ann = await signedUp("ann");
    clock.at += 14 * day - minute;
    expect((await ann.call("GET", "/api/account")).status).toBe(200);
    clock.at += 14 * day + minute;
    expect((await ann.call("GET", "/api/account")).status).toBe(401);
  });

  it("F-W22: used every day it goes on for 90 days, cookie included, and no longer", async () => {
    const { clock, signedUp } = timedServer();
    const ann = await signedUp("ann");
    const cookies = new Set<string>();
    for (let days = 1; days < 90; days++) {
      clock.at += day;
      const response = await ann.call("GET", "/api/account");
      expect(response.status, `day ${days}`).toBe(200);
      cookies.add(response.headers.get("set-cookie") ?? "none");
    }
    expect([...cookies]).toEqual([
      `${ann.cookie}; Max-Age=1209600; Path=/; HttpOnly; SameSite=Lax`,
    ]);
    clock.at += day;
    expect((await ann.call("GET", "/api/account")).status).toBe(401);
  });

  it("F-W22: it is written down every ten minutes, not at every request, up to its last day", async () => {
    const { clock, signedUp, asked } = timedServer();
    const ann = await signedUp("ann");
    const touches = async (): Promise<number> => {
      asked.delete("touchSession");
      for (let round = 0; round < 5; round++) {
        expect((await ann.call("GET", "/api/account")).status).toBe(200);
        clock.at += minute;
      }
      return asked.get("touchSession") ?? 0;
    };
    expect(await touches()).toBe(0);
    clock.at += 10 * minute;
    expect(await touches()).toBe(1);
    for (let days = 1; days < 90; days++) {
      clock.at += day - 10 * minute;
      await touches();
    }
    clock.at += 10 * minute;
    expect(await touches()).toBe(1);
  });
});

describe("F-W22: what a cookie is worth", () => {
  it("F-D8: a store that takes no writes still knows who is signed in", async () => {
    const clock = { at: Date.now() };
    const now = (): number => clock.at;
    const full = new MullError("The disk is full.", { category: "server", status: 507 });
    const store: Store = { ...memoryStore({ now }), touchSession: () => Promise.reject(full) };
    const { signedUp } = testServer({ now, keptStore: store });
    const ann = await signedUp("ann");
    clock.at += 11 * minute;
    expect((await ann.call("GET", "/api/account")).status).toBe(200);
    clock.at += 14 * day;
    expect((await ann.call("GET", "/api/account")).status).toBe(401);
  });

  it("F-W22: a cookie nobody signed is refused before the store is asked", async () => {
    const { store, asked } = watchedStore();
    const server = testServer({ keptStore: store });
    const ann = await server.signedUp("ann");
    const [token, signature] = ann.cookie.slice("mull=".length).split(".") as [string, string];
    const worthless = [
      token,
      `${token}.`,
      `${token}.${signature.toLowerCase()}`,
      `${token}.${"A".repeat(43)}%3D`,
      `${"A".repeat(43)}.${signature}`,
      `${token}.%E0%A4%A`,
      `.${signature}`,
      "",
    ];
    asked.delete("findSession");
    for (const value of worthless) {
      const thief = server.visitor();
      thief.cookie = `mull=${value}`;
      const { status } = await thief.call("GET", "/api/account");
      expect([value, status]).toEqual([value, 401]);
    }
    expect(asked.get("findSession")).toBeUndefined();
    expect((await ann.call("GET", "/api/account")).status).toBe(200);
  });

  it("F-W22: every process on one store knows it, also one that starts later", async () => {
    const data = createMemoryData();
    const [one, two] = [over(data), over(data)];
    const ann = await one.signedUp("ann");
    for (const server of [two, over(data)]) {
      const elsewhere = server.visitor();
      elsewhere.cookie = ann.cookie;
      expect((await elsewhere.call("GET", "/api/account")).status).toBe(200);
    }
    expect(data.secrets.size).toBe(1);
    const [secret] = data.secrets.values();
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect(JSON.stringify([one.logs, two.logs])).not.toContain(secret);
  });

  it("F-W22: with a secret of one's own another one's cookies are worth nothing", async () => {
    const data = createMemoryData();
    const own = "one two three four five six seven";
    const ann = await over(data, own).signedUp("ann");
    expect([...data.secrets]).toEqual([]);
    const same = over(data, own).visitor();
    const other = over(data, own.toUpperCase()).visitor();
    for (const visitor of [same, other]) visitor.cookie = ann.cookie;
    expect((await same.call("GET", "/api/account")).status).toBe(200);
    expect((await other.call("GET", "/api/account")).status).toBe(401);
  });

  it("F-W18: a secret from the environment is long, and scrubbed from what leaves", () => {
    const secret = "one two three four five six seven";
    expect(readConfig({ MULL_SECRET: secret }).secret).toBe(secret);
    expect(secretsIn({ MULL_SECRET: secret })).toEqual([secret]);
    expect(() => readConfig({ MULL_SECRET: "short" })).toThrow(/^MULL_SECRET: .*32/);
    expect(() => readConfig({ MULL_SECRET: "short" })).not.toThrow(/short/);
    expect(readConfig({}).secret).toBeUndefined();
  });
});

describe("F-D7: a store that fails", () => {
  it.each([
    ["GET", "/api/account", "findSession"],
    ["POST", "/api/account/sign-out", "deleteSession"],
    ["POST", "/api/account/password", "changePassword"],
  ])("F-D7: %s %s does not say signed out, nor done, when %s fails", async (method, path, what) => {
    const { store, broken } = watchedStore();
    const server = testServer({ keptStore: store });
    const ann = await server.signedUp("ann");
    const { cookie } = ann;
    const body = { current: "correct horse", next: "battery staple" };
    broken.add(what);
    const response = await ann.call(method, path, path.endsWith("password") ? body : undefined);
    expect(response.status).toBe(500);
    expect(response.headers.get("set-cookie")).toBeNull();
    expect(JSON.stringify(server.logs)).toContain(`no ${what} today`);
    broken.clear();
    ann.cookie = cookie;
    expect((await ann.call("GET", "/api/account")).status).toBe(200);
  });

  it("F-D1: sign-up is one write: where anything of it fails, nothing of it is left", async () => {
    const body = { name: "ann", password: "correct horse" };
    const signUp = (server: TestServer): Promise<Response> =>
      server.visitor().call("POST", "/api/account/sign-up", body);
    const whole = watchedStore();
    expect((await signUp(testServer({ keptStore: whole.store }))).status).toBe(201);
    expect(whole.asked.get("createAccount")).toBe(1);
    expect(whole.asked.has("createSession")).toBe(false);
    for (const what of whole.asked.keys()) {
      const { store, broken } = watchedStore();
      const server = testServer({ keptStore: store });
      broken.add(what);
      const first = await signUp(server);
      broken.clear();
      const isMade = first.status === 201;
      expect(first.headers.has("set-cookie"), `${what} fails`).toBe(isMade);
      expect((await signUp(server)).status, `${what} failed`).toBe(isMade ? 409 : 201);
    }
  });

  it("F-D7: a secret that could not be read is read again", async () => {
    const { store, broken } = watchedStore();
    broken.add("keepSecret");
    const server = testServer({ keptStore: store });
    const body = { name: "ann", password: "correct horse" };
    const failed = await server.visitor().call("POST", "/api/account/sign-up", body);
    expect(failed.status).toBe(500);
    broken.clear();
    await server.signedUp("ann");
  });
});

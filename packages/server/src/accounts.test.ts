import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import { describe, expect, it, vi } from "vitest";
import { createMemoryData, memoryStore } from "@mull/store";
import { openAuth } from "./accounts/auth.ts";
import { createPasswords, passwordCost } from "./accounts/password.ts";
import { createGate } from "./limits/gate.ts";
import { cheapPasswords, origin, testServer } from "./testing/test-server.ts";

describe("accounts", () => {
  it("F-W22: the cookie is HttpOnly and SameSite; behind TLS host-bound and Secure", async () => {
    const plain = testServer();
    const made = await plain.visitor().call("POST", "/api/account/sign-up", {
      name: "ann",
      password: "correct horse",
    });
    expect(made.headers.getSetCookie().at(0)).toMatch(
      /^mull=[\w-]{43}\.[\w%]+; Max-Age=1209600; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    const behindTls = testServer({ isSecure: true });
    const secured = await behindTls.visitor().call("POST", "/api/account/sign-up", {
      name: "ann",
      password: "correct horse",
    });
    expect(secured.headers.getSetCookie().at(0)).toMatch(
      /^__Host-mull=[\w-]{43}\.[\w%]+; Max-Age=1209600; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
    expect(secured.headers.get("strict-transport-security")).toBe("max-age=63072000");
    expect(secured.headers.get("permissions-policy")).toContain("camera=()");
    expect(made.headers.has("strict-transport-security")).toBe(false);
  });

  it("F-W3: a name is the same with a space around it or its letters spelled apart", async () => {
    const server = testServer();
    const password = "correct horse";
    const call = (what: string, name: string): Promise<Response> =>
      server.visitor().call("POST", `/api/account/${what}`, { name, password });
    const made = await call("sign-up", " Zoe\u0308 ");
    expect([made.status, await made.json()]).toEqual([
      201,
      expect.objectContaining({ name: "Zo\u00eb" }),
    ]);
    expect((await call("sign-up", "Zo\u00eb\u00a0")).status).toBe(409);
    expect((await call("sign-in", "zo\u00eb ")).status).toBe(200);
    expect((await call("sign-up", " \u3000 ")).status).toBe(400);
  });

  it("F-W3: a name is the same with characters in it that nobody sees", async () => {
    const server = testServer();
    const password = "correct horse";
    const call = (what: string, name: string): Promise<Response> =>
      server.visitor().call("POST", `/api/account/${what}`, { name, password });
    expect(await (await call("sign-up", "a\u200Bn\u202En")).json()).toMatchObject({ name: "ann" });
    expect((await call("sign-up", "an\u00ADn")).status).toBe(409);
    expect((await call("sign-in", "\uFEFFann")).status).toBe(200);
    expect((await call("sign-up", "\u200B\u2060")).status).toBe(400);
  });

  it("F-W3: a new password is not one that anyone tries first", async () => {
    const server = testServer();
    const made = await server
      .visitor()
      .call("POST", "/api/account/sign-up", { name: "ann", password: "Password123!" });
    expect([made.status, await made.text()]).toEqual([
      400,
      expect.stringContaining("password: expected one that is harder to guess"),
    ]);
    const ann = await server.signedUp("ann");
    const change = { current: "correct horse", next: "12345678" };
    expect((await ann.call("POST", "/api/account/password", change)).status).toBe(400);
  });

  it("F-W22: a session planted before sign-in is worth nothing after it", async () => {
    const server = testServer();
    const ann = await server.signedUp("ann");
    ann.cookie = `mull=${"A".repeat(43)}`;
    await ann.json("POST", "/api/account/sign-in", { name: "ann", password: "correct horse" });
    expect(ann.cookie).not.toContain("AAAA");
    const planted = server.visitor();
    planted.cookie = `mull=${"A".repeat(43)}`;
    expect((await planted.call("GET", "/api/account")).status).toBe(401);
  });

  it("F-W22: sessions are dead after sign-out, and after a new password everywhere else", async () => {
    const server = testServer();
    const ann = await server.signedUp("ann");
    const elsewhere = server.visitor();
    await elsewhere.json("POST", "/api/account/sign-in", {
      name: "ANN",
      password: "correct horse",
    });
    const old = ann.cookie;
    await ann.json("POST", "/api/account/password", {
      current: "correct horse",
      next: "battery staple",
    });
    expect((await ann.call("GET", "/api/account")).status).toBe(200);
    expect((await elsewhere.call("GET", "/api/account")).status).toBe(401);
    const stale = server.visitor();
    stale.cookie = old;
    expect((await stale.call("GET", "/api/account")).status).toBe(401);
    const kept = ann.cookie;
    const left = await ann.call("POST", "/api/account/sign-out");
    expect(left.status).toBe(204);
    expect(left.headers.get("set-cookie")).toBe("mull=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax");
    ann.cookie = kept;
    expect((await ann.call("GET", "/api/account")).status).toBe(401);
  });

  it("F-W22: the store holds a hash of the token, never the token", async () => {
    const data = createMemoryData();
    const server = testServer({ keptStore: memoryStore({ data }) });
    const ann = await server.signedUp("ann");
    const token = ann.cookie.slice("mull=".length).split(".").at(0)!;
    const held = JSON.stringify([[...data.sessions], [...data.accounts]]);
    expect(data.sessions.size).toBe(1);
    expect(held).not.toContain(token);
    expect(held).not.toContain("correct horse");
  });

  it("F-W3: the same answer for a wrong password and an unknown name", async () => {
    const server = testServer();
    await server.signedUp("ann");
    const answers = await Promise.all(
      ["ann", "nobody"].map(async (name) => {
        const body = { name, password: "wrong wrong" };
        const response = await server.visitor().call("POST", "/api/account/sign-in", body);
        return [response.status, await response.text()];
      }),
    );
    expect(answers[0]).toEqual(answers[1]);
    expect(answers.at(0)![0]).toBe(401);
  });

  it("F-W3: an unknown name costs a hash as well", async () => {
    let hashes = 0;
    const gate = createGate({ most: 2, waiting: 10 });
    const counting = {
      check: gate.check,
      run: <T>(work: () => Promise<T>): Promise<T> => {
        hashes++;
        return gate.run(work);
      },
    };
    const auth = await openAuth({
      store: memoryStore(),
      passwords: createPasswords(cheapPasswords, counting),
      isSecure: false,
      now: Date.now,
    });
    await auth.signUp("ann", "correct horse");
    const costs: number[] = [];
    for (const name of ["ann", "nobody"]) {
      hashes = 0;
      await expect(auth.signIn(name, "wrong wrong")).rejects.toThrow("Name or password is wrong.");
      costs.push(hashes);
    }
    expect(costs).toEqual([1, 1]);
  });

  it("F-W3: a thousand wrong passwords get 429 with a wait; at most two hashes at once", async () => {
    const server = testServer();
    await server.signedUp("ann");
    await server.signedUp("bob");
    const statuses = new Map<number, number>();
    const waits = new Set<string | null>();
    for (let round = 0; round < 1000; round++) {
      const response = await server.app(
        `${origin}/api/account/sign-in`,
        {
          method: "POST",
          headers: { origin, "content-type": "application/json" },
          body: JSON.stringify({ name: "ann", password: `wrong ${round}` }),
        },
        { address: "10.0.0.9" },
      );
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
      waits.add(response.headers.get("retry-after"));
    }
    expect(statuses.get(401)).toBeLessThanOrEqual(11);
    expect(statuses.get(429)).toBeGreaterThanOrEqual(989);
    expect([...waits].every((wait) => wait === null || Number(wait) > 0)).toBe(true);
    const bob = await server.visitor().call("POST", "/api/account/sign-in", {
      name: "bob",
      password: "correct horse",
    });
    expect(bob.status).toBe(200);
  });

  it("F-W3: guesses from elsewhere lock nobody out of their own device, nor out of another place", async () => {
    const server = testServer();
    const ann = await server.signedUp("ann");
    const signIn = (password: string, address: string, cookie?: string): Promise<Response> =>
      server.app(
        `${origin}/api/account/sign-in`,
        {
          method: "POST",
          headers: { origin, "content-type": "application/json", ...(cookie && { cookie }) },
          body: JSON.stringify({ name: "ann", password }),
        },
        { address },
      );
    const first = await signIn("correct horse", "10.0.0.1");
    const device = first.headers.getSetCookie().find((line) => line.startsWith("mull-device-"))!;
    expect(device).toMatch(/; HttpOnly; SameSite=Lax$/);
    const known = device.split(";").at(0)!;
    for (let round = 0; round < 60; round++) await signIn(`wrong ${round}`, "10.0.0.9");
    expect((await signIn("correct horse", "10.0.0.9")).status).toBe(429);
    expect((await signIn("correct horse", "10.0.0.9", known)).status).toBe(200);
    expect((await signIn("correct horse", "10.0.0.2")).status).toBe(200);
    for (let at = 0; at < 40; at++) {
      for (let round = 0; round < 9; round++) await signIn("wrong wrong", `10.1.0.${at}`);
    }
    expect((await signIn("correct horse", "10.0.0.3")).status).toBe(429);
    expect((await signIn("correct horse", "10.0.0.3", known)).status).toBe(200);
    const forged = `${known.split("=").at(0)}=${known.split("=").at(1)!.replace(/^./, "_")}`;
    expect((await signIn("correct horse", "10.0.0.9", forged)).status).toBe(429);
    expect((await ann.call("GET", "/api/account")).status).toBe(200);
  });

  it("F-W3: two at once and a short queue, the rest is told to come later", async () => {
    let running = 0;
    let most = 0;
    const gate = createGate({ most: 2, waiting: 5 });
    const work = async (): Promise<void> => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 5));
      running--;
    };
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => gate.run(work)));
    expect(most).toBe(2);
    expect(results.filter(({ status }) => status === "rejected")).toHaveLength(13);
  });

  it("3.6: passwords are hashed with scrypt at N = 2^17", async () => {
    expect(passwordCost).toEqual({ log2N: 17, r: 8, p: 1 });
    const hash = await createPasswords().hash(randomUUID());
    expect(hash).toMatch(/^scrypt\$17\$8\$1\$[\w-]{22}\$[\w-]{43}$/);
  });

  it("accounts of earlier releases sign in: their hashes say their own cost", async () => {
    const store = memoryStore();
    const passwordHash =
      "scrypt$8$8$1$AAECAwQFBgcICQoLDA0ODw$W6uXFntaQULZth9xzFaPbripaD3jOtBk0fCyCCkoi0s";
    await store.createAccount({ name: "Ann", passwordHash });
    const server = testServer({ keptStore: store, passwordCost: { log2N: 9, r: 8, p: 1 } });
    const signIn = (password: string): Promise<Response> =>
      server.visitor().call("POST", "/api/account/sign-in", { name: "ann", password });
    expect((await signIn("correct horse")).status).toBe(200);
    expect((await signIn("correct house")).status).toBe(401);
  });

  it("F-W3: right passwords do not use up the attempts of an address that many share", async () => {
    const server = testServer({ limits: { attemptsPerAddress: 3 } });
    await server.signedUp("ann");
    const signIn = async (password: string): Promise<number> => {
      const body = { name: "ann", password };
      return (await server.visitor().call("POST", "/api/account/sign-in", body)).status;
    };
    const right = [];
    for (let round = 0; round < 5; round++) right.push(await signIn("correct horse"));
    expect(right).toEqual([200, 200, 200, 200, 200]);
    const mixed = [];
    for (const word of ["wrong", "correct", "wrong", "correct"])
      mixed.push(await signIn(`${word} horse`));
    expect(mixed).toEqual([401, 200, 401, 429]);
  });

  it("F-W22: the wrong password changes nothing, ends nothing and counts as an attempt", async () => {
    const server = testServer();
    const ann = await server.signedUp("ann");
    const body = { current: "wrong wrong", next: "battery staple" };
    const statuses: number[] = [];
    for (let round = 0; round < 11; round++) {
      statuses.push((await ann.call("POST", "/api/account/password", body)).status);
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429]);
    expect((await ann.call("GET", "/api/account")).status).toBe(200);
  });

  it("a name is what its owner wrote, in any writing; of two who want it one has it", async () => {
    const server = testServer();
    const names = ["ann@example.com", "Łucja 名前 🦊", "x".repeat(100), "a\ud800b"];
    for (const name of names) {
      const body = { name, password: "correct horse" };
      const both = await Promise.all(
        [1, 2].map(() => server.visitor().call("POST", "/api/account/sign-up", body)),
      );
      const made = both.find(({ status }) => status === 201)!;
      const refused = both.find(({ status }) => status === 409)!;
      expect(await made.json()).toMatchObject({ name: name.replace("\ud800", "") });
      expect(await refused.json()).toMatchObject({ error: { code: "name_taken" } });
      const ann = server.visitor();
      const { name: called } = await ann.json("POST", "/api/account/sign-in", body);
      expect(called).toBe(name.replace("\ud800", ""));
    }
  });

  it("nothing of the library is served, and it calls nobody", async () => {
    const fetch = vi.spyOn(globalThis, "fetch");
    const server = testServer();
    const ann = await server.signedUp("ann");
    for (const path of ["ok", "get-session", "sign-in/email", "sign-up/email", "list-sessions"]) {
      for (const method of ["GET", "POST"]) {
        expect((await ann.call(method, `/api/auth/${path}`)).status).toBe(404);
      }
    }
    expect(await ann.json("GET", "/api/account")).toEqual({
      userId: expect.any(String),
      name: "ann",
      createdAt: expect.any(Number),
      hasPassword: true,
    });
    expect(fetch).not.toHaveBeenCalled();
    fetch.mockRestore();
  });

  it("F-G13: signing in leaves no async context on, which would slow every stream", async () => {
    const runs = vi.spyOn(AsyncLocalStorage.prototype, "run");
    const ends = vi.spyOn(AsyncLocalStorage.prototype, "disable");
    const server = testServer({ ownsLibrary: true });
    await Promise.all(["ann", "bea", "cid"].map((name) => server.signedUp(name)));
    const used = new Set(runs.mock.contexts);
    expect(used.size).toBeGreaterThan(0);
    const left = [...used].filter((context) => {
      const lastRun = runs.mock.invocationCallOrder[runs.mock.contexts.lastIndexOf(context)] ?? 0;
      const lastEnd = ends.mock.invocationCallOrder[ends.mock.contexts.lastIndexOf(context)] ?? 0;
      return lastEnd < lastRun;
    });
    expect(left).toEqual([]);
    ends.mockClear();
    await testServer().signedUp("dot");
    expect(ends, "in a process it shares it leaves the library alone").not.toHaveBeenCalled();
    runs.mockRestore();
    ends.mockRestore();
  });

  it("a closed server makes no accounts", async () => {
    const server = testServer({ isClosed: true });
    const body = { name: "ann", password: "correct horse" };
    expect((await server.visitor().call("POST", "/api/account/sign-up", body)).status).toBe(403);
    const isTold = async ({ visitor }: typeof server): Promise<string | null> =>
      (await visitor().call("GET", "/api/account")).headers.get("x-mull-closed");
    expect([await isTold(server), await isTold(testServer())]).toEqual(["1", null]);
  });
});

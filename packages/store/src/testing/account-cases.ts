import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import type { StoreCase } from "./conformance.ts";
import { refuses } from "./material.ts";

export const accountCases: readonly StoreCase[] = [
  {
    name: "F-W22: sessions that were closed and accounts that are gone are found at once",
    run: async (open) => {
      const store = await open();
      const { userId } = await store.createAccount({ name: randomUUID(), passwordHash: "h" });
      const [kept, closed, expired] = [randomUUID(), randomUUID(), randomUUID()];
      await store.createSession(userId, kept, Date.now() + 60_000);
      await store.createSession(userId, closed, Date.now() + 60_000);
      await store.createSession(userId, expired, Date.now() - 60_000);
      await store.deleteSession(userId, closed);
      const asked = { sessions: [kept, closed, expired, "never"], users: [userId, "nobody"] };
      const gone = await store.findGone(asked);
      assert.deepEqual(gone.sessions.toSorted(), [closed, expired, "never"].toSorted());
      assert.deepEqual(gone.users, ["nobody"]);
      const nobody = await store.findGone({ sessions: [], users: [] });
      assert.deepEqual(nobody, { sessions: [], users: [] });
    },
  },
  {
    name: "an account without a password is claimed once, and its sessions end",
    run: async (open) => {
      const store = await open();
      const [name, taken, tokenHash] = [randomUUID(), randomUUID(), randomUUID()];
      const session = { tokenHash, expiresAt: Date.now() + 60_000 };
      const before = await store.countAccounts();
      const own = { name: randomUUID(), passwordHash: "" };
      const { userId, createdAt } = await store.createAccount({ ...own, session });
      const { userId: other } = await store.createAccount({ name: taken, passwordHash: "h" });
      assert.ok((await store.countAccounts()) >= before + 2);
      await refuses(store.createAccount({ userId, name, passwordHash: "h" }), "name_taken");
      const claim = (given: string): Promise<unknown> =>
        store.claimAccount(userId, { name: given, passwordHash: "h2" });
      await refuses(claim(taken.toUpperCase()), "name_taken");
      assert.equal((await store.findSession(tokenHash))?.userId, userId);
      assert.deepEqual(await claim(name), { userId, name, passwordHash: "h2", createdAt });
      assert.equal(await store.findSession(tokenHash), undefined);
      await refuses(claim(name), "not_found");
      const stolen = store.claimAccount(other, { name: randomUUID(), passwordHash: "x" });
      await refuses(stolen, "not_found");
      assert.equal((await store.getAccount(other)).passwordHash, "h");
    },
  },
  {
    name: "a user's keys are their own, one for each provider",
    run: async (open) => {
      const store = await open();
      const [ann, bob] = await Promise.all(
        [1, 2].map(() => store.createAccount({ name: randomUUID(), passwordHash: "h" })),
      );
      assert.deepEqual(await store.listUserKeys(ann!.userId), []);
      await store.storeUserKey(ann!.userId, { provider: "openai", sealed: "one" });
      await store.storeUserKey(ann!.userId, { provider: "anthropic", sealed: "two" });
      await store.storeUserKey(ann!.userId, { provider: "openai", sealed: "three" });
      assert.deepEqual(await store.listUserKeys(ann!.userId), [
        { provider: "anthropic", sealed: "two" },
        { provider: "openai", sealed: "three" },
      ]);
      assert.deepEqual(await store.listUserKeys(bob!.userId), []);
      assert.equal(await store.deleteUserKey(bob!.userId, "openai"), false);
      assert.equal(await store.deleteUserKey(ann!.userId, "openai"), true);
      assert.equal(await store.deleteUserKey(ann!.userId, "openai"), false);
      assert.equal((await store.listUserKeys(ann!.userId)).length, 1);
      await refuses(
        store.storeUserKey(randomUUID(), { provider: "openai", sealed: "x" }),
        "not_found",
      );
    },
  },
  {
    name: "an account is found by its name in any case of letters, and taken once",
    run: async (open) => {
      const store = await open();
      const name = `Ada-${randomUUID()}`;
      const account = await store.createAccount({ name, passwordHash: "h1" });
      assert.deepEqual(await store.findAccount(name.toLowerCase()), account);
      assert.deepEqual(await store.getAccount(account.userId), account);
      const userId = randomUUID();
      const chosen = await store.createAccount({ userId, name: userId, passwordHash: "h1" });
      assert.equal(chosen.userId, userId);
      await refuses(
        store.createAccount({ name: name.toUpperCase(), passwordHash: "h2" }),
        "name_taken",
      );
      assert.equal(await store.findAccount("nobody\u0000"), undefined);
      await refuses(store.getAccount("nobody"), "not_found");
    },
  },
  {
    name: "F-D1: an account and the session it is made with are stored together, or none of them",
    run: async (open) => {
      const store = await open();
      const [name, other, tokenHash] = [randomUUID(), randomUUID(), randomUUID()];
      const session = { tokenHash, expiresAt: Date.now() + 60_000 };
      const { userId } = await store.createAccount({ name, passwordHash: "h", session });
      const found = await store.findSession(tokenHash);
      assert.deepEqual([found?.userId, found?.name], [userId, name]);
      const again = { name: other, passwordHash: "h", session };
      await refuses(store.createAccount(again), "name_taken");
      assert.equal(await store.findAccount(other), undefined);
      await refuses(store.createSession(userId, tokenHash, session.expiresAt), "name_taken");
      const fresh = { tokenHash: randomUUID(), expiresAt: session.expiresAt };
      await refuses(store.createAccount({ name, passwordHash: "h", session: fresh }), "name_taken");
      assert.equal(await store.findSession(fresh.tokenHash), undefined);
      assert.equal((await store.findSession(tokenHash))?.userId, userId);
    },
  },
  {
    name: "F-W22: sessions expire, end one by one, and all at once with the password",
    run: async (open) => {
      let clock = Date.now();
      const store = await open({ now: () => clock });
      const { userId, name } = await store.createAccount({
        name: randomUUID(),
        passwordHash: "h1",
      });
      const [one, two, three] = [randomUUID(), randomUUID(), randomUUID()];
      const session = await store.createSession(userId, one, clock + 1000);
      await store.createSession(userId, two, clock + 5000);
      await store.createSession(userId, three, clock + 5000);
      assert.deepEqual(await store.findSession(one), { ...session, name });
      clock += 500;
      await store.touchSession(userId, one, clock + 1000);
      assert.deepEqual(await store.findSession(one), {
        ...session,
        name,
        seenAt: clock,
        expiresAt: clock + 1000,
      });
      clock += 1000;
      assert.equal(await store.findSession(one), undefined);
      assert.ok((await store.deleteExpiredSessions()) >= 1);
      await store.deleteSession("somebody else", two);
      assert.ok(await store.findSession(two));
      await store.deleteSession(userId, two);
      assert.equal(await store.findSession(two), undefined);
      assert.ok(await store.findSession(three));
      await store.changePassword(userId, "h2");
      assert.equal(await store.findSession(three), undefined);
      assert.equal((await store.getAccount(userId)).passwordHash, "h2");
    },
  },
  {
    name: "of several secrets for one name the first is kept, also when they come together",
    run: async (open) => {
      const store = await open();
      const name = randomUUID();
      const given = ["one", "two", "three"];
      const kept = new Set(await Promise.all(given.map((value) => store.keepSecret(name, value))));
      assert.equal(kept.size, 1);
      assert.ok(given.includes([...kept][0]!));
      assert.equal(await store.keepSecret(name, "late"), [...kept][0]);
      assert.equal(await store.keepSecret(`${name}2`, "other"), "other");
    },
  },
  {
    name: "a session needs an account",
    run: async (open) => {
      const store = await open();
      await refuses(store.createSession("nobody", randomUUID(), Date.now() + 1000), "not_found");
    },
  },
];

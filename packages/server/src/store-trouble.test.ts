import { memoryStore, pgDriver, postgresStore } from "@mull/store";
import { holdConnection, startPostgres, type LocalPostgres } from "@mull/store/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { leaveOut } from "../../../test/left-out.ts";
import { testServer } from "./testing/test-server.ts";

let postgres: LocalPostgres | undefined;
beforeAll(async () => {
  postgres = await startPostgres();
  if (postgres === undefined) leaveOut("postgres");
}, 60_000);
afterAll(() => postgres?.remove(), 60_000);

/** What an engine says to every insert when its disk is full. */
const fill = [
  `create function refuse() returns trigger language plpgsql as $$ begin
    raise 'could not extend file: No space left on device' using errcode = 'disk_full';
  end $$`,
  "create trigger full_disk before insert on conversations execute function refuse()",
  "create trigger full_disk before insert on messages execute function refuse()",
];

describe("F-D8: a disk that is full says so", () => {
  it.each(["a name of the client's own", "an id made here"])(
    "F-D8: to a question in a conversation with %s",
    async (named) => {
      if (postgres === undefined) return;
      const driver = pgDriver(postgres.url);
      const server = testServer({ keptStore: await postgresStore(driver) });
      const ann = await server.signedUp(`ann ${named}`);
      const id = named.startsWith("a name") ? "chosen-by-client" : await ann.newConversation();
      for (const statement of fill) await driver.query(statement);
      const refused = await ann.ask(id, { text: "What is 2 + 2?" });
      expect(refused.status).toBe(507);
      expect(refused.headers.get("retry-after")).toBe("1");
      expect(await refused.json()).toMatchObject({
        error: { code: "full", message: expect.stringContaining("no room"), retryable: true },
      });
      await driver.query("drop function refuse cascade");
      expect((await ann.askWhole(id, "What is 2 + 2?")).at(-1)?.type).toBe("finish");
      await driver.close();
    },
  );

  it("F-D8: whichever failure keeps a conversation from being made is told as it is", async () => {
    const store = memoryStore();
    const server = testServer({
      keptStore: { ...store, beginTurn: () => Promise.reject(new Error("broken")) },
    });
    const ann = await server.signedUp("ann");
    expect((await ann.ask("chosen-by-client", { text: "Hi" })).status).toBe(500);
  });
});

describe("F-D7: a pool without a free connection", () => {
  it("F-D7: is 503 with a wait for every question and for /ready, and passes", async () => {
    if (postgres === undefined) return;
    const driver = pgDriver(postgres.url, { poolSize: 1, poolWaitMs: 100 });
    const server = testServer({ keptStore: await postgresStore(driver) });
    const ann = await server.signedUp("ann of the pool");
    const letGo = await holdConnection(driver);
    const [asked, ready] = await Promise.all([
      ann.call("GET", "/api/conversations"),
      ann.call("GET", "/ready"),
    ]);
    expect([asked.status, asked.headers.get("retry-after")]).toEqual([503, "1"]);
    expect(await asked.json()).toMatchObject({ error: { code: "busy", retryable: true } });
    expect([ready.status, ready.headers.get("retry-after")]).toEqual([503, "1"]);
    expect(await ready.json()).toMatchObject({ ready: false, store: "busy" });
    await letGo();
    expect((await ann.call("GET", "/ready")).status).toBe(200);
    expect((await ann.call("GET", "/api/conversations")).status).toBe(200);
    await driver.close();
  });
});

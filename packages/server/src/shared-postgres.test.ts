import { randomUUID } from "node:crypto";
import type { EmulatorOptions } from "@mull/emulator";
import { pgDriver, postgresStore, type Store } from "@mull/store";
import { startPostgres, type LocalPostgres } from "@mull/store/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { tool } from "mull";
import { leaveOut } from "../../../test/left-out.ts";
import type { ChatServerParts } from "./parts.ts";
import { hungryService } from "./testing/hungry-service.ts";
import { standingClock } from "./testing/standing-clock.ts";
import { readChunks, testServer, textIn, type TestServer } from "./testing/test-server.ts";

let postgres: LocalPostgres | undefined;
const stores: Store[] = [];

beforeAll(async () => {
  postgres = await startPostgres();
  if (postgres === undefined) leaveOut("postgres");
}, 60_000);
afterAll(async () => {
  await Promise.all(stores.map((store) => store.close()));
  await postgres?.remove();
}, 60_000);

const newServer = async (
  url: string,
  { clock, ...parts }: Pick<EmulatorOptions, "clock"> & Partial<ChatServerParts> = {},
): Promise<TestServer> => {
  const store = await postgresStore(pgDriver(url));
  stores.push(store);
  return testServer({
    keptStore: store,
    isShared: true,
    emulator: { faults: "pace=10", ...(clock !== undefined && { clock }) },
    ...parts,
  });
};

/** A name that isn't in the database yet, because the database outlives a test. */
const newName = (): string => `ann-${randomUUID()}`;

describe("F-D6: two servers on one Postgres", () => {
  it("F-D6: one running turn per conversation; each sees, reads and stops the other's", async () => {
    if (postgres === undefined) return;
    const { clock, letGo, stand } = standingClock();
    const [one, two] = [await newServer(postgres.url, { clock }), await newServer(postgres.url)];
    const ann = await one.signedUp(newName());
    const there = two.visitor();
    there.cookie = ann.cookie;
    const id = await ann.newConversation();
    const running = await ann.ask(id, { text: "okay - what's going on in the markets today?" });
    expect(running.status).toBe(200);
    expect((await there.ask(id, { text: "What is 2 + 2?" })).status).toBe(409);
    const followed = await there.call("GET", `/api/chat/${id}/stream`);
    letGo();
    const [live, read] = await Promise.all([running.text(), followed.text()]);
    expect(textIn(readChunks(read))).toBe(textIn(readChunks(live)));
    expect((await there.askWhole(id, "And what about crypto specifically?")).at(-1)?.type).toBe(
      "finish",
    );
    stand();
    const slow = await ann.ask(id, { text: "okay - what's going on in the markets today?" });
    await there.json("POST", `/api/chat/${id}/stop`);
    expect(readChunks(await slow.text()).at(-1)?.type).toBe("abort");
    const { turns } = await there.json<{ turns: { state: string }[] }>(
      "GET",
      `/api/conversations/${id}/turns`,
    );
    expect(turns.map(({ state }) => state)).toEqual(["done", "done", "stopped"]);
  }, 60_000);

  it("F-W17: a dollar a day is one dollar on both, whatever they do at once", async () => {
    if (postgres === undefined) return;
    const { upstream } = hungryService({ loops: true });
    const look = tool({ name: "look", run: async () => "found" });
    const limits = { dollarsPerDay: 1, turnsPerUser: 6 };
    const given = { upstream, tools: [look], limits };
    const one = await newServer(postgres.url, given);
    const two = await newServer(postgres.url, given);
    const ann = await one.signedUp(newName());
    const there = two.visitor();
    there.cookie = ann.cookie;
    const ids = await Promise.all(Array.from({ length: 20 }, () => ann.newConversation()));
    const statuses = await Promise.all(
      ids.map(async (id, nth) => {
        const response = await (nth % 2 === 0 ? ann : there).ask(id, { text: "Look." });
        await response.text();
        return response.status;
      }),
    );
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    const { cost } = await there.json<{ cost: number }>("GET", "/api/usage");
    expect(cost).toBeGreaterThan(0.5);
    expect(cost).toBeLessThanOrEqual(1);
  }, 60_000);

  it("F-W17: turns at a time, requests and wrong passwords are counted once for both", async () => {
    if (postgres === undefined) return;
    const { clock, letGo } = standingClock();
    const name = newName();
    const at = Date.now();
    const given = {
      clock,
      now: () => at,
      limits: {
        turnsPerUser: 2,
        requestBurst: 100,
        requestsPerSecond: 0.001,
        attemptsPerAccount: 4,
      },
    };
    const [one, two] = [await newServer(postgres.url, given), await newServer(postgres.url, given)];
    const ann = await one.signedUp(name);
    const there = two.visitor();
    there.cookie = ann.cookie;
    const turns = await Promise.all(
      [ann, there, ann, there].map(async (visitor) =>
        visitor.ask(await visitor.newConversation(), { text: "Hi" }),
      ),
    );
    expect(turns.filter(({ status }) => status === 200)).toHaveLength(2);
    expect(turns.filter(({ status }) => status === 429)).toHaveLength(2);
    letGo();
    await Promise.all(turns.map((turn) => turn.text()));
    const guesses: number[] = [];
    for (const server of [one, two, one, two, one, two]) {
      const body = { name, password: "wrong wrong" };
      const path = "/api/account/sign-in";
      guesses.push((await server.visitor().call("POST", path, body)).status);
    }
    expect(guesses).toEqual([401, 401, 401, 401, 429, 429]);
    const statuses = await Promise.all(
      Array.from({ length: 300 }, async (_, nth) => {
        const asked = nth % 2 === 0 ? ann : there;
        return (await asked.call("GET", "/api/account")).status;
      }),
    );
    expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(100 - 8);
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(60);
  }, 60_000);

  it("F-D7: the database stops in mid turn and comes back: the stream completes and is saved", async () => {
    if (postgres === undefined) return;
    const server = await newServer(postgres.url);
    const ann = await server.signedUp(newName());
    const id = await ann.newConversation();
    const response = await ann.ask(id, { text: "okay - what's going on in the markets today?" });
    await postgres.stop("immediate");
    const chunks = readChunks(await response.text());
    const ready = await ann.call("GET", "/ready");
    await postgres.start();
    expect(chunks.at(-1)?.type).toBe("finish");
    expect(ready.status).toBe(503);
    await expect
      .poll(async () => (await ann.call("GET", `/api/conversations/${id}/turns`)).text(), {
        timeout: 45_000,
      })
      .toContain('"state":"done"');
    const { messages } = await ann.json<{
      messages: { parts: { type: string; text?: string }[] }[];
    }>("GET", `/api/conversations/${id}/messages`);
    const said = messages.at(1)?.parts.map(({ type, text }) => (type === "text" ? text : ""));
    expect(said?.join("")).toBe(textIn(chunks));
    expect((await ann.askWhole(id, "And what about crypto specifically?")).at(-1)?.type).toBe(
      "finish",
    );
  }, 90_000);
});

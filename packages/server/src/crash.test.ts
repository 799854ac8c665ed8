import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { seededRandom, startPostgres, type LocalPostgres } from "@mull/store/testing";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { crashSeed, report, roundsOf, type Crash } from "../../../test/crash-rounds.ts";
import { leaveOut } from "../../../test/left-out.ts";
import { bundlePrograms, type Programs } from "../../../test/programs.ts";
import {
  killServers,
  serverSources,
  startServer,
  untilReady,
  type ChildServer,
} from "./testing/child-server.ts";
import { readChunks, Visitor } from "./testing/test-server.ts";

interface Engine {
  readonly name: string;
  readonly crash: Crash;
  readonly env: () => Readonly<Record<string, string>> | undefined;
}

let folder: string;
let postgres: LocalPostgres | undefined;
let programs: Programs;
const start = (env: Readonly<Record<string, string>>): Promise<ChildServer> =>
  startServer(env, programs.pathOf("main"));

beforeAll(async () => {
  programs = await bundlePrograms("server", serverSources);
  folder = await mkdtemp(join(tmpdir(), "mull-crash-"));
  postgres = await startPostgres();
  if (postgres === undefined) leaveOut("postgres");
}, 60_000);
afterEach(killServers);
afterAll(async () => {
  await postgres?.remove();
  await programs.remove();
  await rm(folder, { recursive: true, force: true });
}, 60_000);

const engines: readonly Engine[] = [
  {
    name: "PGlite",
    crash: "kill of a server on PGlite",
    env: () => ({ MULL_DATA: join(folder, randomUUID()) }),
  },
  {
    name: "Postgres",
    crash: "kill of a server on Postgres",
    env: () => (postgres === undefined ? undefined : { DATABASE_URL: postgres.url }),
  },
];

const visitorAt = (url: string, cookie = ""): Visitor => {
  const visitor = new Visitor((address, init) => fetch(address, init), url);
  visitor.cookie = cookie;
  return visitor;
};

interface Shown {
  readonly messages: readonly { readonly role: string; readonly parts: readonly object[] }[];
}

const questionsIn = ({ messages }: Shown): string =>
  messages
    .filter(({ role }) => role === "user")
    .map(({ parts }) => JSON.stringify(parts.at(0)))
    .join("\n");

const statesOf = async (visitor: Visitor, id: string): Promise<readonly string[]> => {
  const path = `/api/conversations/${id}/turns`;
  const { turns } = await visitor.json<{ turns: { state: string }[] }>("GET", path);
  return turns.map(({ state }) => state);
};

/** Reads until the process is killed. */
async function readUntilKilled(
  response: Response,
  kill: () => Promise<void>,
  ms: number,
): Promise<void> {
  const dying = new Promise((resolve) => setTimeout(resolve, ms)).then(kill);
  await response.text().catch(() => undefined);
  await dying;
}

/** The first send must arrive: no client waits for a process that is gone. */
async function expectTurn(visitor: Visitor, id: string, text: string): Promise<Response> {
  const response = await visitor.ask(id, { text });
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  return response;
}

/**
 * This many turns in a conversation, then the next one; otherwise the test would spend its time
 * showing it.
 */
const turnsPerTalk = 10;

describe.each(engines)("F-G12 F-D1: kill -9 of a server on $name", ({ crash, env }) => {
  const rounds = roundsOf(crash);
  it(
    `F-D1: ${rounds} times in a running turn: nothing acknowledged is lost, the next turn works at once`,
    async () => {
      const settings = env();
      if (settings === undefined) return;
      const random = seededRandom(crashSeed());
      const asked = new Map<string, string[]>();
      let cookie = "";
      let talk = "";
      for (let round = 0; round < rounds; round++) {
        const server = await start({ ...settings, MULL_PACE: "8" });
        await untilReady(server.url);
        const ann = visitorAt(server.url, cookie);
        if (round === 0) await ann.signUp(`ann-${randomUUID()}`);
        ({ cookie } = ann);
        if (round % turnsPerTalk === 0) talk = await ann.newConversation("claude-sonnet-4-5");
        const text = `Search the web for the bitcoin price, round ${round}`;
        const response = await expectTurn(ann, talk, text);
        asked.set(talk, [...(asked.get(talk) ?? []), text]);
        await readUntilKilled(response, server.kill, random() * 500);
      }
      const server = await start(settings);
      await untilReady(server.url);
      const ann = visitorAt(server.url, cookie);
      const states: string[] = [];
      for (const [id, texts] of asked) {
        const response = await expectTurn(ann, id, "And what about crypto specifically?");
        expect(readChunks(await response.text()).at(-1)?.type).toBe("finish");
        const shown = await ann.json<Shown>("GET", `/api/conversations/${id}/messages`);
        expect(texts.filter((text) => !questionsIn(shown).includes(text))).toEqual([]);
        const found = await statesOf(ann, id);
        expect(found).toHaveLength(texts.length + 1);
        states.push(...found.slice(0, -1));
      }
      expect(new Set([...states, "done", "interrupted"])).toEqual(new Set(["done", "interrupted"]));
      const running = states.filter((state) => state === "interrupted").length;
      report(crash, states.length, `${running} of them in a running turn, no question lost`);
      await server.kill();
    },
    120_000 + rounds * 30_000,
  );
});

describe.each(engines)("R528 F-D1: a call that waits on $name", ({ env }) => {
  it("waits over a kill -9, and the next process takes the decision", async () => {
    const settings = env();
    if (settings === undefined) return;
    const first = await start({ ...settings, MULL_APPROVAL: "always" });
    await untilReady(first.url);
    const ann = visitorAt(first.url);
    await ann.signUp(`ann-${randomUUID()}`);
    const id = await ann.newConversation("claude-sonnet-4-5");
    const asked = await expectTurn(ann, id, "Search the web for the bitcoin price");
    const waiting = readChunks(await asked.text()).find(({ type }) => type.includes("approval"));
    await first.kill();
    const second = await start({ ...settings, MULL_APPROVAL: "always" });
    await untilReady(second.url);
    const again = visitorAt(second.url, ann.cookie);
    const decisions = [{ callId: waiting?.["toolCallId"], run: true }];
    const decided = await again.call("POST", `/api/chat/${id}/decide`, { decisions });
    const chunks = readChunks(await decided.text());
    expect(chunks.map(({ type }) => type)).toContain("tool-output-available");
    expect(chunks.at(-1)).toMatchObject({ type: "finish", finishReason: "stop" });
    expect(await statesOf(again, id)).toEqual(["done", "done"]);
    await second.kill();
  }, 180_000);
});

describe("processes", () => {
  it("F-D4: a second server on one data folder ends at once and says who holds it", async () => {
    const settings = { MULL_DATA: join(folder, "held") };
    const first = await start(settings);
    await untilReady(first.url);
    const second = await start(settings);
    expect(await second.ended).toBe(1);
    expect(second.said()).toContain(String(first.pid));
    await first.kill();
  }, 180_000);

  it("F-D16: SIGTERM with running turns ends clean, and they are marked", async () => {
    const settings = { MULL_DATA: join(folder, "held"), MULL_PACE: "500" };
    const server = await start(settings);
    await untilReady(server.url);
    const ann = visitorAt(server.url);
    await ann.signUp(`ann-${randomUUID()}`);
    const id = await ann.newConversation();
    const response = await ann.ask(id, { text: "What is 2 + 2?" });
    const reading = response.text().catch(() => "");
    expect(await server.terminate()).toBe(0);
    await reading;
    const next = await start(settings);
    await untilReady(next.url);
    const again = visitorAt(next.url, ann.cookie);
    const { turns } = await again.json<{ turns: { state: string }[] }>(
      "GET",
      `/api/conversations/${id}/turns`,
    );
    expect(turns.map(({ state }) => state)).toEqual(["interrupted"]);
    await next.kill();
  }, 180_000);
});

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { seededRandom, startPostgres, type LocalPostgres } from "@mull/store/testing";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { killServers, startServer, untilReady } from "./testing/child-server.ts";
import { readChunks, Visitor } from "./testing/test-server.ts";

/** A few rounds by default; `MULL_KILLS=100` for the long run. */
const rounds = Number(process.env["MULL_KILLS"] ?? 3);
/** A round starts a process, opens its store and, on Postgres, waits for a lease. */
const longestMs = 60_000 + rounds * 30_000;

interface Engine {
  readonly name: string;
  readonly env: () => Readonly<Record<string, string>> | undefined;
}

let folder: string;
let postgres: LocalPostgres | undefined;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "mull-crash-"));
  postgres = await startPostgres();
  if (postgres === undefined) process.stderr.write("NOTICE: no Postgres on this machine\n");
}, 60_000);
afterEach(killServers);
afterAll(async () => {
  await postgres?.remove();
  await rm(folder, { recursive: true, force: true });
});

const engines: readonly Engine[] = [
  { name: "PGlite", env: () => ({ MULL_DATA: join(folder, "data") }) },
  {
    name: "Postgres",
    env: () =>
      postgres === undefined ? undefined : { DATABASE_URL: postgres.url, MULL_LEASE: "2500" },
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

const questionsIn = ({ messages }: Shown): readonly string[] =>
  messages.filter(({ role }) => role === "user").map(({ parts }) => JSON.stringify(parts.at(0)));

/** Reads until the process is killed under it; returns the blocks that had ended. */
async function readUntilKilled(
  response: Response,
  kill: () => Promise<void>,
  ms: number,
): Promise<void> {
  const dying = new Promise((resolve) => setTimeout(resolve, ms)).then(kill);
  await response.text().catch(() => undefined);
  await dying;
}

describe.each(engines)("D1: kill -9 on $name", ({ name, env }) => {
  it(
    `D1: ${rounds} times in a running turn: nothing acknowledged is lost, the next turn works`,
    async () => {
      const settings = env();
      if (settings === undefined) return;
      const random = seededRandom(11);
      let cookie = "";
      let conversationId = "";
      const acknowledged: string[] = [];
      for (let round = 0; round < rounds; round++) {
        const server = await startServer(settings);
        await untilReady(server.url);
        const ann = visitorAt(server.url, cookie);
        if (round === 0) {
          await ann.signUp(`ann on ${name}`);
          cookie = ann.cookie;
          conversationId = await ann.newConversation("claude-sonnet-4-5");
        }
        const text = `Search the web for the bitcoin price, round ${round}`;
        const response = await expectTurn(ann, conversationId, text);
        acknowledged.push(text);
        await readUntilKilled(response, server.kill, 20 + random() * 400);
      }
      const server = await startServer(settings);
      await untilReady(server.url);
      const ann = visitorAt(server.url, cookie);
      const response = await expectTurn(ann, conversationId, "And what about crypto specifically?");
      expect(readChunks(await response.text()).at(-1)?.type).toBe("finish");
      const shown = await ann.json<Shown>("GET", `/api/conversations/${conversationId}/messages`);
      const questions = questionsIn(shown).join("\n");
      for (const text of acknowledged) expect(questions).toContain(text);
      const { turns } = await ann.json<{ turns: { state: string }[] }>(
        "GET",
        `/api/conversations/${conversationId}/turns`,
      );
      expect(turns).toHaveLength(rounds + 1);
      expect(new Set(turns.map(({ state }) => state)).has("running")).toBe(false);
      await server.kill();
    },
    longestMs,
  );
});

/** A turn whose process died may still hold the conversation until its lease ends. */
async function expectTurn(visitor: Visitor, id: string, text: string): Promise<Response> {
  for (;;) {
    const response = await visitor.ask(id, { text });
    if (response.status === 200) return response;
    if (response.status !== 409) throw new Error(`${response.status} ${await response.text()}`);
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

describe("processes", () => {
  it("D4: a second server on one data folder ends at once and says who holds it", async () => {
    const settings = { MULL_DATA: join(folder, "held") };
    const first = await startServer(settings);
    await untilReady(first.url);
    const second = await startServer(settings);
    expect(await second.ended).toBe(1);
    expect(second.said()).toContain(String(first.pid));
    await first.kill();
  }, 60_000);

  it("D16: SIGTERM with running turns ends clean, and they are marked", async () => {
    const settings = { MULL_DATA: join(folder, "held"), MULL_PACE: "500" };
    const server = await startServer(settings);
    await untilReady(server.url);
    const ann = visitorAt(server.url);
    await ann.signUp("ann");
    const id = await ann.newConversation();
    const response = await ann.ask(id, { text: "What is 2 + 2?" });
    const reading = response.text().catch(() => "");
    expect(await server.terminate()).toBe(0);
    await reading;
    const next = await startServer(settings);
    await untilReady(next.url);
    const again = visitorAt(next.url, ann.cookie);
    const { turns } = await again.json<{ turns: { state: string }[] }>(
      "GET",
      `/api/conversations/${id}/turns`,
    );
    expect(turns.map(({ state }) => state)).toEqual(["stopped"]);
    await next.kill();
  }, 60_000);
});

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { newTalk, says } from "../testing/material.ts";
import { pgDriver } from "../postgres/pg-driver.ts";
import { postgresStore } from "../postgres/postgres-store.ts";
import { readJsonlConversation } from "../jsonl/read-conversation.ts";
import { seededRandom, startPostgres, type LocalPostgres } from "../testing/index.ts";
import {
  crashRounds,
  killChildren,
  pause,
  startChild,
  type Child,
  type Program,
} from "./testing/child.ts";

const random = seededRandom(Number(process.env["MULL_CRASH_SEED"] ?? 1));
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "mull-kill-"));
});
afterEach(killChildren);
afterAll(() => rm(folder, { recursive: true, force: true }));

const isAck = (line: string): boolean => /^[uaf]\d/.test(line);
const hadIn = (line: string): ReadonlySet<string> =>
  new Set(JSON.parse(line.slice("have ".length)) as string[]);

interface Rounds {
  readonly program: Program;
  readonly target: string;
  readonly rounds: number;
  readonly longestMs: number;
  readonly strike?: (child: Child) => Promise<void>;
}

/** Kills a writer again and again; each new one says what it found. Returns how much was acknowledged. */
async function killRepeatedly(given: Rounds): Promise<number> {
  const acknowledged = new Set<string>();
  for (let round = 0; round <= given.rounds; round++) {
    const isLast = round === given.rounds;
    const child = startChild(given.program, given.target, ...(isLast ? ["check"] : []));
    const found = hadIn(await child.waitFor("have "));
    expect([...acknowledged].filter((label) => !found.has(label))).toEqual([]);
    const states = child.lines.find((line) => line.startsWith("states ")) ?? "";
    expect(states).not.toContain("running");
    if (!isLast) {
      await pause(5 + random() * given.longestMs);
      await (given.strike ?? ((victim) => victim.kill()))(child);
      await child.kill();
    }
    await child.ended;
    for (const line of child.lines.filter(isAck)) acknowledged.add(line);
  }
  return acknowledged.size;
}

describe("D1: nothing acknowledged is lost by kill -9", () => {
  test("in a conversation file", { timeout: 600_000 }, async () => {
    const target = join(folder, "talk.jsonl");
    const rounds = crashRounds(5);
    const count = await killRepeatedly({ program: "log-writer", target, rounds, longestMs: 400 });
    expect(count).toBeGreaterThan(rounds);
    expect((await readJsonlConversation(target)).damage).toEqual([]);
  });

  test("in PGlite", { timeout: 900_000 }, async () => {
    const target = join(folder, "pglite");
    const rounds = crashRounds(2);
    const count = await killRepeatedly({ program: "turn-writer", target, rounds, longestMs: 900 });
    expect(count).toBeGreaterThan(rounds);
  });

  describe("in Postgres", () => {
    let local: LocalPostgres | undefined;
    beforeAll(async () => {
      local = await startPostgres();
      if (local === undefined) process.stderr.write("NOTICE: no Postgres here; not tested.\n");
    }, 60_000);
    afterAll(() => local?.remove());

    test("D7: a server that goes away and comes back is used again", async () => {
      if (local === undefined) return;
      const store = await postgresStore(pgDriver(local.url, { schema: "public" }));
      const talk = await newTalk(store);
      await local.stop("immediate");
      await expect(store.check()).rejects.toMatchObject({ code: "unavailable", retryable: true });
      await expect(
        store.appendMessages(talk.userId, talk.conversationId, null, [says("lost")]),
      ).rejects.toMatchObject({ code: "unavailable" });
      await local.start();
      await store.appendMessages(talk.userId, talk.conversationId, null, [says("kept")]);
      expect(await store.listMessages(talk.userId, talk.conversationId)).toHaveLength(1);
      await store.close();
    });

    test("with the whole cluster killed", { timeout: 600_000 }, async () => {
      if (local === undefined) return;
      const server = local;
      const count = await killRepeatedly({
        program: "turn-writer",
        target: server.url,
        rounds: crashRounds(3),
        longestMs: 600,
        strike: async () => {
          await server.kill();
          await server.start();
        },
      });
      expect(count).toBeGreaterThan(5);
    });
  });
});

import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { crashSeed, report, roundsOf, type Crash } from "../../../../test/crash-rounds.ts";
import { leaveOut } from "../../../../test/left-out.ts";
import { newTalk, says } from "../testing/material.ts";
import { pgDriver } from "../postgres/pg-driver.ts";
import { postgresStore } from "../postgres/postgres-store.ts";
import { readJsonlConversation } from "../jsonl/read-conversation.ts";
import { seededRandom, startPostgres, type LocalPostgres } from "../testing/index.ts";
import { pause, type Program } from "./testing/child.ts";
import { talkOfLabel, talkOfLife } from "./testing/material.ts";
import { crashStage } from "./testing/stage.ts";

const random = seededRandom(crashSeed());
const stage = crashStage("kill");

const isAck = (line: string): boolean => /^[uaf]\d/.test(line);
const hadIn = (line: string): ReadonlySet<string> =>
  new Set(JSON.parse(line.slice("have ".length)) as string[]);

interface Killing {
  readonly crash: Crash;
  readonly program: Program;
  readonly target: string;
  readonly longestMs: number;
  /** How long a dead writer counts as alive when only its lease can tell. */
  readonly leaseMs?: number;
  /** What breaks along with the writer. */
  readonly strike?: () => Promise<void>;
}

/**
 * Kills a writer again and again; each new one reports what it found. Everything acknowledged must
 * be there. Returns how much was acknowledged.
 */
async function killRepeatedly(given: Killing): Promise<number> {
  const rounds = roundsOf(given.crash);
  const acknowledged = new Set<string>();
  const lease = given.leaseMs === undefined ? [] : [String(given.leaseMs)];
  for (let round = 0; round <= rounds; round++) {
    const isLast = round === rounds;
    const life = isLast ? "check" : String(round);
    const child = stage.children.start(given.program, given.target, life, ...lease);
    const found = hadIn(await child.waitFor("have "));
    const isHere = (label: string): boolean => isLast || talkOfLabel(label) === talkOfLife(round);
    expect([...acknowledged].filter((label) => isHere(label) && !found.has(label))).toEqual([]);
    const states = child.lines.find((line) => line.startsWith("states ")) ?? "";
    expect(states).not.toContain("running");
    if (!isLast) {
      // Every other life ends a turn first; on a slow machine little might be written otherwise.
      if ((rounds - round) % 2 === 1) await child.waitFor("f");
      await pause(5 + random() * given.longestMs);
      await given.strike?.();
      await child.kill();
    }
    await child.ended;
    for (const line of child.lines.filter(isAck)) acknowledged.add(line);
    // The others end by the kill, or because their database was killed.
    expect(isLast ? [await child.ended, child.errors()] : [0, ""]).toEqual([0, ""]);
  }
  report(given.crash, rounds, `${acknowledged.size} blocks acknowledged, none lost`);
  return acknowledged.size;
}

describe("F-G1 F-D1: nothing acknowledged is lost by kill -9", () => {
  test("in conversation files", { timeout: 900_000 }, async () => {
    const target = join(stage.folder, "files");
    await mkdir(target);
    const crash = "kill of a file's writer";
    const count = await killRepeatedly({ crash, program: "log-writer", target, longestMs: 200 });
    expect(count).toBeGreaterThan(roundsOf(crash));
    for (const name of (await readdir(target)).filter((each) => /^\d+$/.test(each))) {
      expect((await readJsonlConversation(join(target, name))).damage).toEqual([]);
    }
  });

  test("in PGlite", { timeout: 1_800_000 }, async () => {
    const target = join(stage.folder, "pglite");
    const crash = "kill on PGlite";
    const count = await killRepeatedly({ crash, program: "turn-writer", target, longestMs: 700 });
    expect(count).toBeGreaterThan(roundsOf(crash));
  });

  describe("in Postgres", () => {
    let local: LocalPostgres | undefined;
    beforeAll(async () => {
      local = await startPostgres();
      if (local === undefined) leaveOut("postgres");
    }, 60_000);
    afterAll(() => local?.remove(), 60_000);

    test("F-D7: a server that goes away and comes back is used again", async () => {
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
    }, 60_000);

    test("with the process killed, whose turn is over at once", { timeout: 900_000 }, async () => {
      if (local === undefined) return;
      const { url: target } = local;
      const crash = "kill on Postgres";
      const count = await killRepeatedly({ crash, program: "turn-writer", target, longestMs: 400 });
      expect(count).toBeGreaterThan(roundsOf(crash));
    });

    test("with the whole cluster killed", { timeout: 900_000 }, async () => {
      if (local === undefined) return;
      const server = local;
      const crash = "kill of the cluster";
      const count = await killRepeatedly({
        crash,
        program: "turn-writer",
        target: server.url,
        longestMs: 400,
        // After a crash of the database, no process counts as gone until its lease has ended.
        leaseMs: -1,
        strike: async () => {
          await server.kill();
          await server.start();
        },
      });
      expect(count).toBeGreaterThan(roundsOf(crash));
    });
  });
});

import { cp, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { postgresStore } from "../../postgres/postgres-store.ts";
import { seededRandom } from "../../testing/random-messages.ts";
import { cutPower } from "./cut-power.ts";
import { engineDriver } from "./engine-driver.ts";
import { runTurn } from "./run-turn.ts";
import { traceWrites } from "./trace-writes.ts";

/** Runs turns while every file call is logged, then builds what a power cut would leave. */
const [work = "", trials = "1", seed = "1"] = process.argv.slice(2);
const random = seededRandom(Number(seed));
const [userId, conversationId] = ["ada", "talk"];
const [neighbour, besideId] = ["bob", "beside"];
const base = join(work, "base");
const live = join(work, "live");
await mkdir(work, { recursive: true });

const trace = traceWrites(live);
const { openEngine } = await import("../../pglite/open-engine.ts");

const first = engineDriver(await openEngine(base));
const made = await postgresStore(first);
await made.createConversation(userId, { id: conversationId });
await made.createConversation(neighbour, { id: besideId });
await first.query("checkpoint");
await first.close();
await cp(base, live, { recursive: true });

const driver = engineDriver(await openEngine(live));
const store = await postgresStore(driver);
const acknowledged: { readonly label: string; readonly at: number }[] = [];
for (let turn = 0; turn < 30; turn++) {
  await Promise.all([
    runTurn(store, userId, conversationId, turn, (label) =>
      acknowledged.push({ label, at: trace.length }),
    ),
    // Another user's conversation, so that commits are shared.
    runTurn(store, neighbour, besideId, turn, () => undefined),
  ]);
  if (turn % 12 === 11) await driver.query("checkpoint");
  if (turn % 12 === 5) await driver.query("vacuum (analyze) turn_parts");
}
await cutPower({ work, ops: trace.slice(), acknowledged, random }, Number(trials));
process.exit(0);

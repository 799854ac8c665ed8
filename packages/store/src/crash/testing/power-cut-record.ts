import { cp, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { postgresStore } from "../../postgres/postgres-store.ts";
import { seededRandom } from "../../testing/random-messages.ts";
import { engineDriver } from "./engine-driver.ts";
import { say } from "./material.ts";
import { rebuild } from "./rebuild.ts";
import { runTurn } from "./run-turn.ts";
import { traceWrites } from "./trace-writes.ts";

/** Runs turns while every file call is logged, then builds what a power cut would leave. */
const [work = "", trials = "1", seed = "1"] = process.argv.slice(2);
const random = seededRandom(Number(seed));
const [userId, conversationId] = ["ada", "talk"];
const base = join(work, "base");
const live = join(work, "live");
await mkdir(work, { recursive: true });

const trace = traceWrites(live);
const { openEngine } = await import("../../pglite/open-engine.ts");

const first = await openEngine(base);
const made = await postgresStore(engineDriver(first));
await made.createConversation(userId, { id: conversationId });
await first.query("checkpoint", []);
await first.close();
await cp(base, live, { recursive: true });

const engine = await openEngine(live);
const store = await postgresStore(engineDriver(engine));
const acknowledged: { readonly label: string; readonly at: number }[] = [];
for (let turn = 0; turn < 30; turn++) {
  await runTurn(store, userId, conversationId, turn, (label) =>
    acknowledged.push({ label, at: trace.length }),
  );
  if (turn % 12 === 11) await engine.query("checkpoint", []);
}
const ops = trace.slice();
say(`syncs ${ops.filter(({ op }) => op === "sync").length}`);

const labelsUntil = (cut: number): string =>
  JSON.stringify(acknowledged.flatMap(({ label, at }) => (at <= cut ? [label] : [])));
const changes = [...ops.keys()].filter((index) => ops[index]?.op !== "open");
for (let trial = 0; trial < Number(trials); trial++) {
  const target = join(work, `trial-${trial}`);
  const cut = changes[Math.floor(random() * changes.length)] ?? 0;
  await cp(base, target, { recursive: true });
  rebuild(target, ops.slice(0, cut), [0, 0.5, 0.9][trial % 3] ?? 0, random);
  say(`trial ${target} ${labelsUntil(cut)}`);
}
// The same without a single sync: the check must see that this loses rows.
const control = join(work, "control");
await cp(base, control, { recursive: true });
const unsynced = ops.filter(({ op }) => op !== "sync");
rebuild(control, unsynced, 0, random);
say(`control ${control} ${labelsUntil(ops.length)}`);
process.exit(0);

import { cp, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { seededRandom } from "../../testing/random-messages.ts";
import { say } from "./material.ts";
import { rebuild } from "./rebuild.ts";
import { traceWrites } from "./trace-writes.ts";

/** Writes a database while every file call is logged, then builds what a power cut would leave. */
const [work = "", trials = "1", seed = "1"] = process.argv.slice(2);
const random = seededRandom(Number(seed));
const base = join(work, "base");
const live = join(work, "live");
await mkdir(work, { recursive: true });

const trace = traceWrites(live);
const { openEngine } = await import("../../pglite/open-engine.ts");

const first = await openEngine(base);
await first.query("create table rows (n int primary key, payload text, sum text)", []);
await first.query("create table latest (n int)", []);
await first.query("insert into latest values (-1)", []);
await first.query("checkpoint", []);
await first.close();
await cp(base, live, { recursive: true });

const engine = await openEngine(live);
const acknowledgedAt: number[] = [];
for (let n = 0; n < 60; n++) {
  const payload = String(random()).repeat(1 + Math.floor(random() * 600));
  await engine.query("begin", []);
  await engine.query("insert into rows values ($1, $2::text, md5($2::text))", [n, payload]);
  await engine.query("update latest set n = $1", [n]);
  await engine.query("commit", []);
  acknowledgedAt.push(trace.length);
  if (n % 25 === 24) await engine.query("checkpoint", []);
}
const ops = trace.slice();
say(`syncs ${ops.filter(({ op }) => op === "sync").length}`);

const changes = [...ops.keys()].filter((index) => ops[index]?.op !== "open");
for (let trial = 0; trial < Number(trials); trial++) {
  const target = join(work, `trial-${trial}`);
  const cut = changes[Math.floor(random() * changes.length)] ?? 0;
  await cp(base, target, { recursive: true });
  rebuild(target, ops.slice(0, cut), [0, 0.5, 0.9][trial % 3] ?? 0, random);
  say(`trial ${acknowledgedAt.filter((at) => at <= cut).length} ${target}`);
}
// The same without a single sync: the check must see that this loses rows.
const control = join(work, "control");
await cp(base, control, { recursive: true });
const unsynced = ops.filter(({ op }) => op !== "sync");
rebuild(control, unsynced, 0, random);
say(`control ${acknowledgedAt.length} ${control}`);
process.exit(0);

import { cp, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { postgresStore } from "@mull/store";
import { seededRandom } from "@mull/store/testing";
import { readChunks, testServer } from "../../packages/server/src/testing/test-server.ts";
import { cutPower } from "../../packages/store/src/crash/testing/cut-power.ts";
import { engineDriver } from "../../packages/store/src/crash/testing/engine-driver.ts";
import { say } from "../../packages/store/src/crash/testing/material.ts";
import { traceWrites } from "../../packages/store/src/crash/testing/trace-writes.ts";

/** Chats with a server while every file call is logged, then builds what a power cut would leave. */
const [work = "", trials = "1", seed = "1"] = process.argv.slice(2);
const base = join(work, "base");
const live = join(work, "live");
await mkdir(work, { recursive: true });

const trace = traceWrites(live);
const { openEngine } = await import("../../packages/store/src/pglite/open-engine.ts");

const first = engineDriver(await openEngine(base));
const before = testServer({ keptStore: await postgresStore(first) });
const ann = await before.signedUp("ann");
const id = await ann.newConversation();
await before.app.drain();
await first.query("checkpoint");
await first.close();
await cp(base, live, { recursive: true });
say(`talk ${id} ${ann.cookie}`);

const driver = engineDriver(await openEngine(live));
const visitor = testServer({ keptStore: await postgresStore(driver) }).visitor();
visitor.cookie = ann.cookie;
const acknowledged: { readonly label: string; readonly at: number }[] = [];
for (let turn = 0; turn < 12; turn++) {
  const text = `Search the web for the bitcoin price, round ${turn}.`;
  const response = await visitor.ask(id, { text });
  if (response.status === 200) acknowledged.push({ label: `asked ${turn}`, at: trace.length });
  const types = readChunks(await response.text()).map(({ type }) => type);
  if (types.at(-1) === "finish" && !types.includes("data-unsaved")) {
    acknowledged.push({ label: `answered ${turn}`, at: trace.length });
  }
  if (turn % 5 === 4) await driver.query("checkpoint");
}
const random = seededRandom(Number(seed));
await cutPower({ work, ops: trace.slice(), acknowledged, random }, Number(trials));
process.exit(0);

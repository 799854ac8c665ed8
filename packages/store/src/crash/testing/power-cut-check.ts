import { openEngine } from "../../pglite/open-engine.ts";
import { postgresStore } from "../../postgres/postgres-store.ts";
import { engineDriver } from "./engine-driver.ts";
import { labelsIn, nextTurn, say } from "./material.ts";
import { runTurn } from "./run-turn.ts";

/** Opens what a power cut left, lists it by tables and by indexes, and continues. */
const [folder = ""] = process.argv.slice(2);
const [userId, conversationId] = ["ada", "talk"];
const driver = engineDriver(await openEngine(folder));

/** Every row of every table with a key, found by scanning the table or by its index. */
async function readKeys(scan: "seqscan" | "indexscan"): Promise<readonly unknown[]> {
  await driver.query(`set enable_seqscan = ${scan === "seqscan" ? "on" : "off"}`);
  const { rows } = await driver.query(
    `select (select json_agg(id order by id) from messages where id > '')::text as messages,
      (select json_agg(id order by id) from turns where id > '')::text as turns,
      (select json_agg(seq order by seq) from turn_parts where seq > 0)::text as parts`,
  );
  return rows;
}
const byTable = await readKeys("seqscan");
const byIndex = await readKeys("indexscan");

const store = await postgresStore(driver);
await store.recoverTurns();
const turns = await store.listTurns(userId, conversationId);
const branch = await store.listBranch(userId, conversationId);
const labels = labelsIn(branch.map(({ message }) => message));
await runTurn(store, userId, conversationId, nextTurn(labels, 0), () => undefined);
const states = turns.map(({ state }) => state);
say(JSON.stringify({ labels, states, byTable, byIndex }));
await driver.close();
process.exit(0);

import { pgliteDriver } from "../../pglite/pglite-driver.ts";
import { pgDriver } from "../../postgres/pg-driver.ts";
import { postgresStore } from "../../postgres/postgres-store.ts";
import { hasCode } from "../../store-error.ts";
import { labelsIn, nextTurn, say, talkOfLife } from "./material.ts";
import { runTurn } from "./run-turn.ts";

/**
 * Reports what is there, then runs turns until it is killed. `check` looks at every conversation.
 */
const [target = "", life = "check", leaseMs] = process.argv.slice(2);
const userId = "ada";

const driver = target.startsWith("postgres:") ? pgDriver(target) : await pgliteDriver(target);
say("open");
const store = await postgresStore(
  driver,
  leaseMs === undefined ? {} : { leaseMs: Number(leaseMs) },
);
await store.recoverTurns();

const talk = talkOfLife(Number(life));
if (life !== "check") {
  await store.createConversation(userId, { id: String(talk) }).catch((error: unknown) => {
    if (!hasCode(error, "name_taken")) throw error;
  });
}
const all = await store.listConversations(userId, { limit: 1000 });
const talks = life === "check" ? all.map(({ id }) => id) : [String(talk)];
const states = new Set<string>();
const labels: string[] = [];
for (const id of talks) {
  for (const { state } of await store.listTurns(userId, id)) states.add(state);
  const branch = await store.listBranch(userId, id);
  labels.push(...labelsIn(branch.map(({ message }) => message)));
}
say(`states ${[...states].toSorted().join(" ")}`);
say(`have ${JSON.stringify(labels)}`);

if (life === "check") {
  for (const id of talks) await runTurn(store, userId, id, nextTurn(labels, Number(id)), say);
} else {
  const { id: beside } = await store.createConversation("bob");
  for (let turn = nextTurn(labels, talk); ; turn++) {
    await Promise.all([
      runTurn(store, userId, String(talk), turn, say),
      // Another user's conversation, so that commits are shared.
      runTurn(store, "bob", beside, turn, () => undefined),
    ]);
  }
}
await store.close();

import { pgliteDriver } from "../../pglite/pglite-driver.ts";
import { pgDriver } from "../../postgres/pg-driver.ts";
import { postgresStore } from "../../postgres/postgres-store.ts";
import { hasCode } from "../../store-error.ts";
import { answerOf, labelsIn, nextTurn, questionOf, say } from "./material.ts";

const [target = "", mode] = process.argv.slice(2);
const userId = "ada";
const conversationId = "talk";

const driver = target.startsWith("postgres:") ? pgDriver(target) : await pgliteDriver(target);
say("open");
// Nobody else runs turns here: a lease of nothing is over at once.
const store = await postgresStore(driver, { leaseMs: -1 });
await store.createConversation(userId, { id: conversationId }).catch((error: unknown) => {
  if (!hasCode(error, "name_taken")) throw error;
});
await store.recoverTurns();
const turns = await store.listTurns(userId, conversationId);
const states = new Set(turns.map(({ state }) => state));
say(`states ${[...states].toSorted().join(" ")}`);
const branch = await store.listBranch(userId, conversationId);
const labels = labelsIn(branch.map(({ message }) => message));
say(`have ${JSON.stringify(labels)}`);

let expectedHead = branch.at(-1)?.id ?? null;
const end = mode === "check" ? 0 : Infinity;
for (let turn = nextTurn(labels); turn < end; turn++) {
  const begun = await store.beginTurn({
    userId,
    conversationId,
    idempotencyKey: `k${turn}`,
    expectedHead,
    message: questionOf(turn),
  });
  say(`u${turn}`);
  const answer = answerOf(turn);
  for (const [index, part] of answer.parts.entries()) {
    await store.appendPart(userId, begun.turn.id, part);
    say(`a${turn}.${index}`);
  }
  await store.finishTurn(userId, begun.turn.id, { state: "done", messages: [answer] });
  say(`f${turn}`);
  expectedHead = (await store.getConversation(userId, conversationId)).head;
}
await store.close();

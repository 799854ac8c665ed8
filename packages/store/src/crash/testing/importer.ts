import { History } from "mull";
import { openForAppend } from "../../jsonl/append-file.ts";
import { jsonlConversation } from "../../jsonl/conversation.ts";
import { pgliteDriver } from "../../pglite/pglite-driver.ts";
import type { SqlDriver } from "../../postgres/driver.ts";
import { pgDriver } from "../../postgres/pg-driver.ts";
import { postgresStore } from "../../postgres/postgres-store.ts";
import { says } from "../../testing/material.ts";
import { say } from "./material.ts";

/**
 * Reports how many messages every conversation has, then imports one and kills itself before write
 * number N. `check` only reports.
 */
const [target = "", deadlyWrite = "check"] = process.argv.slice(2);
const userId = "ada";
const history = History.from(
  Array.from({ length: 2200 }, (_, nth) => says(`${nth} ${"word ".repeat(400)}`)),
);
let writes = 0;
const strike = (): void => {
  writes += 1;
  if (writes === Number(deadlyWrite)) process.kill(process.pid, "SIGKILL");
};
const tell = (counts: readonly number[]): void => say(`have ${JSON.stringify(counts)}`);

async function importIntoFile(path: string): Promise<void> {
  const conversation = await jsonlConversation(path, {
    open: async (file) => {
      const handle = await openForAppend(file);
      return {
        write: (bytes, offset, length) => {
          strike();
          return handle.write(bytes, offset, length);
        },
        datasync: () => handle.datasync(),
        truncate: (length) => handle.truncate(length),
        close: () => handle.close(),
      };
    },
  });
  const { length } = conversation.entries;
  tell(length === 0 ? [] : [length]);
  if (deadlyWrite !== "check") await conversation.save(history);
  await conversation.close();
}

async function importIntoStore(driver: SqlDriver): Promise<void> {
  const store = await postgresStore({
    ...driver,
    query: (text, values) => {
      if (/^\s*(?:insert|update)/.test(text)) strike();
      return driver.query(text, values);
    },
  });
  const counts: number[] = [];
  for (const { id } of await store.listConversations(userId)) {
    counts.push((await store.listMessages(userId, id)).length);
  }
  tell(counts);
  writes = 0;
  if (deadlyWrite !== "check") await store.importConversation(userId, { title: "x", history });
  await store.close();
}

if (target.endsWith(".jsonl")) await importIntoFile(target);
else if (target.startsWith("postgres:")) await importIntoStore(pgDriver(target));
else await importIntoStore(await pgliteDriver(target));
say("imported");

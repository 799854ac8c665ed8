import { postgresStore } from "@mull/store";
import { testServer } from "../../packages/server/src/testing/test-server.ts";
import { engineDriver } from "../../packages/store/src/crash/testing/engine-driver.ts";
import { say } from "../../packages/store/src/crash/testing/material.ts";
import { openEngine } from "../../packages/store/src/pglite/open-engine.ts";

/** Serves what a power cut left, says what a visitor sees of it, and asks the next question. */
const [folder = "", id = "", cookie = ""] = process.argv.slice(2);
const engine = await openEngine(folder);
const { visitor } = testServer({ keptStore: await postgresStore(engineDriver(engine)) });
const ann = visitor();
ann.cookie = cookie;
const next = await ann.askWhole(id, "And what about crypto specifically?");

interface Shown {
  readonly problems?: unknown;
  readonly messages: readonly {
    readonly role: string;
    readonly parts: readonly object[];
    readonly metadata?: { readonly state?: string };
  }[];
}
const { messages, problems = [] } = await ann.json<Shown>(
  "GET",
  `/api/conversations/${id}/messages`,
);
const labels = messages.flatMap(({ role, parts }, index) => {
  const round = role === "user" ? /round (\d+)\./.exec(JSON.stringify(parts))?.[1] : undefined;
  if (round === undefined) return [];
  const isAnswered = messages[index + 1]?.metadata?.state === "done";
  return [`asked ${round}`, ...(isAnswered ? [`answered ${round}`] : [])];
});
say(JSON.stringify({ labels, problems, end: next.at(-1)?.type }));
process.exit(0);

import type { Loaded, Stage } from "../children.ts";
import { call } from "../client.ts";
import { count, ms, pause, quantile, type Line, type Row } from "../row.ts";

const perSecond = 100;
const seconds = 10;

/** From many addresses with many names, so that limits by either don't help. */
async function flood(server: Loaded, statuses: Map<number, number>): Promise<void> {
  const sent: Promise<void>[] = [];
  for (let at = 0; at < perSecond * seconds; at++) {
    const body = JSON.stringify({ name: `nobody-${at}`, password: "wrong battery" });
    const from = `127.0.0.${2 + (at % 100)}`;
    const one = call({ ...server, cookie: "" }, { path: "/api/account/sign-in", body, from });
    sent.push(one.then(({ status }) => void statuses.set(status, (statuses.get(status) ?? 0) + 1)));
    await pause(1000 / perSecond);
  }
  await Promise.all(sent);
}

/**
 * 99 of 100 answers of another route arrived by then, requested ten times a second by ten users.
 */
async function measureOthers(server: Loaded): Promise<number> {
  const waits: number[] = [];
  const asked: Promise<void>[] = [];
  for (let at = 0; at < seconds * perSecond; at++) {
    const one = call(server, { method: "GET", path: "/api/conversations" });
    asked.push(one.then(({ wholeMs }) => void waits.push(wholeMs)));
    await pause(1000 / perSecond);
  }
  await Promise.all(asked);
  return quantile(waits, 0.99);
}

async function run(stage: Stage): Promise<readonly Line[]> {
  const upstream = (await stage.start({ kind: "upstream" })).port;
  const mull = await stage.start({ kind: "mull", upstream, hasRealPasswords: true });
  await measureOthers(mull);
  const alone = await measureOthers(mull);
  const statuses = new Map<number, number>();
  const flooding = flood(mull, statuses);
  const beside = await measureOthers(mull);
  await flooding;
  const { hashesAtOnce } = await mull.read();
  const answers = [...statuses].map(([status, times]) => `${count(times)} x ${status}`).join(", ");
  return [
    {
      measure: `other routes beside ${perSecond} sign-ins/s, p99`,
      mull: ms(beside),
      beside: `without them ${ms(alone)}`,
      ratio: (beside / alone).toFixed(2),
      target: "≤ 2 x",
      holds: beside / alone <= 2,
    },
    {
      measure: "password hashes at once",
      mull: `${hashesAtOnce} (${answers})`,
      beside: "",
      ratio: "",
      target: "≤ 2",
      holds: hashesAtOnce <= 2,
    },
  ];
}

export const signInFlood: Row = { name: "sign-ins", run };

import type { Loaded, Stage } from "../children.ts";
import { newConversation, open, repeat, streamOf, type Opened } from "../client.ts";
import { count, kilobytes, megabytes, ms, pause, type Line, type Row } from "../row.ts";
import { measureDelays } from "./paced.ts";

const readers = 10_000;
/** Each stream has its reader and a connection to the service: two open files. */
const turns = 5000;

/** One address doesn't have enough ports for all. */
const addressOf = (at: number): string => `127.0.0.${2 + (at % 8)}`;

interface Idle {
  readonly opened: number;
  readonly each: number;
  readonly resident: number;
}

async function openMany(
  server: Loaded,
  times: number,
  openOne: (from: string) => Promise<Opened>,
): Promise<Idle> {
  const before = await server.read({ collect: true });
  let opened = 0;
  await repeat(times, 100, async (at) => {
    const { response } = await openOne(addressOf(at));
    if (response.statusCode !== 200) return;
    opened++;
    response.resume();
  });
  await pause(2000);
  const after = await server.read({ collect: true });
  return {
    opened,
    each: (after.resident - before.resident) / opened,
    resident: after.resident,
  };
}

const openTurn = (server: Loaded) => (from: string) =>
  open(server, { ...streamOf(server, { kind: "silent" }, newConversation()), from });

async function run(stage: Stage): Promise<readonly Line[]> {
  const upstream = (await stage.start({ kind: "upstream" })).port;
  const bare = await stage.start({ kind: "bare" });
  const bareIdle = await openMany(bare, readers, openTurn(bare));
  await bare.kill();

  const mull = await stage.start({ kind: "mull", upstream });
  const conversation = newConversation();
  await open(mull, streamOf(mull, { kind: "silent" }, conversation));
  const path = `/api/chat/${conversation}/stream`;
  const idle = await openMany(mull, readers, (from) => open(mull, { method: "GET", path, from }));
  const active = await measureDelays(mull, readers / 100);
  await mull.kill();

  const busy = await stage.start({ kind: "mull", upstream });
  const whole = await openMany(busy, turns, openTurn(busy));
  await busy.read();
  const beside = `bare ${kilobytes(bareIdle.each)}`;
  return [
    {
      measure: `memory per open idle stream, ${count(readers)} of them`,
      mull: kilobytes(idle.each),
      beside,
      ratio: (idle.each / bareIdle.each).toFixed(2),
      target: "≤ 32 KB",
      holds: idle.each <= 32 * 1024,
    },
    {
      measure: `the same, each a turn of its own with its connection to the service, ${count(turns)}`,
      mull: kilobytes(whole.each),
      beside,
      ratio: (whole.each / bareIdle.each).toFixed(2),
      target: "",
    },
    {
      measure: `${count(readers)} open streams`,
      mull: `${count(idle.opened)} accepted, ${megabytes(idle.resident)} resident`,
      beside: `bare ${count(bareIdle.opened)}, ${megabytes(bareIdle.resident)}`,
      ratio: (idle.resident / bareIdle.resident).toFixed(2),
      target: "all, ≤ 400 MB",
      holds: idle.opened === readers && idle.resident <= 400 * 1024 * 1024,
    },
    {
      measure: `${readers / 100} active beside them`,
      mull: `p50 ${ms(active.p50)}, p99 ${ms(active.p99)}, ${active.lost} lost`,
      beside: "",
      ratio: "",
      target: "0 lost, p50 ≤ 5 ms, p99 ≤ 50 ms",
      holds: active.lost === 0 && active.p50 <= 5 && active.p99 <= 50,
    },
  ];
}

export const idle: Row = { name: "idle", run };

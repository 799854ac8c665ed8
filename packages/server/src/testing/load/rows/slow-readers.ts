import type { Loaded, Stage } from "../children.ts";
import { ask, call, newConversation, open, repeat, streamOf, type Opened } from "../client.ts";
import { kilobytes, ms, pause, quantile, type Line, type Row } from "../row.ts";

const slow = 200;
const normal = 50;
const turns = 1000;
/** More than the socket buffers at both ends hold. */
const characters = 12_000_000;

/** 99 of 100 turns of normal readers were complete by then. */
async function measureNormal(server: Loaded): Promise<number> {
  const waits: number[] = [];
  await repeat(turns, normal, async () => {
    waits.push((await ask(server, { kind: "burst", events: 500 })).wholeMs);
  });
  return quantile(waits, 0.99);
}

/** First, fill the sockets' buffers. */
async function untilQuiet(server: Loaded): Promise<void> {
  for (let ran = Infinity; ran > 20e6;) {
    const before = await server.read();
    await pause(500);
    ran = (await server.read()).mainThread - before.mainThread;
  }
}

async function run(stage: Stage): Promise<readonly Line[]> {
  const upstream = (await stage.start({ kind: "upstream" })).port;
  const mull = await stage.start({ kind: "mull", upstream });
  const conversation = newConversation();
  const large = streamOf(mull, { kind: "large", characters }, conversation);
  const whole = await call(mull, large);
  await measureNormal(mull);
  // Collect garbage both times: right after that, the young generation is small.
  await mull.read({ collect: true });
  const alone = await measureNormal(mull);

  const path = `/api/chat/${conversation}/stream?after=0`;
  const first = await call(mull, { method: "GET", path });
  const before = await mull.read({ collect: true });
  const held: Opened[] = [];
  await repeat(slow, 20, async () => {
    const opened = await open(mull, { method: "GET", path });
    opened.response.pause();
    held.push(opened);
  });
  await untilQuiet(mull);
  const after = await mull.read({ collect: true });
  const beside = await measureNormal(mull);
  for (const { close } of held) close();
  await mull.read();
  const each = Math.max(0, after.held - before.held) / slow;
  const isWhole = whole.text.endsWith("data: [DONE]\n\n") && first.text.endsWith("[DONE]\n\n");
  return [
    {
      measure: `${normal} readers beside ${slow} that do not read, p99 of a turn`,
      mull: ms(beside),
      beside: `without them ${ms(alone)}`,
      ratio: (beside / alone).toFixed(2),
      target: "≤ 2 x",
      holds: isWhole && beside / alone <= 2,
    },
    {
      measure: "memory per reader that does not read",
      mull: kilobytes(each),
      beside: "",
      ratio: "",
      target: "≤ 1,024 KB",
      holds: each <= 1024 * 1024,
    },
  ];
}

export const slowReaders: Row = { name: "slow-readers", run };

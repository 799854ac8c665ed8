import type { Loaded, Stage } from "../children.ts";
import { call, newConversation, open, repeat, streamOf } from "../client.ts";
import { dataFolder } from "../data-folder.ts";
import { count, median, ms, pause, type Line, type Row } from "../row.ts";

const rounds = 3;
const askers = 20;
const loadMs = 3000;

interface Acknowledged {
  readonly conversation: string;
  isWhole: boolean;
}

/** Asks until the server is gone, and notes what it acknowledged. */
async function askUntilKilled(server: Loaded, noted: Acknowledged[]): Promise<void> {
  const askOnce = async (): Promise<void> => {
    const conversation = newConversation();
    const request = streamOf(server, { kind: "burst", events: 100 }, conversation);
    const { response } = await open(server, request);
    if (response.statusCode !== 200) return;
    const entry: Acknowledged = { conversation, isWhole: false };
    noted.push(entry);
    let text = "";
    response.setEncoding("utf8");
    for await (const piece of response as AsyncIterable<string>) text += piece;
    entry.isWhole = text.endsWith("data: [DONE]\n\n");
  };
  await repeat(askers, askers, async () => {
    try {
      for (;;) await askOnce();
    } catch {
      // It was killed; what was recorded until now counts.
    }
  });
}

interface Shown {
  readonly messages: readonly { readonly role: string; readonly parts: readonly unknown[] }[];
}

async function isKept(server: Loaded, { conversation, isWhole }: Acknowledged): Promise<boolean> {
  const path = `/api/conversations/${conversation}/messages`;
  const { status, text } = await call(server, { method: "GET", path });
  if (status !== 200) return false;
  const { messages } = JSON.parse(text) as Shown;
  const isAsked = messages.some(({ role }) => role === "user");
  const isAnswered = messages.some(({ role, parts }) => role === "assistant" && parts.length > 0);
  return isAsked && (!isWhole || isAnswered);
}

async function run(stage: Stage): Promise<readonly Line[]> {
  const upstream = (await stage.start({ kind: "upstream" })).port;
  const data = await dataFolder();
  const startMs: number[] = [];
  const bareMs: number[] = [];
  let acknowledged = 0;
  let whole = 0;
  let lost = 0;
  let server = await stage.start({ kind: "mull", upstream, data });
  for (let round = 0; round < rounds; round++) {
    const noted: Acknowledged[] = [];
    const asking = askUntilKilled(server, noted);
    await pause(loadMs);
    await server.kill();
    await asking;
    const bareAt = performance.now();
    await (await stage.start({ kind: "bare" })).kill();
    const startedAt = performance.now();
    bareMs.push(startedAt - bareAt);
    server = await stage.start({ kind: "mull", upstream, data }, server.cookie);
    await call(server, { method: "GET", path: "/api/account" });
    startMs.push(performance.now() - startedAt);
    acknowledged += noted.length;
    whole += noted.filter((entry) => entry.isWhole).length;
    for (const entry of noted) if (!(await isKept(server, entry))) lost++;
  }
  return [
    {
      measure: `kill -9 under load, ${rounds} times: serving again`,
      mull: ms(Math.max(...startMs)),
      beside: `median ${ms(median(startMs))}; an empty process ${ms(median(bareMs))}`,
      ratio: "",
      target: "≤ 5,000 ms",
      holds: Math.max(...startMs) <= 5000,
    },
    {
      measure: "acknowledged and lost",
      mull: `${lost} of ${count(acknowledged)} questions, ${count(whole)} whole answers`,
      beside: "",
      ratio: "",
      target: "0",
      holds: lost === 0,
    },
  ];
}

export const kill: Row = { name: "kill", run };

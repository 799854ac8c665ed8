import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { memoryStore } from "@mull/store";
import { chatServer, listen } from "@mull/server";

/**
 * What a streamed turn of 500 events costs the main thread, beside a bare `node:http` server that
 * sends the very same bytes, a write per network chunk of the service at the same pace, and one that
 * writes every event by itself: `node --import tsx packages/server/src/testing/load.ts [turns] [at once] [ms between network chunks]`
 */
const events = 500;
const networkChunk = 1400;
const rounds = 5;

type Kind = "mull" | "same bytes" | "write per event";

const word = (at: number): string =>
  [" the", " model", " weighs", ' "both"', " sides,", " — slowly", " 3.14", "\n\n"].at(at % 8)!;

const frame = (data: object & { readonly type: string }): string =>
  `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;

/** The service's answer: half thinking, half text. */
function answerBytes(): Uint8Array {
  const half = events / 2;
  const deltas = (index: number, of: (text: string) => object): string =>
    Array.from({ length: half }, (_, at) =>
      frame({ type: "content_block_delta", index, delta: of(word(at)) } as never),
    ).join("");
  const block = (index: number, opened: object, inner: string): string =>
    frame({ type: "content_block_start", index, content_block: opened } as never) +
    inner +
    frame({ type: "content_block_stop", index } as never);
  const usage = { input_tokens: 25, output_tokens: 1 };
  const message = { id: "msg_load", type: "message", role: "assistant", model: "m", content: [] };
  const text = [
    frame({ type: "message_start", message: { ...message, usage } } as never),
    block(
      0,
      { type: "thinking", thinking: "", signature: "" },
      deltas(0, (thinking) => ({ type: "thinking_delta", thinking })) +
        frame({
          type: "content_block_delta",
          index: 0,
          delta: { type: "signature_delta", signature: "RXFRQkNrWUlDeEFD" },
        } as never),
    ),
    block(
      1,
      { type: "text", text: "" },
      deltas(1, (said) => ({ type: "text_delta", text: said })),
    ),
    frame({
      type: "message_delta",
      delta: { stop_reason: "end_turn", stop_sequence: null },
      usage: { output_tokens: events },
    } as never),
    frame({ type: "message_stop" }),
  ].join("");
  return new TextEncoder().encode(text);
}

/** Later, in a round of the event loop of its own. */
const later = (paceMs: number, go: () => void): void => {
  if (paceMs > 0) setTimeout(go, paceMs);
  else setImmediate(go);
};

const upstream = (bytes: Uint8Array, paceMs: number) => (): Promise<Response> => {
  let at = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      pull: (controller) =>
        new Promise((resolve) => {
          later(paceMs, () => {
            if (at >= bytes.length) controller.close();
            else controller.enqueue(bytes.slice(at, (at += networkChunk)));
            resolve();
          });
        }),
    },
    { highWaterMark: 0 },
  );
  return Promise.resolve(new Response(body, { headers: { "content-type": "text/event-stream" } }));
};

async function startMull(paceMs: number): Promise<number> {
  const fetch = upstream(answerBytes(), paceMs);
  const many = 1e9;
  const app = chatServer({
    store: memoryStore(),
    upstream: () => ({ fetch, env: {}, apiKey: "load", isSimulated: false }),
    model: "claude-opus-5-5",
    passwordCost: { log2N: 8, r: 8, p: 1 },
    limits: {
      requestsPerSecond: many,
      requestBurst: many,
      turnsPerUser: many,
      tokensPerDay: 0,
      dollarsPerDay: 0,
    },
  });
  return (await listen(app, { port: 0 })).port;
}

async function startBare(writes: readonly string[], paceMs: number): Promise<number> {
  const server = createServer((message, response) => {
    message.resume().once("end", () => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      let at = 0;
      const go = (): void => {
        if (at === writes.length) response.end();
        else {
          response.write(writes.at(at++)!);
          later(paceMs, go);
        }
      };
      go();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

/** Nanoseconds the main thread of this process has run; all threads' where the system cannot say. */
function mainThreadTime(): number {
  try {
    return Number(
      readFileSync(`/proc/self/task/${process.pid}/schedstat`, "utf8").split(" ", 1)[0],
    );
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) * 1000;
  }
}

interface Start {
  readonly start: Kind;
  readonly writes: readonly string[];
  readonly paceMs: number;
}

async function serveChild(send: (value: unknown) => void): Promise<void> {
  process.on("message", ({ start: kind, writes = [], paceMs = 0 }: Partial<Start>) => {
    if (kind === undefined) send({ time: mainThreadTime() });
    else {
      // An event of the second server is a fraction of a network chunk.
      const eachMs = kind === "write per event" ? 0 : paceMs;
      const port = kind === "mull" ? startMull(eachMs) : startBare(writes, eachMs);
      void port.then((bound) => send({ port: bound }));
    }
  });
}

interface Loaded {
  readonly kind: Kind;
  readonly child: ChildProcess;
  readonly port: number;
  readonly cookie: string;
}

async function askChild<T>(child: ChildProcess, message: object): Promise<T> {
  child.send(message);
  const [answer] = (await once(child, "message")) as [T];
  return answer;
}

async function start(kind: Kind, paceMs: number, writes: readonly string[] = []): Promise<Loaded> {
  const child = fork(fileURLToPath(import.meta.url), ["child"]);
  const { port } = await askChild<{ readonly port: number }>(child, {
    start: kind,
    writes,
    paceMs,
  });
  let cookie = "";
  if (kind === "mull") {
    const body = { name: "load", password: "correct horse" };
    const made = await post(port, "/api/account/sign-up", body, "");
    cookie = made.cookie;
  }
  return { kind, child, port, cookie };
}

interface Answer {
  readonly cookie: string;
  readonly pieces: readonly string[];
}

const post = (port: number, path: string, body: object, cookie: string): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const headers = {
      "content-type": "application/json",
      origin: `http://127.0.0.1:${port}`,
      ...(cookie !== "" && { cookie }),
    };
    const sent = request({ port, host: "127.0.0.1", path, method: "POST", headers }, (response) => {
      const pieces: string[] = [];
      response.setEncoding("utf8");
      response.on("data", (piece: string) => pieces.push(piece));
      response.on("end", () => {
        if (response.statusCode === 200 || response.statusCode === 201) {
          const set = response.headers["set-cookie"]?.[0]?.split(";")[0];
          resolve({ cookie: set ?? "", pieces });
        } else reject(new Error(`${response.statusCode} ${pieces.join("")}`));
      });
    });
    sent.on("error", reject);
    sent.end(JSON.stringify(body));
  });

let asked = 0;

const askOnce = ({ port, cookie }: Loaded): Promise<Answer> =>
  post(
    port,
    "/api/chat",
    {
      id: `load-${asked++}`,
      messages: [{ id: "q", role: "user", parts: [{ type: "text", text: "Hi." }] }],
      trigger: "submit-message",
    },
    cookie,
  );

/** Microseconds of the server's main thread per turn. */
async function measure(server: Loaded, turns: number, atOnce: number): Promise<number> {
  const before = await askChild<{ readonly time: number }>(server.child, {});
  let left = turns;
  const work = async (): Promise<void> => {
    while (left-- > 0) await askOnce(server);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  const after = await askChild<{ readonly time: number }>(server.child, {});
  return (after.time - before.time) / turns / 1000;
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1]!;

/** The stream of a turn as a server that puts nothing together would write it. */
const perEvent = (): readonly string[] =>
  Array.from({ length: events }, (_, at) => {
    const type = at * 2 < events ? "reasoning-delta" : "text-delta";
    return `data: ${JSON.stringify({ type, id: "0-0", delta: word(at) })}\n\n`;
  });

async function main(turns: number, atOnce: number, paceMs: number): Promise<void> {
  const mull = await start("mull", paceMs);
  const said = (await askOnce(mull)).pieces.join("");
  const chunks = Math.ceil(answerBytes().length / networkChunk);
  const size = Math.ceil(said.length / chunks);
  const pieces = Array.from({ length: chunks }, (_, at) => said.slice(at * size, (at + 1) * size));
  const servers = [
    await start("same bytes", paceMs, pieces),
    await start("write per event", paceMs, perEvent()),
    mull,
  ];
  for (const server of servers) await measure(server, turns, atOnce);
  const times = servers.map((): number[] => []);
  for (let round = 0; round < rounds; round++) {
    for (const [at, server] of servers.entries()) {
      times.at(at)!.push(await measure(server, turns, atOnce));
    }
  }
  console.log(
    `${events} events, ${Buffer.byteLength(said)} bytes for ${chunks} network chunks; ${rounds} x ${turns} turns, ${atOnce} at once, a network chunk every ${paceMs} ms`,
  );
  const own = median(times.at(-1)!);
  for (const [at, { kind, child }] of servers.entries()) {
    const each = median(times.at(at)!);
    const all = times.at(at)!.map(Math.round).join(" ");
    console.log(
      `${kind.padEnd(16)} ${each.toFixed(0).padStart(6)} µs a turn; mull takes ${(own / each).toFixed(2)} x (${all})`,
    );
    child.kill();
  }
}

if (process.argv[2] === "child") await serveChild((value) => process.send?.(value));
else {
  const [turns = 200, atOnce = 20, paceMs = 5] = process.argv.slice(2).map(Number);
  await main(turns, atOnce, paceMs);
}

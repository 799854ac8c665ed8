import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startStreams } from "../start-streams.ts";
import { ask, type Target } from "./client.ts";
import { bodies } from "./bodies.ts";

/** A way from the client to the service. */
export interface Contestant extends Target {
  readonly name: string;
  /** CPU time of its process so far, in milliseconds. */
  readonly cpu: () => Promise<number>;
  /** It is asked once in this many turns, so that a slow one does not take all of the time. */
  readonly every: number;
}

/** A service and the gateways in front of it, each in a process of its own. */
export interface Stage {
  readonly contestants: readonly Contestant[];
  readonly clear: () => Promise<void>;
}

const fileAt = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const meter = new URL("meter.mjs", import.meta.url).href;
const relay = fileAt("relay.mjs");
const relayOnFetch = fileAt("relay-fetch.mjs");
const command = fileAt("../../packages/cli/dist/main.js");
const portkey = fileAt("../peers/node_modules/@portkey-ai/gateway/build/start-server.js");

/** Whether `npm run bench:peers` has installed it. */
export const hasPortkey = (): boolean => existsSync(portkey);

/** A gateway that runs. */
export interface Started {
  readonly child: ChildProcess;
  readonly url: string;
}

/** Starts a gateway and waits for its address: printed by the gateway, or known in advance. */
async function start(
  file: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Started> {
  const child = fork(file, args, {
    execArgv: ["--import", meter],
    env: { PATH: process.env["PATH"], NODE_ENV: "production", ...env },
    stdio: ["ignore", "pipe", "ignore", "ipc"],
  });
  const url = await new Promise<string>((resolve, reject) => {
    let said = "";
    child.stdout!.on("data", (chunk: Buffer) => {
      said += String(chunk);
      const found = /http:\/\/[\w.]+:\d+/.exec(said)?.[0];
      if (found !== undefined) resolve(found.replace("localhost", "127.0.0.1"));
    });
    child.once("exit", () => reject(new Error(`${file} ended before it had an address: ${said}`)));
  });
  return { child, url };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

async function cpuOf(child: ChildProcess): Promise<number> {
  child.send("cpu");
  const [milliseconds] = (await once(child, "message")) as [number];
  return milliseconds;
}

/** Opens a stage whose service answers with this many deltas of thinking and as many of text. */
export async function openStage(deltas: number, size?: "event"): Promise<Stage> {
  const home = await mkdtemp(join(tmpdir(), "mull-bench-"));
  const children: ChildProcess[] = [];
  const clear = async (): Promise<void> => {
    for (const child of children) {
      child.kill("SIGKILL");
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    }
    await rm(home, { recursive: true, force: true });
  };
  try {
    const { child: service, origin } = await startStreams(deltas, size);
    children.push(service);
    const add = async (
      name: string,
      starting: Promise<Started>,
      more: Partial<Pick<Contestant, "headers" | "every">> = {},
    ): Promise<Contestant> => {
      const { child, url } = await starting;
      children.push(child);
      return { name, url, headers: {}, every: 1, ...more, cpu: () => cpuOf(child) };
    };
    const claude = `${origin}/anthropic-messages`;
    const ours = (...args: readonly string[]): Promise<Started> => startOurs(origin, home, args);
    const contestants: Contestant[] = [
      { name: "direct", url: claude, headers: {}, every: 1, cpu: () => Promise.resolve(0) },
      await add("relay", start(relay, [claude], {})),
      await add("relay on fetch", start(relayOnFetch, [claude], {})),
      await add("mull, passing through", ours()),
      await add("mull, translating", ours("--model", "gpt-6-sol/high")),
    ];
    if (hasPortkey()) contestants.push(await add("Portkey", startPortkey(), portkeyPart(claude)));
    await checkLanes(contestants);
    return { contestants, clear };
  } catch (error) {
    await clear();
    throw error;
  }
}

/** Starts `mull gateway` before the service at `origin`, with these options. */
export const startOurs = (
  origin: string,
  home: string,
  options: readonly string[],
): Promise<Started> =>
  start(command, ["gateway", "--port", "0", ...options], {
    HOME: home,
    MULL_GATEWAY_SECRET: "a secret of this benchmark, and no other",
    ANTHROPIC_API_KEY: "sk-ant-bench",
    ANTHROPIC_BASE_URL: `${origin}/anthropic-messages`,
    OPENAI_API_KEY: "sk-bench",
    OPENAI_BASE_URL: `${origin}/openai-responses/v1`,
  });

const startPortkey = async (): Promise<Started> =>
  start(portkey, ["--headless", `--port=${await freePort()}`], {});

const portkeyPart = (claude: string): Pick<Contestant, "headers" | "every"> => ({
  headers: { "x-portkey-provider": "anthropic", "x-portkey-custom-host": `${claude}/v1` },
  every: 10,
});

/** Ours must do what they are measured for, and repair nothing on the way. */
async function checkLanes(contestants: readonly Contestant[]): Promise<void> {
  for (const contestant of contestants) {
    for (const body of Object.values(bodies)) {
      const { headers } = await ask(contestant, body);
      const receipt = String(headers["x-mull-receipt"] ?? "{}");
      const { lane, repairs } = JSON.parse(receipt) as { lane?: string; repairs?: unknown };
      const expected = contestant.name.includes("passing") ? "pass" : "translate";
      const isFine = !contestant.name.startsWith("mull") || lane === expected;
      if (!isFine || repairs !== undefined) throw new Error(`${contestant.name}: ${receipt}`);
    }
  }
}

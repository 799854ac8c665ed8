import { spawn } from "node:child_process";
import { join } from "node:path";

export interface ChildServer {
  readonly url: string;
  readonly pid: number;
  readonly kill: () => Promise<void>;
  readonly terminate: () => Promise<number | null>;
  /** Its exit code; `null` when it was killed. */
  readonly ended: Promise<number | null>;
  readonly said: () => string;
  /** From here on, its output isn't read. */
  readonly turnAway: () => void;
}

const running = new Set<() => Promise<void>>();

export const killServers = async (): Promise<void> => {
  await Promise.all([...running].map((kill) => kill()));
};

/** The program's parts, to be bundled if it is started often. */
export const serverSources = {
  main: "packages/server/src/main.ts",
  worker: "packages/store/src/pglite/worker.ts",
} as const;

const fromSource = ["--import", "tsx", "--conditions=@mull/source"];

/** The real program in a process of its own; rejects with its output if it exits early. */
export function startServer(
  env: Readonly<Record<string, string>>,
  bundle?: string,
): Promise<ChildServer> {
  const program =
    bundle === undefined ? [...fromSource, join(import.meta.dirname, "../main.ts")] : [bundle];
  const child = spawn(process.execPath, program, {
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: process.env["PATH"], PORT: "0", MULL_LOG: "off", MULL_PACE: "2", ...env },
  });
  const ended = new Promise<number | null>((resolve) => {
    child.on("close", (code) => resolve(code));
  });
  const kill = async (): Promise<void> => {
    child.kill("SIGKILL");
    await ended;
  };
  running.add(kill);
  void ended.then(() => running.delete(kill));
  return new Promise((resolve, reject) => {
    let said = "";
    let isUp = false;
    const take = (bytes: Buffer): void => {
      said += bytes.toString();
      if (isUp) return;
      const url = /mull is at (\S+)/.exec(said)?.[1];
      if (url === undefined) return;
      isUp = true;
      resolve({
        url,
        pid: child.pid ?? 0,
        kill,
        ended,
        said: () => said,
        turnAway: () => {
          child.stdout.destroy();
          child.stderr.destroy();
        },
        terminate: () => {
          child.kill("SIGTERM");
          return ended;
        },
      });
    };
    child.stdout.on("data", take);
    child.stderr.on("data", take);
    void ended.then(() => reject(new Error(said)));
  });
}

/** Waits until the store behind it is open; rejects if the process ends first. */
export async function untilReady(url: string): Promise<void> {
  for (;;) {
    const response = await fetch(`${url}/ready`);
    if (response.ok) return;
    await response.body?.cancel();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

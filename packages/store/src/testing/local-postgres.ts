import { execFile, type ExecFileOptions } from "node:child_process";
import { randomInt } from "node:crypto";
import { chown, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/** A Postgres server for one test run. */
export interface LocalPostgres {
  readonly url: string;
  /** Holds its `data`. */
  readonly folder: string;
  readonly start: () => Promise<void>;
  /** `immediate` is a crash: nothing is flushed. */
  readonly stop: (mode?: "fast" | "immediate") => Promise<void>;
  /** Kills the server and every process of it with SIGKILL. */
  readonly kill: () => Promise<void>;
  /** Stops it and removes its data. */
  readonly remove: () => Promise<void>;
}

const run = promisify(execFile);
const installRoot = "/usr/lib/postgresql";

/** Starts the machine's Postgres on a free port; `undefined` if there is none. */
export async function startPostgres(
  settings: readonly string[] = [],
): Promise<LocalPostgres | undefined> {
  const bin = await findBin();
  const account = await findAccount();
  if (bin === undefined || account === "none") return undefined;
  const folder = await mkdtemp(join(tmpdir(), "mull-pg-"));
  if (account !== "self") await chown(folder, account.uid, account.gid);
  const data = join(folder, "data");
  const port = await freePort();
  const as: ExecFileOptions = {
    cwd: folder,
    ...(account !== "self" && { uid: account.uid, gid: account.gid }),
  };
  const flags = ["-U", "mull", "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C"];
  await run(join(bin, "initdb"), ["-D", data, ...flags], as);
  const options = [
    // No socket in the file system: its path may be too long.
    `-p ${port} -k '' -c listen_addresses=127.0.0.1`,
    ...settings.map((setting) => `-c ${setting}`),
  ].join(" ");
  const control = async (...args: readonly string[]): Promise<void> => {
    await run(join(bin, "pg_ctl"), ["-D", data, "-w", "-t", "30", ...args], as);
  };
  const start = (): Promise<void> =>
    patiently(() => control("-l", join(folder, "log"), "-o", options, "start"));
  const stop = (mode: "fast" | "immediate" = "fast"): Promise<void> => control("-m", mode, "stop");
  await start();
  return {
    url: `postgres://mull@127.0.0.1:${port}/postgres`,
    folder,
    start,
    stop,
    kill: () => killTree(data),
    remove: async () => {
      await stop("immediate").catch(() => undefined);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function findBin(): Promise<string | undefined> {
  const versions = await readdir(installRoot).catch(() => []);
  const newest = versions.toSorted((a, b) => Number(b) - Number(a))[0];
  return newest === undefined ? undefined : join(installRoot, newest, "bin");
}

/** Postgres refuses to run as root; in that case it runs as the account its package made. */
export async function findAccount(): Promise<
  "self" | "none" | { readonly uid: number; readonly gid: number }
> {
  if (process.getuid?.() !== 0) return "self";
  const users = await readFile("/etc/passwd", "utf8").catch(() => "");
  const fields = users
    .split("\n")
    .find((line) => line.startsWith("postgres:"))
    ?.split(":");
  return fields === undefined ? "none" : { uid: Number(fields[2]), gid: Number(fields[3]) };
}

/** After a kill, the shared memory is in use until the last process is gone. */
async function patiently(start: () => Promise<void>): Promise<void> {
  for (let patience = 20; ; patience--) {
    try {
      return await start();
    } catch (error) {
      if (patience === 0) throw error;
      await new Promise((done) => setTimeout(done, 250));
    }
  }
}

/** Stop it first, so that it can't start children or tidy up after one that died. */
async function killTree(data: string): Promise<void> {
  const pid = Number((await readFile(join(data, "postmaster.pid"), "utf8")).split("\n")[0]);
  process.kill(pid, "SIGSTOP");
  const { stdout } = await run("ps", ["-o", "pid=", "--ppid", String(pid)]).catch(() => ({
    stdout: "",
  }));
  const family = [
    pid,
    ...stdout
      .split("\n")
      .map(Number)
      .filter((child) => child > 0),
  ];
  for (const signal of ["SIGSTOP", "SIGKILL"] as const) {
    for (const member of family) {
      try {
        process.kill(member, signal);
      } catch {
        // Already gone.
      }
    }
  }
  await rm(join(data, "postmaster.pid"), { force: true });
}

/**
 * A free port for a server that is stopped and started again on it. Don't let the system choose: it
 * gives the same ports to others, to either end of a connection, before this server has started and
 * while it is stopped.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 32_000);
    if (await isFree(port)) return port;
  }
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((done) => {
    const server = createServer().once("error", () => done(false));
    server.listen(port, "127.0.0.1", () => server.close(() => done(true)));
  });

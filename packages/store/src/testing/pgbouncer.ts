import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, chown, mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { findAccount, freePort } from "./local-postgres.ts";

const program = "/usr/sbin/pgbouncer";

/** A pooler in front of a database. */
export interface LocalPgBouncer {
  readonly url: string;
  readonly remove: () => Promise<void>;
}

/**
 * Starts the machine's PgBouncer in transaction mode, as its package sets it up; `undefined` if
 * there is none.
 */
export async function startPgBouncer(
  target: string,
  poolSize = 5,
): Promise<LocalPgBouncer | undefined> {
  const account = await findAccount();
  if (!existsSync(program) || account === "none") return undefined;
  const folder = await mkdtemp(join(tmpdir(), "mull-pgbouncer-"));
  const port = await freePort();
  const { port: targetPort } = new URL(target);
  const settings = join(folder, "pgbouncer.ini");
  await writeFile(
    settings,
    `[databases]
postgres = host=127.0.0.1 port=${targetPort} user=mull
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${poolSize}
`,
  );
  await chmod(folder, 0o755);
  if (account !== "self") await chown(settings, account.uid, account.gid);
  const child = spawn(program, [settings], {
    stdio: "ignore",
    ...(account !== "self" && { uid: account.uid, gid: account.gid }),
  });
  const ended = once(child, "exit");
  const remove = async (): Promise<void> => {
    child.kill("SIGKILL");
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  if (!(await isListening(port))) {
    await remove();
    throw new Error("PgBouncer does not listen.");
  }
  return { url: target.replace(/:\d+\//, `:${port}/`), remove };
}

async function isListening(port: number): Promise<boolean> {
  for (let patience = 100; patience > 0; patience--) {
    const socket = connect(port, "127.0.0.1");
    const [outcome] = await Promise.race([
      once(socket, "connect").then(() => ["there"]),
      once(socket, "error").then(() => ["away"]),
    ]).catch(() => ["away"]);
    socket.destroy();
    if (outcome === "there") return true;
    await sleep(50);
  }
  return false;
}

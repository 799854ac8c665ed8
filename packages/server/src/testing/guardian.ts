import { spawn } from "node:child_process";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * Ends the processes that a program started, however the program ends: even a kill -9 closes its
 * pipe.
 */
export interface Guardian {
  /** The current process under a name; its predecessor is gone. */
  readonly watch: (name: string, pid: number) => Promise<void>;
  readonly forget: (name: string) => Promise<void>;
  /** All processes were ended. */
  readonly dismiss: () => void;
}

/**
 * Reads until the pipe is closed. Process ids come with their files, or an id that the system has
 * reused would be killed.
 */
const script = `cat >/dev/null
for file in "$0"/pids/* "$1"/data/postmaster.pid; do
  [ -f "$file" ] && kill -9 "$(head -n 1 "$file")"
done
rm -rf "$0" "$1"`;

/** `folder` and the Postgres folder are removed with everything else. */
export async function startGuardian(folder: string, postgresFolder: string): Promise<Guardian> {
  const pids = join(folder, "pids");
  await mkdir(pids);
  const guardian = spawn("/bin/sh", ["-c", script, folder, postgresFolder], {
    stdio: ["pipe", "ignore", "ignore"],
    // Ctrl-C is for the program, which may need it.
    detached: true,
  });
  guardian.unref();
  return {
    watch: (name, pid) => writeFile(join(pids, name), String(pid)),
    forget: (name) => rm(join(pids, name), { force: true }),
    dismiss: () => guardian.stdin.end(),
  };
}

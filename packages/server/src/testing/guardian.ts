import { spawn } from "node:child_process";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Ends what a program started, however that program ends: even a kill -9 closes the pipe to it. */
export interface Guardian {
  /** The process that goes by a name now; its predecessor is gone. */
  readonly watch: (name: string, pid: number) => Promise<void>;
  readonly forget: (name: string) => Promise<void>;
  /** Everything was ended. */
  readonly dismiss: () => void;
}

/** Reads until the pipe is closed. Process ids are files, or one that the system gave anew would be killed. */
const script = `cat >/dev/null
for file in "$0"/pids/* "$1"/data/postmaster.pid; do
  [ -f "$file" ] && kill -9 "$(head -n 1 "$file")"
done
rm -rf "$0" "$1"`;

/** `folder` and that of the Postgres are removed with everything else. */
export async function startGuardian(folder: string, postgresFolder: string): Promise<Guardian> {
  const pids = join(folder, "pids");
  await mkdir(pids);
  const guardian = spawn("/bin/sh", ["-c", script, folder, postgresFolder], {
    stdio: ["pipe", "ignore", "ignore"],
    // A Ctrl-C is for the program, which may need it.
    detached: true,
  });
  guardian.unref();
  return {
    watch: (name, pid) => writeFile(join(pids, name), String(pid)),
    forget: (name) => rm(join(pids, name), { force: true }),
    dismiss: () => guardian.stdin.end(),
  };
}

import { createHash, randomBytes } from "node:crypto";
import { mkdir, readdir, realpath, rename, rmdir, unlink } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { hasCode, storeError } from "../store-error.ts";
import { askHolder } from "./ask-holder.ts";

/** The right to be the only process that uses something. Ends with `release` or with the process. */
export interface Hold {
  readonly release: () => Promise<void>;
}

interface Claim {
  readonly server: Server;
  readonly path: string;
  holding: boolean;
}

/** `sun_path` has 104 bytes on macOS, 108 on Linux; a claim's own name takes up to 24. */
const longestFolder = 78;
const patienceMs = 1500;

/**
 * Holds `resource` (a file or folder that need not exist yet) for this process, or fails naming
 * the process that has it. Every claimant first shows a listening socket of its own and only then
 * looks at the others, so two can never both see themselves alone. A socket that refuses
 * connections belongs to a process that is gone; age is never a reason, because a busy process
 * looks just as silent as a dead one.
 */
export async function hold(resource: string): Promise<Hold> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const folder = await lockFolder(resource);
    const claim = await makeClaim(folder);
    const rival = await findRival(folder, claim.path);
    if (rival === undefined) {
      claim.holding = true;
      return { release: () => withdraw(claim) };
    }
    await withdraw(claim);
    if (rival.holding || performance.now() > deadline) {
      throw storeError(
        "held",
        `${resource} is in use by process ${rival.pid}. Close it there, or choose another place.`,
      );
    }
    await pause(5 + Math.random() * 45);
  }
}

async function makeClaim(folder: string): Promise<Claim> {
  const token = randomBytes(4).toString("hex");
  const draft = join(folder, `new-${token}`);
  for (;;) {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const claim: Claim = {
      server: createServer((socket) => {
        socket.on("error", () => socket.destroy());
        socket.end(`${process.pid} ${claim.holding ? "holds" : "waits"}\n`);
      }),
      path: join(folder, `${process.pid}-${token}`),
      holding: false,
    };
    try {
      await listen(claim.server, draft);
      // Shown only once it listens: a shown socket that refuses is dead for good.
      await rename(draft, claim.path);
      claim.server.unref();
      return claim;
    } catch (error) {
      claim.server.close();
      // Another claimant tidied the empty folder away in between.
      if (!hasCode(error, "ENOENT") && !hasCode(error, "EACCES")) throw error;
      if (hasCode(error, "EACCES")) throw notWritable(folder, error);
    }
  }
}

interface Rival {
  readonly pid: string;
  readonly holding: boolean;
}

async function findRival(folder: string, own: string): Promise<Rival | undefined> {
  let waiting: Rival | undefined;
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    if (path === own || name.startsWith("new-")) continue;
    const answer = await askHolder(path);
    if (answer === "gone") await unlink(path).catch(() => undefined);
    else if (answer === "waits") waiting = { pid: pidIn(name), holding: false };
    else return { pid: pidIn(name), holding: true };
  }
  return waiting;
}

const pidIn = (name: string): string => name.split("-")[0] ?? "?";

async function withdraw(claim: Claim): Promise<void> {
  await unlink(claim.path).catch(() => undefined);
  await rmdir(dirname(claim.path)).catch(() => undefined);
  await new Promise((done) => claim.server.close(done));
}

async function lockFolder(resource: string): Promise<string> {
  await mkdir(dirname(resource), { recursive: true, mode: 0o700 });
  const real = join(await realpath(dirname(resource)), basename(resource));
  const beside = `${real}.lock`;
  if (Buffer.byteLength(beside) <= longestFolder) return beside;
  const hash = createHash("sha256").update(real).digest("hex").slice(0, 16);
  return join(tmpdir(), `mull-${process.getuid?.() ?? 0}`, hash);
}

const listen = (server: Server, path: string): Promise<void> =>
  new Promise((done, fail) => {
    server.once("error", fail);
    server.listen(path, done);
  });

const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

const notWritable = (folder: string, cause: unknown): Error =>
  storeError("held", `${folder} is not writable, so it cannot be held for this process.`, cause);

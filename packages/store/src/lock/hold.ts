import { setTimeout as sleep } from "node:timers/promises";
import { createHash, randomBytes } from "node:crypto";
import { readdir, realpath, rename, rmdir, unlink } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { makeFolder } from "../make-folder.ts";
import { hasCode, isNoRoom, storeError } from "../store-error.ts";
import { askHolder } from "./ask-holder.ts";
import { isHeld, type Hold } from "./held.ts";
import { holdName } from "./hold-name.ts";

interface Claim {
  readonly server: Server;
  readonly path: string;
  holding: boolean;
}

/** `sun_path` has 104 bytes on macOS and 108 on Linux; the name of a claim takes up to 24. */
const longestFolder = 78;
const patienceMs = 1500;

/**
 * Holds `resource` (a file or folder that need not exist yet) for this process, or fails and names
 * the process that has it. Every claimant first shows a listening socket of its own and only then
 * looks at the others, so two can never both believe that they are alone. A socket that refuses
 * connections belongs to a dead process. Age is never a reason: a busy process looks as silent as a
 * dead one.
 */
export async function hold(resource: string): Promise<Hold> {
  if (process.platform === "win32") {
    return holdName(`\\\\.\\pipe\\mull-${hashOf(await realPlace(resource))}`, resource);
  }
  const deadline = performance.now() + patienceMs;
  const folder = await lockFolder(resource);
  let claim = await makeClaim(folder);
  for (;;) {
    const rival = await findRival(folder, claim.path);
    if (rival === undefined) {
      claim.holding = true;
      return { release: () => withdraw(claim) };
    }
    // Among those who wait, the first by name stays and the others step back until they have waited
    // long enough. If the first gave up too, the resource might stay free with claimants waiting.
    const isFirst = claim.path < rival.path;
    if (rival.holding || (!isFirst && performance.now() > deadline)) {
      await withdraw(claim);
      throw isHeld(resource, pidIn(rival.path));
    }
    if (isFirst) await sleep(5);
    else {
      await withdraw(claim);
      await sleep(5 + Math.random() * 45);
      claim = await makeClaim(folder);
    }
  }
}

async function makeClaim(folder: string): Promise<Claim> {
  const token = randomBytes(4).toString("hex");
  const draft = join(folder, `new-${token}`);
  for (;;) {
    const claim: Claim = {
      server: createServer((socket) => {
        socket.on("error", () => socket.destroy());
        socket.end(`${process.pid} ${claim.holding ? "holds" : "waits"}\n`);
      }),
      path: join(folder, `${process.pid}-${token}`),
      holding: false,
    };
    try {
      await makeFolder(folder);
      await listen(claim.server, draft);
      // The socket is shown only once it listens: a visible socket that refuses is dead for good.
      await rename(draft, claim.path);
      claim.server.unref();
      return claim;
    } catch (error) {
      claim.server.close();
      // Another claimant removed the empty folder in between.
      if (hasCode(error, "ENOENT")) continue;
      await tidy(folder, draft);
      throw whyNot(folder, error);
    }
  }
}

interface Rival {
  readonly path: string;
  readonly holding: boolean;
}

/** The holder if there is one, else the first by name among those who wait. */
async function findRival(folder: string, own: string): Promise<Rival | undefined> {
  let first: Rival | undefined;
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    if (path === own || name.startsWith("new-")) continue;
    const answer = await askHolder(path);
    if (answer === "holds") return { path, holding: true };
    if (answer === "gone") await unlink(path).catch(() => undefined);
    else if (first === undefined || path < first.path) first = { path, holding: false };
  }
  return first;
}

const pidIn = (path: string): string => basename(path).split("-")[0] ?? "?";

async function withdraw(claim: Claim): Promise<void> {
  await tidy(dirname(claim.path), claim.path);
  await new Promise((done) => claim.server.close(done));
}

/** Removes a socket, and its folder if that is empty afterwards. */
async function tidy(folder: string, socket: string): Promise<void> {
  await unlink(socket).catch(() => undefined);
  await rmdir(folder).catch(() => undefined);
}

async function lockFolder(resource: string): Promise<string> {
  const real = await realPlace(resource);
  const beside = `${real}.lock`;
  if (fitsSocket(beside)) return beside;
  const short = join(`mull-${process.getuid?.() ?? 0}`, hashOf(real));
  const among = join(tmpdir(), short);
  return fitsSocket(among) ? among : join("/tmp", short);
}

const fitsSocket = (folder: string): boolean => Buffer.byteLength(folder) <= longestFolder;

/** The same path for every way to spell it, links included. */
async function realPlace(resource: string): Promise<string> {
  await makeFolder(dirname(resource));
  return join(await realpath(dirname(resource)), basename(resource));
}

const hashOf = (text: string): string =>
  createHash("sha256").update(text).digest("hex").slice(0, 16);

const listen = (server: Server, path: string): Promise<void> =>
  new Promise((done, fail) => {
    server.once("error", fail);
    server.listen(path, done);
  });

function whyNot(folder: string, cause: unknown): unknown {
  if (isNoRoom(cause)) return storeError("full", `No room on the disk for ${folder}.`, cause);
  if (!hasCode(cause, "EACCES")) return cause;
  const message = `${folder} is not writable, so it cannot be held for this process.`;
  return storeError("held", message, cause);
}

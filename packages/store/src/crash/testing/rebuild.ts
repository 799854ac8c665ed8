import fs from "node:fs";
import { dirname, join } from "node:path";
import type { Random } from "../../testing/random-messages.ts";
import type { FileOp } from "./trace-writes.ts";

const page = 4096;

/**
 * What the disk holds after a power cut: pages written before the last sync of their file, and each
 * later page with the given probability. Names and lengths count as kept, in order.
 */
export function rebuild(
  root: string,
  ops: readonly FileOp[],
  chance: number,
  random: Random,
): void {
  const lastSync = new Map<number, number>();
  for (const [index, op] of ops.entries()) if (op.op === "sync") lastSync.set(op.file, index);
  const pathOf = new Map<number, string>();
  const fileAt = new Map<string, number>();
  const gone = new Set<number>();

  for (const [index, op] of ops.entries()) {
    if (op.op === "open") {
      pathOf.set(op.file, op.path);
      fileAt.set(op.path, op.file);
      const path = join(root, op.path);
      if (!fs.existsSync(path)) fs.writeFileSync(path, "");
    } else if (op.op === "mkdir") fs.mkdirSync(join(root, op.path), { recursive: true });
    else if (op.op === "rmdir") fs.rmdirSync(join(root, op.path));
    else if (op.op === "unlink") {
      fs.rmSync(join(root, op.path), { force: true });
      const file = fileAt.get(op.path);
      if (file !== undefined) gone.add(file);
      fileAt.delete(op.path);
    } else if (op.op === "rename") {
      fs.mkdirSync(dirname(join(root, op.to)), { recursive: true });
      fs.renameSync(join(root, op.from), join(root, op.to));
      const file = fileAt.get(op.from);
      if (file !== undefined) {
        pathOf.set(file, op.to);
        fileAt.set(op.to, file);
      }
      fileAt.delete(op.from);
    } else if (op.op === "truncate" && !gone.has(op.file)) {
      const path = pathOf.get(op.file);
      if (path !== undefined) fs.truncateSync(join(root, path), op.length);
    } else if (op.op === "write" && !gone.has(op.file)) {
      const path = pathOf.get(op.file);
      const isSafe = index < (lastSync.get(op.file) ?? -1);
      if (path !== undefined) writePages(join(root, path), op, isSafe ? 1 : chance, random);
    }
  }
}

function writePages(
  path: string,
  { at, bytes }: Extract<FileOp, { op: "write" }>,
  chance: number,
  random: Random,
): void {
  const file = fs.openSync(path, "r+");
  try {
    const length = Math.max(fs.fstatSync(file).size, at + bytes.length);
    fs.ftruncateSync(file, length);
    for (let from = at; from < at + bytes.length;) {
      const to = Math.min(at + bytes.length, (Math.floor(from / page) + 1) * page);
      if (random() < chance) fs.writeSync(file, bytes, from - at, to - from, from);
      from = to;
    }
  } finally {
    fs.closeSync(file);
  }
}

import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { relative } from "node:path";

/** One call that changed a file. `file` stays the same over renames; `path` is below the root. */
export type FileOp =
  | { readonly op: "open"; readonly file: number; readonly path: string }
  | {
      readonly op: "write";
      readonly file: number;
      readonly at: number;
      readonly bytes: Uint8Array;
    }
  | { readonly op: "truncate"; readonly file: number; readonly length: number }
  | { readonly op: "sync"; readonly file: number }
  | { readonly op: "rename"; readonly from: string; readonly to: string }
  | { readonly op: "unlink"; readonly path: string }
  | { readonly op: "mkdir"; readonly path: string }
  | { readonly op: "rmdir"; readonly path: string };

/** Logs what this thread does to its file system. Only paths below `root` are logged. */
export function traceWrites(root: string): readonly FileOp[] {
  const ops: FileOp[] = [];
  const fileAt = new Map<string, number>();
  const openFiles = new Map<number, number>();
  let files = 0;
  const real = { ...fs };
  const inside = (path: unknown): string | undefined =>
    typeof path === "string" && path.startsWith(`${root}/`) ? relative(root, path) : undefined;
  const idOf = (path: string): number => {
    const known = fileAt.get(path) ?? (files += 1);
    fileAt.set(path, known);
    return known;
  };
  const onOpen = (fd: number, path: unknown): number => {
    const name = inside(path);
    if (name === undefined) openFiles.delete(fd);
    else {
      openFiles.set(fd, idOf(name));
      ops.push({ op: "open", file: idOf(name), path: name });
    }
    return fd;
  };
  const log = (make: () => FileOp | undefined): void => {
    const op = make();
    if (op !== undefined) ops.push(op);
  };
  const onPath = (op: "unlink" | "mkdir" | "rmdir", path: unknown): void =>
    log(() => {
      const name = inside(path);
      if (name !== undefined && op !== "mkdir") fileAt.delete(name);
      return name === undefined ? undefined : { op, path: name };
    });

  Object.assign(fs, {
    openSync: (...args: Parameters<typeof fs.openSync>) => onOpen(real.openSync(...args), args[0]),
    closeSync: (fd: number) => {
      openFiles.delete(fd);
      real.closeSync(fd);
    },
    writeSync: (fd: number, data: Uint8Array, from: number, length: number, at: number) => {
      const written = real.writeSync(fd, data, from, length, at);
      const file = openFiles.get(fd);
      if (file !== undefined) {
        ops.push({
          op: "write",
          file,
          at,
          bytes: new Uint8Array(data.slice(from, from + written)),
        });
      }
      return written;
    },
    ftruncateSync: (fd: number, length = 0) => {
      real.ftruncateSync(fd, length);
      const file = openFiles.get(fd);
      if (file !== undefined) ops.push({ op: "truncate", file, length });
    },
    truncateSync: (path: string, length = 0) => {
      real.truncateSync(path, length);
      const name = inside(path);
      if (name !== undefined) ops.push({ op: "truncate", file: idOf(name), length });
    },
    fsyncSync: (fd: number) => {
      real.fsyncSync(fd);
      const file = openFiles.get(fd);
      if (file !== undefined) ops.push({ op: "sync", file });
    },
    renameSync: (from: string, to: string) => {
      real.renameSync(from, to);
      const names = [inside(from), inside(to)] as const;
      if (names[0] === undefined || names[1] === undefined) return;
      ops.push({ op: "rename", from: names[0], to: names[1] });
      fileAt.set(names[1], idOf(names[0]));
      fileAt.delete(names[0]);
    },
    unlinkSync: (path: string) => {
      real.unlinkSync(path);
      onPath("unlink", path);
    },
    mkdirSync: (path: string, mode?: number) => {
      real.mkdirSync(path, mode);
      onPath("mkdir", path);
    },
    rmdirSync: (path: string) => {
      real.rmdirSync(path);
      onPath("rmdir", path);
    },
  });
  syncBuiltinESMExports();
  return ops;
}

import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { extname, join, relative, sep } from "node:path";
import type { StaticFile, StaticFiles } from "./static-files.ts";

const types: ReadonlyMap<string, string> = new Map([
  [".html", "text/html; charset=utf-8"],
  [".js", "text/javascript; charset=utf-8"],
  [".css", "text/css; charset=utf-8"],
  [".svg", "image/svg+xml"],
  [".png", "image/png"],
  [".ico", "image/x-icon"],
  [".woff2", "font/woff2"],
  [".json", "application/json"],
  [".webmanifest", "application/manifest+json"],
]);

/** Reads the built page once, and only file types that a page consists of. */
export async function loadFiles(folder: string): Promise<StaticFiles> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = new Map<string, StaticFile>();
  for (const entry of entries) {
    const type = types.get(extname(entry.name));
    if (!entry.isFile() || type === undefined) continue;
    const path = join(entry.parentPath, entry.name);
    const bytes = new Uint8Array(await readFile(path));
    const tag = `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`;
    const name = `/${relative(folder, path).split(sep).join("/")}`;
    files.set(name, { type, bytes, tag, isHashed: /-[\w-]{8,}\.\w+$/.test(entry.name) });
  }
  return files;
}

import type { RequestedUrl } from "./asked.ts";

/** The files that the server serves, by path. No other file can be reached. */
export type StaticFiles = ReadonlyMap<string, StaticFile>;

/** A file that the server serves. */
export interface StaticFile {
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly tag: string;
  /** Its name changes with its content. */
  readonly isHashed: boolean;
}

export function serveFile(
  files: StaticFiles,
  path: string,
  request: RequestedUrl,
): Response | undefined {
  const file = files.get(path === "/" ? "/index.html" : path);
  if (file === undefined) return undefined;
  const headers = {
    "content-type": file.type,
    etag: file.tag,
    "cache-control": file.isHashed ? "public, max-age=31536000, immutable" : "no-cache",
  };
  if (isKnown(request.headers.get("if-none-match"), file.tag)) {
    return new Response(null, { status: 304, headers });
  }
  const body = request.method === "HEAD" ? null : file.bytes;
  return new Response(body, { status: 200, headers });
}

/** Proxies that compress mark the tag as weak, and caches list all the tags they have. */
const isKnown = (known: string | null, tag: string): boolean =>
  (known ?? "").split(",").some((each) => each.trim().replace(/^W\//, "") === tag);

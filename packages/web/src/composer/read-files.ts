import type { UIFilePart } from "../thread/read-turn.ts";

/** A question is one request of at most 10 MB, in which a file takes a third more than it has. */
export const most = { files: 20, bytes: 7 * 1024 * 1024 } as const;

/** Files that were read, and the words for those that were refused. */
export interface FilesRead {
  readonly files: readonly UIFilePart[];
  readonly refusals: readonly string[];
}

/** Reads files as parts of a question that has some already. What does not fit is named. */
export async function readFiles(
  given: readonly File[],
  already: readonly UIFilePart[],
): Promise<FilesRead> {
  const files: UIFilePart[] = [];
  const refusals: string[] = [];
  let bytes = already.reduce((sum, { url }) => sum + bytesIn(url), 0);
  for (const file of given) {
    const reason = whyNot(file, already.length + files.length, bytes);
    if (reason !== undefined) {
      refusals.push(reason);
      continue;
    }
    try {
      files.push(await readFile(file));
      bytes += file.size;
    } catch {
      refusals.push(`${file.name} cannot be read. Is it a folder?`);
    }
  }
  return { files, refusals };
}

function whyNot({ name, size }: File, count: number, bytes: number): string | undefined {
  if (size === 0) return `${name} is empty.`;
  if (count >= most.files) return `${name} was not added: a question can have ${most.files} files.`;
  if (bytes + size > most.bytes) return `${name} is too large: a question can have 7 MB of files.`;
  return undefined;
}

const bytesIn = (url: string): number => ((url.length - url.indexOf(",") - 1) * 3) / 4;

async function readFile(file: File): Promise<UIFilePart> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const mediaType = mediaTypeOf(file, bytes);
  const url = `data:${mediaType};base64,${toBase64(bytes)}`;
  return { type: "file", mediaType, filename: file.name, url };
}

/** Services read plain text, and browsers have other names for most of it: `.ts` is `video/mp2t`. */
function mediaTypeOf({ type }: File, bytes: Uint8Array): string {
  const [named = ""] = type.toLowerCase().split(";");
  if (named !== "application/pdf" && isText(bytes)) return "text/plain";
  return /^[\w.+-]+\/[\w.+-]+$/.test(named) ? named : "application/octet-stream";
}

function isText(bytes: Uint8Array): boolean {
  if (bytes.includes(0)) return false;
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** As many as a call takes arguments, in whole groups of three. */
const chunkBytes = 3 * 8192;

function toBase64(bytes: Uint8Array): string {
  let encoded = "";
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    encoded += btoa(String.fromCharCode(...bytes.subarray(at, at + chunkBytes)));
  }
  return encoded;
}

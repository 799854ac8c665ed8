import { createHash } from "node:crypto";
import { brotliDecompressSync, gunzipSync, inflateSync } from "node:zlib";

type Unpack = (bytes: Uint8Array, limits: { readonly maxOutputLength: number }) => Buffer;

const unpackers: ReadonlyMap<string, Unpack> = new Map<string, Unpack>([
  ["gzip", gunzipSync],
  ["x-gzip", gunzipSync],
  ["deflate", inflateSync],
  ["br", brotliDecompressSync],
]);

const maxOutputLength = 256 * 1024 * 1024;

/**
 * A body that cannot be searched for secrets is not written down; its digest still tells two
 * bodies apart.
 */
const fingerprint = (bytes: Uint8Array, encoding: string): Buffer =>
  Buffer.from(
    `(${encoding}, ${bytes.length} bytes, sha256 ${createHash("sha256").update(bytes).digest("hex")})`,
  );

const unpack = (bytes: Buffer, encoding: string): Buffer => {
  try {
    return unpackers.get(encoding)?.(bytes, { maxOutputLength }) ?? fingerprint(bytes, encoding);
  } catch {
    return fingerprint(bytes, encoding);
  }
};

const boundaryPattern = /(^multipart\/[^;]+;.*?boundary=)("?)([^";]+)\2/i;

/** Clients make up another boundary for every request. */
const steadyBoundary = "boundary";

/** The content type with a boundary that stays the same from run to run. */
export const steadyType = (type: string): string =>
  type.replace(boundaryPattern, `$1${steadyBoundary}`);

/** The body of a request as it is written down and compared: unpacked, and steady from run to run. */
export const plainBody = (headers: Headers, bytes: Buffer | undefined): Buffer | undefined => {
  if (bytes === undefined) return undefined;
  const encoding = headers.get("content-encoding")?.trim().toLowerCase() ?? "identity";
  const plain = encoding === "identity" ? bytes : unpack(bytes, encoding);
  const boundary = boundaryPattern.exec(headers.get("content-type") ?? "")?.[3];
  if (boundary === undefined) return plain;
  const steady = plain.toString("latin1").replaceAll(`--${boundary}`, `--${steadyBoundary}`);
  return Buffer.from(steady, "latin1");
};

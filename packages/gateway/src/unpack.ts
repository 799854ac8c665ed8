import zlib from "node:zlib";

type Unpacker = (
  bytes: Uint8Array,
  options: { readonly maxOutputLength: number },
  done: (error: Error | null, result: Uint8Array) => void,
) => void;

/** By their names in `content-encoding`. Node knows zstd from 22.15 and 23.8 on. */
const unpackers: ReadonlyMap<string, Unpacker> = new Map<string, Unpacker>([
  ["gzip", zlib.gunzip],
  ["x-gzip", zlib.gunzip],
  ["deflate", zlib.inflate],
  ["br", zlib.brotliDecompress],
  ...("zstdDecompress" in zlib ? [["zstd", zlib.zstdDecompress as Unpacker] as const] : []),
]);

/** The names of what can be unpacked here. */
export const knownCodings: readonly string[] = [...unpackers.keys()];

/** What bytes are packed with, by their headers; `undefined` if they are not. */
export function codingOf(headers: {
  get(name: string): string | null | undefined;
}): string | undefined {
  const coding = headers.get("content-encoding")?.trim().toLowerCase() ?? "";
  return coding === "" || coding === "identity" ? undefined : coding;
}

/** Unpacks into at most so many bytes, beside the event loop. Rejects with Node's error if that fails. */
export const unpack = (bytes: Uint8Array, coding: string, most: number): Promise<Uint8Array> =>
  new Promise((resolve, reject) => {
    const unpacker = unpackers.get(coding);
    if (unpacker === undefined) {
      reject(new Error(`${coding} cannot be unpacked here`));
      return;
    }
    unpacker(bytes, { maxOutputLength: most }, (error, result) => {
      if (error === null) resolve(result);
      else reject(error);
    });
  });

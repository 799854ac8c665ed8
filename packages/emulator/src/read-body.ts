import { localServerOf } from "./service/host.ts";

type Packing = "gzip" | "deflate";

/** Content encodings that the services decompress, by their names in the header. */
const packings: ReadonlyMap<string, Packing> = new Map([
  ["gzip", "gzip"],
  ["x-gzip", "gzip"],
  ["deflate", "deflate"],
]);

/** Far above what any service takes. The trap: a few kilobytes can decompress to as many gigabytes. */
const mostBytes = 256 * 1024 * 1024;

const unpack = async (packed: ArrayBuffer, format: Packing): Promise<string> => {
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream(format));
  const decoder = new TextDecoder();
  let text = "";
  let length = 0;
  for await (const chunk of stream) {
    length += chunk.length;
    if (length > mostBytes) break;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
};

/**
 * The text of a request. The services decompress gzip and deflate; local servers ignore the
 * header. A body that cannot be decompressed is passed on as it is, and then refused because it is
 * not JSON.
 */
export const readBody = async (request: Request): Promise<string> => {
  const encoding = request.headers.get("content-encoding")?.trim().toLowerCase() ?? "";
  const format = packings.get(encoding);
  if (format === undefined || localServerOf(new URL(request.url)) !== undefined) {
    return request.text();
  }
  const packed = await request.arrayBuffer();
  return unpack(packed, format).catch(() => new TextDecoder().decode(packed));
};

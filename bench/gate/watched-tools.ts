/** How often and with how much the runtime was asked to parse, decode and copy. */
export interface Tools {
  /** JSON objects that were parsed: what the fast paths did not take. */
  readonly parsed: number;
  readonly parsedLength: number;
  readonly decodes: number;
  readonly decoded: number;
  /** Bytes copied from one array of bytes to another. */
  readonly copied: number;
}

type Method = (this: unknown, ...given: unknown[]) => unknown;

/** Calls `see` before each call of a method. Returns how to stop that. */
function watch(
  owner: object,
  name: string,
  see: (given: readonly unknown[], result: unknown) => void,
): () => void {
  const own = Object.getOwnPropertyDescriptor(owner, name);
  const real = (owner as Readonly<Record<string, Method>>)[name]!;
  const watched: Method = function (...given) {
    const result = real.apply(this, given);
    see(given, result);
    return result;
  };
  Object.defineProperty(owner, name, { configurable: true, writable: true, value: watched });
  return () => {
    if (own === undefined) Reflect.deleteProperty(owner, name);
    else Object.defineProperty(owner, name, own);
  };
}

const lengthOf = (value: unknown): number =>
  (value as { readonly byteLength?: number } | undefined)?.byteLength ?? 0;

/** Runs `work` with the runtime's own tools watched. Synchronous work only. */
export function watchTools(work: () => void): Tools {
  const seen = { parsed: 0, parsedLength: 0, decodes: 0, decoded: 0, copied: 0 };
  const copies = (bytes: number): void => {
    seen.copied += bytes;
  };
  const undo = [
    watch(JSON, "parse", ([text]) => {
      // One JSON string with escapes is not a frame.
      if (!String(text).startsWith("{")) return;
      seen.parsed++;
      seen.parsedLength += String(text).length;
    }),
    watch(TextDecoder.prototype, "decode", ([bytes]) => {
      seen.decodes++;
      seen.decoded += lengthOf(bytes);
    }),
    watch(Uint8Array.prototype, "set", ([source]) => copies(lengthOf(source))),
    watch(Uint8Array.prototype, "slice", (_, made) => copies(lengthOf(made))),
    watch(Uint8Array, "from", (_, made) => copies(lengthOf(made))),
    watch(Buffer, "concat", (_, made) => copies(lengthOf(made))),
  ];
  try {
    work();
  } finally {
    for (const back of undo) back();
  }
  return seen;
}

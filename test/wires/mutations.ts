/** Numbers from 0 up to 1 that repeat for a seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** What means something to a splitter, a parser or a reader, and what changes prototypes. */
const splinters = [
  "\r",
  "\n",
  "\r\n\r\n",
  "data: ",
  "event: error\n",
  "\uFEFF",
  "{",
  "}",
  "[",
  "]",
  '"',
  "\\",
  "\\u0000",
  "\\ud83d",
  ",",
  "null",
  "-1",
  "1e999",
  "[DONE]",
  '"index":4294967296',
  '"__proto__":{"polluted":1}',
  '"constructor":{"prototype":{"polluted":1}}',
  '{"error":{"message":"x"}}',
].map((text) => new TextEncoder().encode(text));

type Bytes = Uint8Array<ArrayBuffer>;
type Random = () => number;

const below = (limit: number, random: Random): number => Math.floor(random() * limit);

const join = (pieces: readonly Uint8Array[]): Bytes => new Uint8Array(Buffer.concat(pieces));

const splice = (bytes: Bytes, at: number, removed: number, added: Uint8Array): Bytes =>
  join([bytes.subarray(0, at), added, bytes.subarray(at + removed)]);

/** Frames begin behind blank lines, or behind line ends where there are none. */
const lineStarts = (bytes: Bytes): readonly number[] => {
  const starts = [0];
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === 10) starts.push(at + 1);
  return starts;
};

function swapLines(bytes: Bytes, random: Random): Bytes {
  const starts = [...lineStarts(bytes), bytes.length];
  const lines = starts.slice(1).map((end, at) => bytes.subarray(starts[at], end));
  const from = below(lines.length, random);
  const line = lines[from]!;
  // Removed, doubled, or put elsewhere.
  const kind = below(3, random);
  if (kind !== 1) lines.splice(from, 1);
  if (kind !== 0) lines.splice(below(lines.length + 1, random), 0, line);
  return join(lines);
}

const kinds: readonly ((bytes: Bytes, random: Random) => Bytes)[] = [
  (bytes, random) => {
    const copy = bytes.slice();
    if (copy.length > 0) copy[below(copy.length, random)] = below(256, random);
    return copy;
  },
  (bytes, random) =>
    splice(
      bytes,
      below(bytes.length + 1, random),
      below(9, random),
      splinters[below(splinters.length, random)]!,
    ),
  (bytes, random) =>
    splice(bytes, below(bytes.length + 1, random), below(200, random), new Uint8Array()),
  (bytes, random) => bytes.slice(0, below(bytes.length + 1, random)),
  swapLines,
];

/** The same bytes, damaged in one to three places. */
export function mutate(bytes: Bytes, random: Random): Bytes {
  let damaged = bytes;
  for (let times = 1 + below(3, random); times > 0; times--)
    damaged = kinds[below(kinds.length, random)]!(damaged, random);
  return damaged;
}

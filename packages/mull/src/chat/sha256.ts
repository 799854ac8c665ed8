const fractions = (root: (prime: number) => number, count: number): readonly number[] => {
  const found: number[] = [];
  for (let n = 2; found.length < count; n++) {
    let isPrime = true;
    for (let d = 2; d * d <= n; d++) if (n % d === 0) isPrime = false;
    if (isPrime) found.push(((root(n) % 1) * 2 ** 32) | 0);
  }
  return found;
};

const start = /* @__PURE__ */ fractions(Math.sqrt, 8);
const constants = /* @__PURE__ */ fractions(Math.cbrt, 64);

const turn = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

/**
 * The first 16 hex digits of a text's SHA-256. Synchronous, because the platform's own is
 * asynchronous and missing on pages without TLS.
 */
export function shortSha256(text: string): string {
  const bytes = new TextEncoder().encode(text);
  const blocks = (bytes.length + 72) >> 6;
  const padded = new DataView(new ArrayBuffer(blocks * 64));
  bytes.forEach((byte, at) => padded.setUint8(at, byte));
  padded.setUint8(bytes.length, 0x80);
  padded.setUint32(blocks * 64 - 4, bytes.length * 8);
  const state = Int32Array.from(start);
  for (let block = 0; block < blocks; block++) mixBlock(state, padded, block * 64);
  return [...state.subarray(0, 2)]
    .map((word) => (word >>> 0).toString(16).padStart(8, "0"))
    .join("");
}

function mixBlock(state: Int32Array, bytes: DataView, from: number): void {
  const words = new Int32Array(64);
  for (let i = 0; i < 16; i++) words[i] = bytes.getInt32(from + i * 4);
  for (let i = 16; i < 64; i++) {
    const [w15, w2] = [words[i - 15]!, words[i - 2]!];
    const s0 = turn(w15, 7) ^ turn(w15, 18) ^ (w15 >>> 3);
    const s1 = turn(w2, 17) ^ turn(w2, 19) ^ (w2 >>> 10);
    words[i] = words[i - 16]! + s0 + words[i - 7]! + s1;
  }
  // The eight working variables, as a list that moves on by one word a round.
  const v = Int32Array.from(state);
  for (let i = 0; i < 64; i++) {
    const [a, e] = [v[0]!, v[4]!];
    const s1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
    const t1 = v[7]! + s1 + ((e & v[5]!) ^ (~e & v[6]!)) + constants[i]! + words[i]!;
    const s0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
    const t2 = s0 + ((a & v[1]!) ^ (a & v[2]!) ^ (v[1]! & v[2]!));
    v.copyWithin(1, 0, 7);
    v[4] = v[4]! + t1;
    v[0] = t1 + t2;
  }
  for (let i = 0; i < 8; i++) state[i] = state[i]! + v[i]!;
}

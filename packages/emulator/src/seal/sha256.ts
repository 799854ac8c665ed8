/**
 * SHA-256 and HMAC, synchronous and without a runtime's crypto module: rules ask for a verdict
 * synchronously, and the in-process emulator runs in browsers and workers too.
 */
const roundConstants = /* @__PURE__ */ (() => {
  const constants = new Uint32Array(64);
  let found = 0;
  for (let candidate = 2; found < 64; candidate += 1) {
    if (!isPrime(candidate)) continue;
    constants[found] = fraction(Math.cbrt(candidate));
    found += 1;
  }
  return constants;
})();

const startState = [2, 3, 5, 7, 11, 13, 17, 19].map((prime) => fraction(Math.sqrt(prime)));

function isPrime(value: number): boolean {
  for (let divisor = 2; divisor * divisor <= value; divisor += 1) {
    if (value % divisor === 0) return false;
  }
  return true;
}

/** The first 32 bits of the fraction. */
function fraction(value: number): number {
  return Math.floor((value - Math.floor(value)) * 0x1_0000_0000) >>> 0;
}

const rotate = (value: number, bits: number): number => (value >>> bits) | (value << (32 - bits));

const pad = (message: Uint8Array): DataView => {
  const padded = new Uint8Array(((message.length + 72) >>> 6) << 6);
  padded.set(message);
  padded[message.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(message.length / 0x2000_0000));
  view.setUint32(padded.length - 4, (message.length << 3) >>> 0);
  return view;
};

const expand = (view: DataView, offset: number, schedule: Uint32Array): void => {
  for (let i = 0; i < 16; i += 1) schedule[i] = view.getUint32(offset + i * 4);
  for (let i = 16; i < 64; i += 1) {
    const a = schedule[i - 15] as number;
    const b = schedule[i - 2] as number;
    const s0 = rotate(a, 7) ^ rotate(a, 18) ^ (a >>> 3);
    const s1 = rotate(b, 17) ^ rotate(b, 19) ^ (b >>> 10);
    schedule[i] = ((schedule[i - 16] as number) + s0 + (schedule[i - 7] as number) + s1) >>> 0;
  }
};

const compress = (state: Uint32Array, schedule: Uint32Array): void => {
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let i = 0; i < 64; i += 1) {
    const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const choice = (e & f) ^ (~e & g);
    const t1 = (h + s1 + choice + (roundConstants[i] as number) + (schedule[i] as number)) >>> 0;
    const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    h = g;
    g = f;
    f = e;
    e = (d + t1) >>> 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + s0 + majority) >>> 0;
  }
  for (const [i, value] of [a, b, c, d, e, f, g, h].entries()) {
    state[i] = ((state[i] as number) + value) >>> 0;
  }
};

export const sha256 = (message: Uint8Array): Uint8Array => {
  const view = pad(message);
  const state = new Uint32Array(startState);
  const schedule = new Uint32Array(64);
  for (let offset = 0; offset < view.byteLength; offset += 64) {
    expand(view, offset, schedule);
    compress(state, schedule);
  }
  const digest = new DataView(new ArrayBuffer(32));
  for (let i = 0; i < 8; i += 1) digest.setUint32(i * 4, state[i] as number);
  return new Uint8Array(digest.buffer);
};

export const hmacSha256 = (key: Uint8Array, message: Uint8Array): Uint8Array => {
  const block = new Uint8Array(64);
  block.set(key.length > 64 ? sha256(key) : key);
  const inner = new Uint8Array(64 + message.length);
  inner.set(block.map((byte) => byte ^ 0x36));
  inner.set(message, 64);
  const outer = new Uint8Array(96);
  outer.set(block.map((byte) => byte ^ 0x5c));
  outer.set(sha256(inner), 64);
  return sha256(outer);
};

const encoder = new TextEncoder();

export const hex = (bytes: Uint8Array): string => {
  let text = "";
  for (const byte of bytes) text += byte.toString(16).padStart(2, "0");
  return text;
};

/** The first 64 bits of the hash of a text, in hex: enough to tell contents apart inside a sealed payload. */
export const shortHash = (text: string): string => hex(sha256(encoder.encode(text)).subarray(0, 8));

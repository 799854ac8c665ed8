import type { WireId } from "mull";

import { fromBase64, toBase64, toBase64Url } from "./base64.ts";
import { hmacSha256, shortHash } from "./sha256.ts";

/** What a seal proves. The facts are inside the seal, so the emulator need not remember the reply. */
export interface SealFacts {
  readonly wire: WireId;
  /** What it is on: `thinking`, `redacted_thinking`, `reasoning`, `call`, `text`. */
  readonly kind: string;
  readonly model: string;
  /** Fingerprint of the key that asked. */
  readonly account: string;
  /** Hash of the sealed content; empty if the service checks none. */
  readonly content: string;
  /** Hash of system, tools and earlier messages; empty if the service does not bind seals to them. */
  readonly prefix: string;
  /** Id of the reply, position among its sealed thinking blocks, and how many of them are next to each other here. */
  readonly reply: string;
  readonly index: number;
  readonly count: number;
  /** How many other blocks of the reply come before it. */
  readonly before: number;
  /** Short name of the thinking block before it in the conversation. */
  readonly previous: string;
}

const macLength = 16;
const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true });

/** Each service's seals have a format: protobuf in base64, or a Fernet token. */
const looks: Readonly<Record<WireId, "protobuf" | "fernet">> = {
  "anthropic-messages": "protobuf",
  "openai-responses": "fernet",
  "openai-chat": "fernet",
  "google-generate": "protobuf",
};

const fernetHeader = Uint8Array.of(0x80, 0, 0, 0, 0, 0x69, 0x5f, 0xb0, 0x40);

const protobufHeader = (length: number): Uint8Array =>
  Uint8Array.of(0x12, (length & 0x7f) | 0x80, length >>> 7);

const concat = (...pieces: readonly Uint8Array[]): Uint8Array => {
  const whole = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let offset = 0;
  for (const piece of pieces) {
    whole.set(piece, offset);
    offset += piece.length;
  }
  return whole;
};

const payloadOf = (facts: SealFacts): Uint8Array =>
  encoder.encode(
    JSON.stringify([
      facts.wire,
      facts.kind,
      facts.model,
      facts.account,
      facts.content,
      facts.prefix,
      facts.reply,
      facts.index,
      facts.count,
      facts.before,
      facts.previous,
    ]),
  );

export const mintSeal = (secret: string, facts: SealFacts): string => {
  const payload = payloadOf(facts);
  const mac = hmacSha256(encoder.encode(secret), payload).subarray(0, macLength);
  return looks[facts.wire] === "fernet"
    ? toBase64Url(concat(fernetHeader, mac, payload))
    : toBase64(concat(protobufHeader(macLength + payload.length), mac, payload));
};

const sameBytes = (a: Uint8Array, b: Uint8Array): boolean => {
  let difference = a.length ^ b.length;
  for (let i = 0; i < a.length; i += 1) difference |= (a[i] as number) ^ (b[i] as number);
  return difference === 0;
};

const bodyOf = (seal: string, wire: WireId): Uint8Array | undefined => {
  const bytes = fromBase64(seal);
  const header = looks[wire] === "fernet" ? fernetHeader.length : 3;
  if (bytes === undefined || bytes.length <= header + macLength) return undefined;
  const body = bytes.subarray(header);
  const expected = looks[wire] === "fernet" ? fernetHeader : protobufHeader(body.length);
  return sameBytes(bytes.subarray(0, header), expected) ? body : undefined;
};

/** The facts of a seal that was made with this secret for this wire; `undefined` for any other text. */
export const openSeal = (secret: string, wire: WireId, seal: string): SealFacts | undefined => {
  const body = bodyOf(seal, wire);
  if (body === undefined) return undefined;
  const payload = body.subarray(macLength);
  const mac = hmacSha256(encoder.encode(secret), payload).subarray(0, macLength);
  if (!sameBytes(mac, body.subarray(0, macLength))) return undefined;
  const fields = JSON.parse(decoder.decode(payload)) as [
    WireId,
    string,
    string,
    string,
    string,
    string,
    string,
    number,
    number,
    number,
    string,
  ];
  const [sealedWire, kind, model, account, content, prefix, reply, index, count, before, previous] =
    fields;
  if (sealedWire !== wire) return undefined;
  return {
    wire,
    kind,
    model,
    account,
    content,
    prefix,
    reply,
    index,
    count,
    before,
    previous,
  };
};

/** A short name for a seal, by which a later one refers to it. */
export const sealName = (seal: string): string => shortHash(seal);

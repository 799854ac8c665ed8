import { createCipheriv, createDecipheriv, createHash, randomFillSync } from "node:crypto";
import { deflateRawSync, inflateRawSync } from "node:zlib";

import type { JsonObject, Origin, ThinkingPart } from "mull";
import { isJsonObject } from "mull/wire";

/** A thought as its service made it, with its place in the answer. */
export interface CarriedThought {
  readonly at: number;
  readonly text: string;
  readonly visibility: ThinkingPart["visibility"];
  readonly seal?: CarriedSeal;
}

/** What a service sealed; its origin is written once for the whole answer. */
export interface CarriedSeal {
  readonly data: JsonObject;
  readonly prefix?: string;
}

/** What one field of a client's conversation stands for at the service that answered. */
export interface CarriedLoad {
  readonly origin?: Origin;
  readonly thoughts?: readonly CarriedThought[];
  /** The seal of a call or a text. Without `call`, of the very part that carries it. */
  readonly own?: CarriedSeal;
  /** The call that `own` belongs to, by the id that the client knows. */
  readonly call?: string;
  /** The seal belongs to the text before it, or to an empty text in that place. */
  readonly text?: "before" | "blank";
  /** How many characters at the end of that text it is of. Absent: all. */
  readonly length?: number;
  /** The id the service gave the call. */
  readonly id?: string;
  /** The service gave none: the id was made here, and is not sent back. */
  readonly isLocalId?: true;
  /** A conversation that was shortened, in words. */
  readonly summary?: string;
}

/** Writes and reads carried seals. All gateways with one secret read each other's. */
export interface SealCodec {
  /** Standard base64 without padding: clients drop seals that look like anything else. */
  readonly seal: (carried: CarriedLoad) => string;
  /** The same, packed tight, with the letters that clients keep in ids. */
  readonly sealId: (carried: CarriedLoad) => string;
  /** `undefined` for text that no gateway with this secret wrote. */
  readonly open: (text: string) => CarriedLoad | undefined;
}

/** Six bytes fill eight characters of base64, so every seal begins with the same text. */
const magic = Buffer.from("mull1\0");
/** How every carried seal begins. */
export const sealMark = "bXVsbDEA";
const ivLength = 12;
const tagLength = 16;

const algorithm = "aes-256-gcm";

/** The first byte inside says how the rest is written. */
const plain = "\0";
const packed = "\u0001";

/** Spaces after the JSON make the length divisible by three, so that base64 needs no padding. */
function padded(json: string): Buffer {
  const rest = (magic.length + ivLength + 1 + Buffer.byteLength(json) + tagLength) % 3;
  return Buffer.from(`${plain}${json}${" ".repeat((3 - rest) % 3)}`);
}

const deflated = (json: string): Buffer =>
  Buffer.concat([Buffer.from(packed), deflateRawSync(json)]);

function readInside(bytes: Buffer): CarriedLoad | undefined {
  const rest = bytes.subarray(1);
  const json = bytes[0] === packed.charCodeAt(0) ? inflateRawSync(rest) : rest;
  const value: unknown = JSON.parse(json.toString());
  // Only a gateway with this secret can have written it, so its shape is ours.
  return isJsonObject(value) ? value : undefined;
}

/** Random bytes cost as much for a hundred as for one. Each is used once: what is given out must be copied. */
function createIvs(): () => Buffer {
  const store = Buffer.alloc(100 * ivLength);
  let at = store.length;
  return () => {
    if (at === store.length) {
      randomFillSync(store);
      at = 0;
    }
    return store.subarray(at, (at += ivLength));
  };
}

/** Makes the codec of a secret. A carried seal is encrypted and authenticated with AES-GCM. */
export function createSealCodec(secret: string): SealCodec {
  const key = createHash("sha256").update(`mull gateway seals ${secret}`).digest();
  const newIv = createIvs();
  const close = (inside: Buffer): Buffer => {
    const iv = newIv();
    const cipher = createCipheriv(algorithm, key, iv).setAAD(magic);
    return Buffer.concat([magic, iv, cipher.update(inside), cipher.final(), cipher.getAuthTag()]);
  };
  const decrypt = (bytes: Buffer): Buffer => {
    const body = bytes.subarray(magic.length + ivLength, -tagLength);
    const iv = bytes.subarray(magic.length, magic.length + ivLength);
    const cipher = createDecipheriv(algorithm, key, iv, { authTagLength: tagLength })
      .setAAD(magic)
      .setAuthTag(bytes.subarray(-tagLength));
    return Buffer.concat([cipher.update(body), cipher.final()]);
  };
  return {
    seal: (carried) => close(padded(JSON.stringify(carried))).toString("base64"),
    sealId: (carried) => close(deflated(JSON.stringify(carried))).toString("base64url"),
    open: (text) => {
      if (!text.startsWith(sealMark)) return undefined;
      try {
        return readInside(decrypt(Buffer.from(text, "base64")));
      } catch {
        return undefined;
      }
    },
  };
}

import type { JsonObject, Origin, ThinkingPart } from "mull";
import { isJsonObject } from "mull/wire";

/** A thought as its service made it, with its place in the answer. */
export interface CarriedThought {
  readonly at: number;
  readonly text: string;
  readonly visibility: ThinkingPart["visibility"];
  readonly seal?: CarriedSeal;
}

/** What a service sealed; who it was stands once for all of an answer. */
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
  /** The id the service gave the call. */
  readonly id?: string;
  /** A conversation that was shortened, in words. */
  readonly summary?: string;
}

/** Writes and reads carried seals. All gateways with one secret read each other's. */
export interface SealCodec {
  /** Standard base64 without padding: clients drop seals that look like anything else. */
  readonly seal: (carried: CarriedLoad) => Promise<string>;
  /** The same, packed tight, with the letters that clients keep in ids. */
  readonly sealId: (carried: CarriedLoad) => Promise<string>;
  /** `undefined` for text that no gateway with this secret wrote. */
  readonly open: (text: string) => Promise<CarriedLoad | undefined>;
}

/** Six bytes fill eight characters of base64, so every seal begins with the same text. */
const magic = new TextEncoder().encode("mull1\0");
/** How every carried seal begins. */
export const sealMark = "bXVsbDEA";
const ivLength = 12;
const tagLength = 16;

/** The first byte inside says how the rest is written. */
const plain = 0;
const packed = 1;

/** Text of this length as JSON never fits into an id, however well it packs. */
const tooLongToPack = 1500;

const toBase64 = (bytes: Uint8Array): string => {
  let text = "";
  for (let at = 0; at < bytes.length; at += 8190)
    text += btoa(String.fromCharCode(...bytes.subarray(at, at + 8190)));
  return text;
};

const fromBase64 = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text), (letter) => letter.codePointAt(0)!);

const through = async (
  bytes: Uint8Array<ArrayBuffer>,
  way: ReadableWritablePair<Uint8Array, BufferSource>,
): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(way)).arrayBuffer());

/** Spaces behind the JSON make the length divisible by three, so that base64 needs no padding. */
function padded(json: string): Uint8Array<ArrayBuffer> {
  const bytes = new TextEncoder().encode(json);
  const rest = (magic.length + ivLength + 1 + bytes.length + tagLength) % 3;
  const all = new Uint8Array(1 + bytes.length + ((3 - rest) % 3)).fill(32);
  all[0] = plain;
  all.set(bytes, 1);
  return all;
}

async function deflated(json: string): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await through(new TextEncoder().encode(json), new CompressionStream("deflate-raw"));
  const all = new Uint8Array(1 + bytes.length);
  all[0] = packed;
  all.set(bytes, 1);
  return all;
}

async function readInside(bytes: Uint8Array<ArrayBuffer>): Promise<CarriedLoad | undefined> {
  const rest = bytes.subarray(1);
  const json =
    bytes[0] === packed ? await through(rest, new DecompressionStream("deflate-raw")) : rest;
  const value: unknown = JSON.parse(new TextDecoder().decode(json));
  // Only a gateway with this secret can have written it, so its shape is ours.
  return isJsonObject(value) ? value : undefined;
}

/** Makes the codec of a secret. A carried seal is encrypted and authenticated with AES-GCM. */
export function createSealCodec(secret: string): SealCodec {
  let made: Promise<CryptoKey> | undefined;
  const key = (): Promise<CryptoKey> => (made ??= importKey(secret));
  const close = async (inside: Uint8Array<ArrayBuffer>): Promise<string> => {
    const iv = crypto.getRandomValues(new Uint8Array(ivLength));
    const closed = new Uint8Array(
      await crypto.subtle.encrypt(
        { name: "AES-GCM", iv, additionalData: magic },
        await key(),
        inside,
      ),
    );
    const bytes = new Uint8Array(magic.length + ivLength + closed.length);
    bytes.set(magic);
    bytes.set(iv, magic.length);
    bytes.set(closed, magic.length + ivLength);
    return toBase64(bytes);
  };
  return {
    seal: (carried) => close(padded(JSON.stringify(carried))),
    sealId: async (carried) => {
      const json = JSON.stringify(carried);
      const text = await close(json.length > tooLongToPack ? padded(json) : await deflated(json));
      return text.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
    },
    open: async (text) => {
      if (!text.startsWith(sealMark)) return undefined;
      try {
        const bytes = fromBase64(text.replaceAll("-", "+").replaceAll("_", "/"));
        const iv = bytes.subarray(magic.length, magic.length + ivLength);
        const closed = bytes.subarray(magic.length + ivLength);
        const inside = await crypto.subtle.decrypt(
          { name: "AES-GCM", iv, additionalData: magic },
          await key(),
          closed,
        );
        return await readInside(new Uint8Array(inside));
      } catch {
        return undefined;
      }
    },
  };
}

async function importKey(secret: string): Promise<CryptoKey> {
  const bytes = new TextEncoder().encode(`mull gateway seals ${secret}`);
  const digest = await crypto.subtle.digest("SHA-256", bytes);
  return crypto.subtle.importKey("raw", digest, "AES-GCM", false, ["encrypt", "decrypt"]);
}

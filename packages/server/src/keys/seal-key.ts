import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

/**
 * Binds the key to its user and provider: a sealed key that is moved to another row doesn't open.
 */
export interface KeyPlace {
  readonly userId: string;
  readonly provider: string;
}

const version = "v1";
const ivBytes = 12;
const tagBytes = 16;

/** A derived secret: the one that signs cookies must not encrypt. */
const keyFrom = (secret: string): Uint8Array =>
  new Uint8Array(hkdfSync("sha256", secret, "", "mull user keys", 32));

const placeBytes = ({ userId, provider }: KeyPlace): Buffer =>
  Buffer.from(JSON.stringify([version, userId, provider]));

/** Encrypts a key with AES-256-GCM. */
export function sealKey(secret: string, place: KeyPlace, key: string): string {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv("aes-256-gcm", keyFrom(secret), iv).setAAD(placeBytes(place));
  const sealed = Buffer.concat([cipher.update(key, "utf8"), cipher.final()]);
  return `${version}.${Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString("base64url")}`;
}

/** `undefined`: sealed with another secret, moved, or changed. */
export function openKey(secret: string, place: KeyPlace, sealed: string): string | undefined {
  const [given, text = ""] = sealed.split(".");
  const bytes = Buffer.from(text, "base64url");
  if (given !== version || bytes.length <= ivBytes + tagBytes) return undefined;
  const [iv, rest] = [bytes.subarray(0, ivBytes), bytes.subarray(ivBytes)];
  try {
    const decipher = createDecipheriv("aes-256-gcm", keyFrom(secret), iv)
      .setAAD(placeBytes(place))
      .setAuthTag(rest.subarray(0, tagBytes));
    const opened = [decipher.update(rest.subarray(tagBytes)), decipher.final()];
    return Buffer.concat(opened).toString("utf8");
  } catch {
    return undefined;
  }
}

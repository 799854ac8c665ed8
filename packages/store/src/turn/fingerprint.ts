import { hash } from "node:crypto";
import type { BeginTurn } from "../store.ts";

/** The fingerprint of what an idempotency key covers. Large bodies are hashed only once. */
export const fingerprintOf = ({ conversationId, expectedHead, ...given }: BeginTurn): string =>
  given.fingerprint ??
  hash(
    "sha256",
    JSON.stringify([
      conversationId,
      expectedHead,
      given.parentId === undefined ? expectedHead : given.parentId,
      given.message ?? null,
      given.info ?? null,
    ]),
  );

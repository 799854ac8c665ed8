import { hash } from "node:crypto";
import type { BeginTurn } from "../store.ts";

/** The fingerprint of what an idempotency key stands for. */
export const fingerprintOf = ({ conversationId, expectedHead, ...given }: BeginTurn): string =>
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

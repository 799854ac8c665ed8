import type { WireId } from "../types/message.ts";
import type { Quirks } from "../types/quirks.ts";

interface IdShape {
  readonly maxLength: number;
  readonly isAllowed: RegExp;
}

const plain = /^[A-Za-z0-9_-]+$/;

const shapes: Readonly<Record<WireId, IdShape>> = {
  "anthropic-messages": { maxLength: 64, isAllowed: plain },
  "openai-responses": { maxLength: 64, isAllowed: plain },
  "openai-chat": { maxLength: 40, isAllowed: plain },
  "google-generate": { maxLength: 128, isAllowed: plain },
};

/** What the target accepts as an id, and the ids given out so far. */
export interface CallIds {
  readonly shape: IdShape;
  readonly used: Set<string>;
}

export const createCallIds = (wire: WireId, quirks: Quirks | undefined): CallIds => ({
  shape:
    quirks?.callId === undefined
      ? shapes[wire]
      : { maxLength: quirks.callId.maxLength, isAllowed: new RegExp(quirks.callId.pattern) },
  used: new Set(),
});

/**
 * An id for a call that the target accepts and no earlier call has; it goes on call and result.
 * An id that fits and was not used before stays as it is.
 */
export function fitCallId({ shape, used }: CallIds, id: string): string {
  let fitted = id;
  for (
    let salt = 0;
    used.has(fitted) || fitted.length > shape.maxLength || !shape.isAllowed.test(fitted);
    salt++
  ) {
    fitted = makeId(id, salt, shape.maxLength);
  }
  used.add(fitted);
  return fitted;
}

/** Letters and digits only: the strictest servers take nothing else. */
function makeId(id: string, salt: number, maxLength: number): string {
  const digest = hash(`${id}#${salt}`, 0x811c9dc5) + hash(`${salt}#${id}`, 0x01000193);
  return `call${digest}`.slice(-Math.min(maxLength, 18));
}

function hash(text: string, seed: number): string {
  let value = seed;
  for (let i = 0; i < text.length; i++) {
    value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  }
  return (value >>> 0).toString(36).padStart(7, "0");
}

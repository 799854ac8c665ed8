import type { SecretFinder, SecretSpan } from "./find-secrets.ts";
import { replacementOf } from "./find-secrets.ts";
import { toLatin1 } from "./redact.ts";

/** What one network delivery brought, and when: milliseconds after the request was sent. */
export interface Delivery {
  readonly bytes: Buffer;
  readonly at: number;
}

/** Redacts a body as a whole, in bounded memory, and cuts it again where it was cut. */
export interface StreamRedactor {
  /** Returns the deliveries that can no longer be part of a secret. */
  readonly push: (bytes: Uint8Array, at: number) => readonly Delivery[];
  readonly end: () => readonly Delivery[];
}

/** Searched in pieces of this size: large enough that the overlap costs little. */
const windowBytes = 256 * 1024;
/** No secret is longer. This much is kept back, so that whatever begins before it is seen whole. */
const longestSecret = 32 * 1024;
/** Deliveries remembered at once: a stream of single bytes must not cost more in marks than in bytes. */
const mostDeliveries = 2 * longestSecret;
/** What a pattern may look back at. */
const contextBytes = 64;

export const createStreamRedactor = (finder: SecretFinder): StreamRedactor => {
  let context = "";
  let pending = "";
  let cuts: { readonly length: number; readonly at: number }[] = [];

  const release = (isLast: boolean): readonly Delivery[] => {
    const text = context + pending;
    const spans = finder.find(text, context.length);
    const count = isLast ? cuts.length : releasable(cuts, spans, context.length, text);
    const out = cutAgain(text, spans, context.length, cuts.slice(0, count));
    const passed = cuts.slice(0, count).reduce((sum, cut) => sum + cut.length, 0);
    context = text.slice(0, context.length + passed).slice(-contextBytes);
    pending = pending.slice(passed);
    cuts = cuts.slice(count);
    return out;
  };

  return {
    push: (bytes, at) => {
      if (bytes.byteLength === 0) return [];
      pending += toLatin1(bytes);
      cuts.push({ length: bytes.byteLength, at });
      const isFull = pending.length >= windowBytes + longestSecret || cuts.length >= mostDeliveries;
      return isFull ? release(false) : [];
    },
    end: () => release(true),
  };
};

/**
 * How many deliveries end before the part kept back, and not inside a match. Best at the end of a
 * line: the next search then begins with a whole event.
 */
const releasable = (
  cuts: readonly { readonly length: number }[],
  spans: readonly SecretSpan[],
  offset: number,
  text: string,
): number => {
  let best = 0;
  let bestLine = 0;
  let position = offset;
  let next = 0;
  for (const [index, cut] of cuts.entries()) {
    position += cut.length;
    if (position > text.length - longestSecret) break;
    while (next < spans.length && (spans[next]?.end ?? 0) <= position) next += 1;
    if ((spans[next]?.from ?? Infinity) < position) continue;
    best = index + 1;
    if (text[position - 1] === "\n") bestLine = best;
  }
  return bestLine > 0 ? bestLine : best;
};

/** A cut inside a secret falls inside its replacement, or at its end. */
const cutAgain = (
  text: string,
  spans: readonly SecretSpan[],
  offset: number,
  cuts: readonly { readonly length: number; readonly at: number }[],
): readonly Delivery[] => {
  const out: Delivery[] = [];
  let position = offset;
  let next = 0;
  for (const { length, at } of cuts) {
    const end = position + length;
    let clean = "";
    while (position < end) {
      const span = spans[next];
      const stop = Math.min(end, span === undefined ? end : Math.max(position, span.start));
      clean += text.slice(position, stop);
      position = stop;
      if (span === undefined || position < span.start || position >= end) continue;
      const inside = Math.min(end, span.end);
      const last = inside === span.end;
      const instead = replacementOf(span);
      clean += instead.slice(position - span.start, last ? undefined : inside - span.start);
      position = inside;
      if (last) next += 1;
    }
    out.push({ bytes: Buffer.from(clean, "latin1"), at });
  }
  return out;
};

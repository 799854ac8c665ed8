/**
 * 53 bits of a text, built on those of what stood before it: two chains of words, the second fed by
 * the first. Tells the beginnings of prompts apart; it keeps no secret, and takes a fraction of what
 * a digest does.
 */
export function quickHash(text: string, before: number): number {
  let first = before ^ 0x811c9dc5;
  let second = Math.floor(before / 2 ** 32) ^ text.length;
  for (let i = 0; i < text.length; i++) {
    first = Math.imul(first ^ text.charCodeAt(i), 0x01000193);
    second = Math.imul(second ^ first, 0x85ebca6b);
  }
  // A multiplication moves nothing down: the upper bits would not count in the next text.
  return (fold(second) >>> 11) * 2 ** 32 + (fold(first) >>> 0);
}

const fold = (word: number): number => word ^ (word >>> 15);

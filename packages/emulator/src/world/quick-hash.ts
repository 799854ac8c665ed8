/**
 * 53 bits of a text, each built on those before it. Tells the beginnings of prompts apart; it keeps
 * no secret, and takes a fraction of what a digest does.
 */
export const quickHash = (text: string, before: number): number => {
  let high = 0xdeadbeef ^ before;
  let low = 0x41c6ce57 ^ Math.floor(before / 0x1_0000_0000);
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    high = Math.imul(high ^ code, 2_654_435_761);
    low = Math.imul(low ^ code, 1_597_334_677);
  }
  high =
    Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909);
  low =
    Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909);
  return 0x1_0000_0000 * (0x1f_ffff & low) + (high >>> 0);
};

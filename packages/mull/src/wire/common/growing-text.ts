/**
 * A text that arrives in pieces, which are joined 128 at a time. `+=` for each piece would keep two
 * small objects a piece alive to the end, and garbage collection would then cost more than decoding.
 */
export interface GrowingText {
  joined: string;
  pieces: string[];
}

export const newText = (): GrowingText => ({ joined: "", pieces: [] });

export function grow(text: GrowingText, piece: string): void {
  if (text.pieces.push(piece) === 128) wholeText(text);
}

export const hasNoText = ({ joined, pieces }: GrowingText): boolean =>
  joined === "" && pieces.length === 0;

export function wholeText(text: GrowingText): string {
  text.joined += text.pieces.join("");
  text.pieces = [];
  return text.joined;
}

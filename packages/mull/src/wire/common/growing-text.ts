/**
 * A text that arrives in pieces. They are joined a bunch at a time: `+=` for each would leave two
 * small objects a piece alive to the end, and collecting around those costs more than decoding.
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

/**
 * The deltas of one part. Bunches of them are joined early: `+=` alone would leave two small objects
 * a delta alive until the part ends, and collecting around those costs more than decoding. A record
 * and not a class: V8 keeps what it compiled for a record when the last one is gone.
 */
export interface GatheredText {
  joined: string;
  pieces: string[];
}

const bunch = 128;

export const gatherText = (): GatheredText => ({ joined: "", pieces: [] });

export function addPiece(gathered: GatheredText, piece: string): void {
  if (gathered.pieces.push(piece) === bunch) join(gathered);
}

export const hasNoText = ({ joined, pieces }: GatheredText): boolean =>
  pieces.length === 0 && joined === "";

export function wholeText(gathered: GatheredText): string {
  if (gathered.pieces.length > 0) join(gathered);
  return gathered.joined;
}

function join(gathered: GatheredText): void {
  gathered.joined += gathered.pieces.join("");
  gathered.pieces = [];
}

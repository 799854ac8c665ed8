import type { TextPart, ThinkingPart } from "mull";
import type { TextPiece } from "./live-turns.ts";

/** An unfinished block, as far as it was stored. */
export type CutPart = TextPart | ThinkingPart;

/**
 * Joins pieces into blocks, in order. People read them; like a block that the network cut, they are
 * never sent.
 */
export function openParts(pieces: readonly Omit<TextPiece, "turnId">[]): readonly CutPart[] {
  const blocks: { readonly first: Omit<TextPiece, "turnId">; text: string }[] = [];
  for (const piece of pieces) {
    const last = blocks.at(-1);
    if (last?.first.step === piece.step && last.first.block === piece.block) {
      // A piece that was stored again with more text may overlap the next one.
      last.text = last.text.slice(0, piece.start) + piece.text;
    } else blocks.push({ first: piece, text: piece.text });
  }
  return blocks.map(({ first, text }) =>
    first.kind === "text"
      ? { type: "text", text, cut: true, send: false }
      : { type: "thinking", text, visibility: "full", cut: true, send: false },
  );
}

import type { TextPart, ThinkingPart } from "mull";
import type { TextPiece } from "./live-turns.ts";

/** A block that had not ended, as far as it was stored. */
export type CutPart = TextPart | ThinkingPart;

/** Blocks of pieces in their order. People read them; they are never sent, as a block cut by a network. */
export function openParts(pieces: readonly Omit<TextPiece, "turnId">[]): readonly CutPart[] {
  const blocks: { readonly first: Omit<TextPiece, "turnId">; text: string }[] = [];
  for (const piece of pieces) {
    const last = blocks.at(-1);
    if (last?.first.step === piece.step && last.first.block === piece.block) {
      // A piece that was stored again with more may reach into the next one.
      last.text = last.text.slice(0, piece.start) + piece.text;
    } else blocks.push({ first: piece, text: piece.text });
  }
  return blocks.map(({ first, text }) =>
    first.kind === "text"
      ? { type: "text", text, cut: true, send: false }
      : { type: "thinking", text, visibility: "full", cut: true, send: false },
  );
}

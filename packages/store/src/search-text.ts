import type { Message } from "mull";

/**
 * What people read of a message, for search. Engines refuse a raw NUL and change a lone surrogate
 * in a text column, so both are left out here.
 */
export const searchTextOf = (message: Message): string =>
  cleanText(
    message.parts
      .flatMap((part) => (part.type === "text" && part.show !== false ? [part.text] : []))
      .join("\n"),
  );

export const cleanText = (text: string): string =>
  isClean(text) ? text : text.replace(/[\0\p{Cs}]/gu, "");

/** Most text is well formed, and checking takes at most a third as long as replacing. */
const isClean = (text: string): boolean => !text.includes("\0") && isWellFormed(text);

/** Node 20 has it; its type came later. */
const isWellFormed = (text: string): boolean =>
  (text as string & { readonly isWellFormed: () => boolean }).isWellFormed();

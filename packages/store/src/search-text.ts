import type { Message } from "mull";

/**
 * What people read of a message, for search. Engines refuse a raw NUL and change a lone
 * surrogate in a text column, so both are left out here.
 */
export const searchTextOf = (message: Message): string =>
  cleanText(
    message.parts
      .flatMap((part) => (part.type === "text" && part.show !== false ? [part.text] : []))
      .join("\n"),
  );

export const cleanText = (text: string): string => text.replace(/[\0\p{Cs}]/gu, "");

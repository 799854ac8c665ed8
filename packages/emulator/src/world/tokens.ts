import type { JsonValue } from "mull";

import { countPages } from "./pdf-pages.ts";

/** About four characters a token, the rule of thumb of every service. Usage and counting use the same estimate. */
const charactersPerToken = 4;

/** Tokens of the roles and separators around one message. */
const messageOverhead = 4;

export const countText = (text: string): number => Math.ceil(text.length / charactersPerToken);

/** Where the services' requests hold pictures and files, in base64 or as data URLs. */
const mediaKeys: ReadonlySet<string> = new Set(["data", "file_data", "image_url", "url"]);

/** A picture costs at most this many tokens, however many bytes it has. */
const tokensOfPicture = 1600;

const lengthOfMedia = (text: string, pageTokens: number): number => {
  const pages = countPages(text);
  return pages === undefined
    ? Math.min(text.length, tokensOfPicture * charactersPerToken)
    : pages * pageTokens * charactersPerToken;
};

/** Characters that matter in a JSON value: its keys and leaves, not its punctuation or cache marks. */
const charactersOf = (value: JsonValue | undefined, pageTokens: number, name = ""): number => {
  if (value === undefined || value === null) return 0;
  if (typeof value !== "object") {
    const text = String(value);
    return mediaKeys.has(name) ? lengthOfMedia(text, pageTokens) : text.length;
  }
  let sum = 0;
  if (Array.isArray(value)) {
    for (const item of value) sum += charactersOf(item as JsonValue, pageTokens, name);
    return sum;
  }
  for (const [key, item] of Object.entries(value)) {
    if (key !== "cache_control") sum += key.length + charactersOf(item, pageTokens, key);
  }
  return sum;
};

/** The tokens of one piece of a prompt, not rounded, because pieces are added up. */
export const countValue = (value: JsonValue, pageTokens: number): number =>
  charactersOf(value, pageTokens) / charactersPerToken;

/** The tokens of a prompt: system, tools and every message in the format of the wire. */
export const countPrompt = (
  pieces: readonly (JsonValue | undefined)[],
  messages: readonly JsonValue[],
  pageTokens: number,
): number => {
  let characters = 0;
  for (const piece of pieces) characters += charactersOf(piece, pageTokens);
  for (const message of messages) characters += charactersOf(message, pageTokens);
  return Math.ceil(characters / charactersPerToken) + messages.length * messageOverhead + 3;
};

/** The longest beginning of a text that has at most this many tokens. It never ends inside a character. */
export const cutToTokens = (text: string, tokens: number): string => {
  const end = tokens * charactersPerToken;
  if (text.length <= end) return text;
  const last = text.charCodeAt(end - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? end - 1 : end);
};

/** The words of a text with the space before them, where tokens are shown one by one. */
export const wordsOf = (text: string): readonly string[] =>
  text.match(/\s*\S+\s*$|\s*\S+|\s+$/g) ?? [];

/** Pieces of a few words, the size of the services' own deltas. */
export const piecesOf = (text: string): readonly string[] => {
  const words = wordsOf(text);
  const pieces: string[] = [];
  for (let i = 0; i < words.length; i += 3) pieces.push(words.slice(i, i + 3).join(""));
  return pieces;
};

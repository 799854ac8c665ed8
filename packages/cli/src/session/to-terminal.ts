// Newline and tab aside.
// oxlint-disable-next-line no-control-regex
const control = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

const show = (mark: string): string => {
  const code = mark.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  return code === 0x7f ? "␡" : `<U+${code.toString(16).toUpperCase().padStart(4, "0")}>`;
};

const everyControl = new RegExp(control, "g");

/**
 * Control characters as signs people can see, newline and tab aside: text of a model must not move
 * the cursor, set titles or write to the clipboard.
 */
export const toTerminal = (text: string): string => text.replaceAll(everyControl, show);

/** What this command itself writes: colours, never hidden text (8). */
const colours = String.raw`\u001b\[(?:[0-79]|[1-9]\d)?(?:;(?:[0-79]|[1-9]\d))*m`;
/** What the chat writes beside them: its cursor moves, and the modes it sets and takes back. */
const moves = String.raw`\r|\u001b\[(?:\d*[ABCHKLM]|J|\?(?:7|1049|2004|2026)[hl])`;

/**
 * Passes on our own sequences and shows every other control character. Everything goes through it,
 * so that no service, file or name gets around it: an `ESC` at the end of one write and `]52;c;…`
 * at the start of the next are shown, since we never cut a sequence in two.
 */
const guard = (ours: string): ((text: string) => string) => {
  const pattern = new RegExp(`(${ours})|${control.source}`, "g");
  return (text) => text.replaceAll(pattern, (mark, own?: string) => own ?? show(mark));
};

/** For commands: what is printed on a terminal, errors included. */
export const guardPrinted: (text: string) => string = guard(`${colours}|\\r(?=\\n)`);
/** For the chat, which draws. */
export const guardDrawn: (text: string) => string = guard(`${colours}|${moves}`);

/**
 * Control characters as signs people can see, newline and tab aside: text of a model must not move
 * the cursor, set titles or write to the clipboard.
 */
export const toTerminal = (text: string): string =>
  text.replaceAll(
    // oxlint-disable-next-line no-control-regex
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    (mark) => {
      const code = mark.codePointAt(0) ?? 0;
      if (code < 0x20) return String.fromCodePoint(0x2400 + code);
      return code === 0x7f ? "␡" : `<U+${code.toString(16).toUpperCase().padStart(4, "0")}>`;
    },
  );

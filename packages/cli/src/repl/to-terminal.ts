import { toTerminal as showControls } from "../session/to-terminal.ts";

/**
 * Text of strangers for a terminal: no model, tool or file can move the cursor, set the title or
 * reach the clipboard. A carriage return before a newline is only an old line end.
 */
export const toTerminal = (text: string): string => showControls(text.replaceAll("\r\n", "\n"));

/** The same on one line, for labels and previews. */
export const toOneLine = (text: string): string => toTerminal(text.replaceAll(/\s+/g, " ")).trim();

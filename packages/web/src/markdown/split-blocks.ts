/** A piece of Markdown that can be read without its neighbours. */
export interface MarkdownBlock {
  readonly kind: "prose" | "code";
  /** Prose as it came, or the text between the fences of code. */
  readonly text: string;
  /** The word after the opening fence. */
  readonly language: string;
  /** More of it may still come. */
  readonly isOpen: boolean;
}

export interface BlockSplitter {
  /** Takes the whole text so far, which may only grow, and looks at the new end of it alone. */
  readonly split: (text: string) => readonly MarkdownBlock[];
}

interface Fence {
  readonly mark: string;
  readonly language: string;
}

const fenceLine = /^ {0,3}(`{3,}|~{3,})[ \t]*([^\s`{]*)/;
const listLine = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)/;
const indentedLine = /^(?: {2,}|\t)\S/;

/** A list longer than this goes on as another one, so that no piece takes long to read. */
const longList = 4000;

const isBlank = (line: string): boolean => line.trim() === "";

const closes = (line: string, fence: Fence): boolean => {
  const found = line.trim();
  return (
    found.length >= fence.mark.length &&
    found[0] === fence.mark[0] &&
    found.replaceAll(found[0]!, "") === ""
  );
};

/**
 * Cuts Markdown where a block surely ends, one pass over the lines. Blocks that have ended are
 * never looked at again, so a stream costs time in proportion to its length.
 */
export function createBlockSplitter(): BlockSplitter {
  let closed: MarkdownBlock[] = [];
  let seen = "";
  let start = 0;
  let scanned = 0;
  let fence: Fence | undefined;
  let inList = false;
  let afterBlank = false;

  const reset = (): void => {
    closed = [];
    start = scanned = 0;
    fence = undefined;
    inList = afterBlank = false;
  };

  const piece = (text: string, end: number, isOpen: boolean): readonly MarkdownBlock[] => {
    const part = text.slice(start, end);
    if (fence !== undefined) {
      return [{ kind: "code", text: trimEnd(part), language: fence.language, isOpen }];
    }
    return isBlank(part) ? [] : [{ kind: "prose", text: part, language: "", isOpen }];
  };

  const close = (text: string, end: number, next: number): void => {
    closed.push(...piece(text, end, false));
    start = next;
    fence = undefined;
    inList = afterBlank = false;
  };

  const takeLine = (text: string, from: number, to: number): void => {
    const line = text.slice(from, Math.min(to, from + 512));
    if (fence !== undefined) {
      if (closes(line, fence)) close(text, from, to);
      return;
    }
    const opens = fenceLine.exec(line);
    if (opens !== null && !(inList && /^ {2,}/.test(line))) {
      close(text, from, to);
      fence = { mark: opens[1]!, language: opens[2]! };
      return;
    }
    if (isBlank(line)) {
      afterBlank = true;
      if (!inList) close(text, from, to);
      return;
    }
    const isItem = listLine.test(line);
    if (inList && afterBlank && !isItem && !indentedLine.test(line)) close(text, from, from);
    if (inList && isItem && from - start > longList) close(text, from, from);
    if (start === from) inList = isItem;
    afterBlank = false;
  };

  return {
    split: (text) => {
      if (!text.startsWith(seen)) reset();
      seen = text;
      for (let end = text.indexOf("\n", scanned); end !== -1; end = text.indexOf("\n", scanned)) {
        takeLine(text, scanned, end + 1);
        scanned = end + 1;
      }
      return [...closed, ...openPiece(text)];
    },
  };

  /** The last line has no end yet; a closing fence shows only once it is whole. */
  function openPiece(text: string): readonly MarkdownBlock[] {
    const rest = text.slice(scanned);
    if (fence !== undefined && closes(rest, fence)) return piece(text, scanned, false);
    return piece(text, text.length, true);
  }
}

const trimEnd = (code: string): string => (code.endsWith("\n") ? code.slice(0, -1) : code);

/** The blocks of a text that is whole. */
export const splitBlocks = (text: string): readonly MarkdownBlock[] =>
  createBlockSplitter().split(text);

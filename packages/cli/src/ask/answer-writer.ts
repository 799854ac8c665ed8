import type { Io } from "../frame/io.ts";
import type { FindPainter } from "../repl/highlight.ts";
import type { MarkdownStream } from "../repl/markdown.ts";
import { toTerminal } from "../session/to-terminal.ts";

/** Puts the answer on stdout. */
export interface AnswerWriter {
  readonly push: (delta: string) => Promise<void>;
  /** The next text on this screen begins on a row of its own. */
  readonly endRow: () => Promise<void>;
  /** Puts an empty row between the text before a tool ran and the text after it. */
  readonly leaveGap: () => Promise<void>;
}

/** Byte for byte, as programs want it; on a terminal without its control characters. */
export function bareWriter(io: Io): AnswerWriter {
  const clean = io.terminal.stdout ? toTerminal : (text: string): string => text;
  let isOnRow = false;
  return {
    push: async (delta) => {
      isOnRow = true;
      await io.out(clean(delta));
    },
    endRow: async () => {
      if (!isOnRow || !io.terminal.stdout) return;
      isOnRow = false;
      await io.out("\n");
    },
    leaveGap: () => io.out(isOnRow ? "\n\n" : "\n"),
  };
}

/** Markdown as the chat shows it, row by row. */
export function renderedWriter(io: Io): AnswerWriter {
  let view: Promise<MarkdownView> | undefined;
  const print = (rows: readonly string[]): Promise<void> =>
    io.out(rows.map((row) => `${row}\n`).join(""));
  const endRow = async (): Promise<void> => {
    if (view === undefined) return;
    const { markdown } = await view;
    view = undefined;
    await print(markdown.end());
  };
  return {
    push: async (delta) => {
      view ??= openView(io);
      const { markdown, learn } = await view;
      await learn(delta);
      await print(markdown.push(delta));
    },
    endRow,
    leaveGap: async () => {
      await endRow();
      await io.out("\n");
    },
  };
}

interface MarkdownView {
  readonly markdown: MarkdownStream;
  /** Loads what this text needs to be shown. */
  readonly learn: (text: string) => Promise<void>;
}

/** A fence may come in pieces: its first sign is enough. */
const fenceSign = /[`~]/;

/** Loaded at the first word, so that piped output does not wait for it. */
async function openView(io: Io): Promise<MarkdownView> {
  const [{ Lexer }, { MarkdownStream: Stream }, { createWidths }, { createLook }] =
    await Promise.all([
      import("marked"),
      import("../repl/markdown.ts"),
      import("../repl/rows.ts"),
      import("../repl/look.ts"),
    ]);
  const widths = createWidths();
  const look = createLook(io.env);
  let findPainter: FindPainter | undefined;
  const markdown = new Stream({
    look,
    widths,
    findPainter: () => findPainter,
    lexInline: (source) => Lexer.lexInline(source),
    width: () => (io.columns ?? 80) - 1,
  });
  return {
    markdown,
    learn: async (text) => {
      await widths.learn(text);
      if (findPainter === undefined && look.hasColour && fenceSign.test(text))
        findPainter = (await import("../repl/highlight.ts")).createHighlighter();
    },
  };
}

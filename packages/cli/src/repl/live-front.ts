import type { Candidate, Chat, Tone } from "./commands/command.ts";
import type { Front, TurnSink } from "./conductor.ts";
import { Editor } from "./editor.ts";
import { describeWait } from "./format.ts";
import type { Look } from "./look.ts";
import type { MarkdownOptions, MarkdownStream } from "./markdown.ts";
import { Menu } from "./menu.ts";
import type { Overlay, PickList } from "./picker.ts";
import { type Reflow, Screen, type Region, type Size } from "./screen.ts";
import {
  cutTo,
  hangingOf,
  joinCopied,
  renderRow,
  splitCopied,
  wrapSpans,
  type Widths,
} from "./rows.ts";
import type { Status, statusLine } from "./status-line.ts";
import type { ReplClock, KeyboardReader, Terminal } from "./terminal.ts";
import type { ThinkingMode } from "./thinking-view.ts";
import { toOneLine, toTerminal } from "./to-terminal.ts";
import type { TurnView, TurnViewOptions } from "./turn-view.ts";
import { Unsent } from "./unsent.ts";

const pasteOn = "\u001b[?2004h";
const pasteOff = "\u001b[?2004l";

export interface LiveFrontOptions {
  readonly terminal: Terminal;
  readonly clock: ReplClock;
  readonly look: Look;
  readonly widths: Widths;
  readonly reflow: Reflow;
  /** The reader's own pager. */
  readonly pager: string | undefined;
  /** Absent while the library is being loaded. */
  readonly status: () => Status | undefined;
  readonly queued: () => readonly string[];
}

/** What turns and status need of the library once that is there. */
export type TurnContext = Pick<TurnViewOptions, "lexInline" | "findPainter" | "current"> & {
  readonly createView: (options: TurnViewOptions) => TurnView;
  readonly createMarkdown: (options: MarkdownOptions) => MarkdownStream;
  /** Loads what colours code. */
  readonly loadPainter: () => Promise<void>;
  readonly statusLine: typeof statusLine;
};

export interface Search {
  text: string;
  skip: number;
  found: string | undefined;
}

/** The chat on a terminal: scrollback above, live region below. */
export class LiveFront implements Front {
  readonly editor: Editor = new Editor();
  readonly menu: Menu = new Menu();
  readonly screen: Screen;
  readonly #options: LiveFrontOptions;
  #context: TurnContext | undefined;
  #turn: TurnView | undefined;
  #turnAt = 0;
  /** When a failed request is tried again. */
  #triedAgainAt = 0;
  #whyWaiting = "";
  #tick: (() => void) | undefined;
  #hint: string | undefined;
  readonly unsent: Unsent = new Unsent(this.editor);
  /** Absent until keys are read. */
  keyboard: KeyboardReader | undefined;
  /** A long text or a list that fills the screen. */
  overlay: Overlay | undefined;
  search: Search | undefined;

  constructor(options: LiveFrontOptions) {
    this.#options = options;
    const { terminal, clock, widths, reflow } = options;
    this.screen = new Screen({
      terminal,
      clock,
      widths,
      reflow,
      view: (size) => this.#view(size),
    });
  }

  start(): void {
    this.#options.terminal.setRaw(true);
    this.#options.terminal.write(pasteOn);
    this.screen.paint();
  }

  /** Leaves the terminal as it was found. */
  end(): void {
    this.#tick?.();
    this.overlay?.take({ type: "key", name: "escape" });
    this.screen.end();
    this.#options.terminal.write(pasteOff);
    this.#options.terminal.setRaw(false);
  }

  setContext(context: TurnContext): void {
    this.#context = context;
  }

  /** A word at the right end of the status line, until the next key. */
  set hint(text: string | undefined) {
    this.#hint = text;
    this.screen.touch();
  }

  say = (lines: readonly string[], tone: Tone = "plain"): void => {
    this.#turn?.settle();
    this.screen.print(lines.flatMap((line) => this.#sayLine(line, tone)));
  };

  echo = (shown: string): void => {
    const { look } = this.#options;
    this.#turn?.settle();
    const prompt = { text: look.spell("❯ "), formats: ["bold", "cyan"] as const };
    const rows = toTerminal(shown)
      .split("\n")
      .flatMap((line, index) =>
        this.#wrap(
          [index === 0 ? prompt : { text: "  " }, { text: line, formats: ["bold"] }],
          "  ",
        ),
      );
    this.screen.print(rows);
  };

  beginTurn = (mode: ThinkingMode): TurnSink => {
    this.unsent.forget();
    const { look, widths, clock } = this.#options;
    const { createView, lexInline, findPainter, current } = this.#context!;
    const view = createView({
      look,
      widths,
      clock,
      mode,
      lexInline,
      findPainter,
      current,
      width: () => this.#options.terminal.size().columns - 1,
      print: (rows) => this.screen.print(rows),
    });
    this.#turn = view;
    this.#turnAt = clock.now();
    this.#startTicking();
    const leave = (): void => {
      if (this.#turn === view) this.#turn = undefined;
      this.#tick?.();
      this.screen.touch();
    };
    return {
      take: (event) => {
        if (event.type === "answer" && "delta" in event.event) void this.learn(event.event.delta);
        view.take(event);
        this.screen.touch("stream");
      },
      decided: (callId) => view.decided(callId),
      cut: () => {
        view.cut();
        leave();
      },
      end: () => {
        view.end();
        leave();
      },
    };
  };

  edit = (text: string): boolean => {
    if (text !== "" && !this.editor.isEmpty) return false;
    this.editor.set(text);
    this.screen.touch();
    return true;
  };

  giveBack = (text: string): boolean => {
    const isBack = this.edit(text);
    if (isBack) this.unsent.keep(text);
    return isBack;
  };

  page = async (title: string, text: string): Promise<void> => {
    const { pager: command, terminal, look, widths } = this.#options;
    await widths.learn(text);
    const { openPager, runPager } = await import("./pager.ts");
    if (command !== undefined) {
      let isShown = false;
      await this.aside(async () => {
        isShown = await runPager(command, `${title}\n\n${text}\n`);
      });
      if (isShown) return;
    }
    await this.#overlaid<void>((onClose) =>
      openPager({ terminal, look, widths, title, text, onClose }),
    );
  };

  pick = async (list: PickList): Promise<string | undefined> => {
    const { terminal, look, widths } = this.#options;
    await widths.learn(list.choices.map(({ label, help }) => label + help).join(""));
    const { openPicker } = await import("./picker.ts");
    return this.#overlaid<string | undefined>((onClose) =>
      openPicker({ terminal, look, widths, ...list, onClose }),
    );
  };

  #overlaid<T>(open: (onClose: (value: T) => void) => Overlay): Promise<T> {
    this.screen.hold();
    return new Promise((closed) => {
      this.overlay = open((value) => {
        // At once: keys that came in the same read as the last one belong to the editor.
        this.overlay = undefined;
        this.screen.resume();
        closed(value);
      });
    });
  }

  showAnswer = async (markdown: string, most: number): Promise<void> => {
    const { look, widths, terminal } = this.#options;
    const context = this.#context;
    if (context === undefined) return;
    await Promise.all([widths.learn(markdown), context.loadPainter()]);
    const { lexInline, findPainter } = context;
    const width = (): number => terminal.size().columns - 1;
    const stream = context.createMarkdown({ look, widths, lexInline, findPainter, width });
    const rows = [...stream.push(markdown), ...stream.end()];
    const left = Math.max(0, rows.length - most);
    const above = look.spell(`… ${left} ${left === 1 ? "row" : "rows"} above`);
    this.screen.print([...(left > 0 ? [look.paint(above, "dim")] : []), ...rows.slice(left), ""]);
  };

  /** Hands the terminal and the keys to another program: a key may be part of a secret. */
  aside = async (run: () => Promise<void>): Promise<void> => {
    const { terminal } = this.#options;
    this.screen.hold();
    this.keyboard?.stop();
    terminal.write(pasteOff);
    terminal.setRaw(false);
    try {
      await run();
    } finally {
      terminal.setRaw(true);
      terminal.write(pasteOn);
      this.keyboard?.start();
      this.screen.resume();
    }
  };

  wait = (ms: number, why: string): void => {
    this.#triedAgainAt = this.#options.clock.now() + ms;
    this.#whyWaiting = why;
    this.screen.touch("stream");
  };

  changed = (): void => {
    this.screen.touch("stream");
  };

  /** ^T while thinking comes; says whether there was something to flip. */
  flipThinking(): boolean {
    if (this.#turn?.isThinking !== true) return false;
    this.#turn.flip();
    this.screen.touch();
    return true;
  }

  /** Fetches the table of character widths when a text needs it. */
  async learn(text: string): Promise<void> {
    if (await this.#options.widths.learn(text)) this.screen.touch();
  }

  /** Completions for the line as it is; what arrives for an older line is dropped. */
  async suggest(
    line: string,
    complete: (line: string, chat: Chat) => Promise<readonly Candidate[]>,
    chat: Chat,
  ): Promise<void> {
    const candidates = await complete(line, chat);
    if (this.editor.text !== line) return;
    this.menu.show(line, candidates);
    this.screen.touch();
  }

  /** The clocks on the screen go on by themselves. */
  #startTicking(): void {
    const { clock } = this.#options;
    const tick = (): void => {
      this.screen.touch("stream");
      this.#tick = clock.after(1000, tick);
    };
    this.#tick = clock.after(1000, tick);
  }

  #sayLine(line: string, tone: Tone): readonly string[] {
    const { look } = this.#options;
    const indent = hangingOf(line, this.#options.terminal.size().columns - 1);
    const formats = tone === "note" ? (["dim"] as const) : signFormats(line, tone);
    const text = joinCopied(look.spell(toTerminal(line)));
    return this.#wrap([{ text, formats }], " ".repeat(indent), true).map(splitCopied);
  }

  #wrap(
    spans: Parameters<typeof wrapSpans>[0],
    indent: string,
    keepsWords = false,
  ): readonly string[] {
    const { look, widths, terminal } = this.#options;
    const width = terminal.size().columns - 1;
    const hanging = { text: indent.length < width / 2 ? indent : "" };
    const rows = wrapSpans(spans, widths, { width, hanging, keepsWords });
    return rows.map((row) => renderRow(row, look));
  }

  /** The live region: turn, queue, editor, completions, status. A third of the screen at most. */
  #view({ columns, rows }: Size): Region {
    const { look, widths } = this.#options;
    const width = columns - 1;
    const most = Math.max(4, Math.floor(rows / 3));
    const prompt = look.spell(this.search === undefined ? "❯ " : "search: ");
    const edited = this.#editor(prompt, width, Math.max(1, most - 2));
    const menu = this.menu.rows(width, most - 1 - edited.rows.length, look, widths);
    const queued = this.#options
      .queued()
      .slice(-2)
      .map((text) =>
        look.paint(cutTo(look.spell(`▸ queued: ${toOneLine(text)}`), width, widths), "dim"),
      );
    const room = most - 1 - edited.rows.length - menu.length - queued.length;
    const turn =
      this.#turn === undefined || room < 1 ? [] : this.#turnRows(this.#turn, room, width);
    const above = [...turn, ...queued];
    return {
      rows: [...above, ...edited.rows, ...menu, this.#status(width)],
      cursor: { row: above.length + edited.cursor.row, column: edited.cursor.column },
    };
  }

  #turnRows(turn: TurnView, room: number, width: number): readonly string[] {
    const rows = turn.live(room);
    const { look, clock, widths } = this.#options;
    const waited = Math.floor((clock.now() - this.#turnAt) / 1000);
    const left = this.#triedAgainAt - clock.now();
    if (rows.length > 0 || (waited < 1 && left <= 0)) return rows;
    const text = left > 0 ? `… ${describeWait(left, this.#whyWaiting)}` : `… waiting ${waited} s`;
    return [look.paint(cutTo(look.spell(text), width, widths), "dim")];
  }

  #editor(prompt: string, width: number, height: number): Region {
    const { look, widths } = this.#options;
    if (this.search === undefined) return this.editor.layout(prompt, width, height, widths);
    const { text, found } = this.search;
    const match =
      found === undefined ? (text === "" ? "" : "  (nothing)") : `  ${toOneLine(found)}`;
    const row = `${prompt}${text}`;
    return {
      rows: [row + look.paint(cutTo(match, Math.max(4, width - widths.of(row)), widths), "dim")],
      cursor: { row: 0, column: widths.of(row) },
    };
  }

  #status(width: number): string {
    const { look, widths, status } = this.#options;
    const known = status();
    if (known === undefined || this.#context === undefined)
      return look.paint(
        cutTo(look.spell(` … ${this.#hint ?? ""}`.trimEnd()), width, widths),
        "dim",
      );
    return this.#context.statusLine(
      this.#hint === undefined ? known : { ...known, hint: this.#hint, isAnswer: true },
      width,
      look,
      widths,
    );
  }
}

/** The colour of a line by its sign: never colour alone. */
function signFormats(line: string, tone: Tone): readonly ("green" | "red" | "yellow")[] {
  const sign = line.trimStart()[0];
  if (sign === "⚠") return ["yellow"];
  if (sign === "✗" && tone === "bad") return ["red"];
  return sign === "✓" ? ["green"] : [];
}

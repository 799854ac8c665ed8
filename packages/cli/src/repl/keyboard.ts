import { dirname, join } from "node:path";
import { pathsOf } from "../config/paths.ts";
import { exitCodes } from "../frame/exit-code.ts";
import { editorKeys } from "./editor.ts";
import type { ReplEngine } from "./engine.ts";
import { inputHistory, type InputHistory } from "./input-history.ts";
import { readKeys, type Stroke, type ReplClock, type Terminal } from "./terminal.ts";
import type { LiveFront } from "./live-front.ts";
import type { ReplOptions } from "./options.ts";
import { idleHint, type Status } from "./status-line.ts";

export interface KeyboardOptions {
  readonly repl: ReplOptions;
  readonly terminal: Terminal;
  readonly clock: ReplClock;
  readonly front: LiveFront;
}

/** Everything that keys do to the chat. */
export class Keyboard {
  readonly #options: ReplOptions;
  readonly #terminal: Terminal;
  readonly #clock: ReplClock;
  readonly #front: LiveFront;
  readonly #history: InputHistory;
  readonly #ends: (() => void)[] = [];
  #engine: ReplEngine | undefined;
  #early: (() => void)[] = [];
  readonly #typedEarly: string[] = [];
  /** The hint says that Ctrl-C leaves; it stands until another key. */
  #isLeaveAsked = false;
  #finish: (code: number) => void = () => undefined;
  readonly #leaving = new AbortController();
  #stopReading: () => void = () => undefined;

  constructor({ repl, terminal, clock, front }: KeyboardOptions) {
    this.#options = repl;
    this.#terminal = terminal;
    this.#clock = clock;
    this.#front = front;
    const folder = dirname(pathsOf(repl.io).conversations);
    const isKept = repl.settings.save !== false;
    this.#history = inputHistory(isKept ? join(folder, "history.jsonl") : undefined);
  }

  /** Absent while the library is being loaded. */
  get status(): Status | undefined {
    return this.#engine?.status(this.#hint());
  }
  get queued(): readonly string[] {
    return this.#engine?.conductor.queued ?? this.#typedEarly;
  }

  /** Reads keys until the chat ends; resolves to the exit code. */
  async run(): Promise<number> {
    const code = new Promise<number>((finish) => {
      this.#finish = finish;
    });
    this.#front.keyboard = { start: () => this.#startReading(), stop: () => this.#stopReading() };
    this.#ends.push(
      () => this.#stopReading(),
      this.#terminal.onHangup(() => void this.#leave(exitCodes.interrupted)),
      this.#terminal.onResize(() => this.#front.overlay?.repaint()),
    );
    this.#terminal.input.on("end", () => void this.#leave(exitCodes.done));
    this.#startReading();
    try {
      const opening = this.#open();
      // What takes long to start, as MCP servers do, keeps nobody from leaving.
      await Promise.race([opening, code]);
      const left = await code;
      // The programs of servers that were starting end first.
      if (this.#options.mcp !== undefined) await opening.catch(() => undefined);
      return left;
    } finally {
      for (const end of this.#ends) end();
      this.#front.end();
      const name = this.#engine?.name();
      if (name !== undefined && this.#isLeaving) this.#terminal.write(`mull -r ${name}\r\n`);
    }
  }

  #startReading(): void {
    const { input } = this.#terminal;
    const end = readKeys(input, this.#clock, (stroke) => this.#take(stroke));
    this.#stopReading = () => {
      end();
      input.pause();
    };
    input.resume();
  }

  async #open(): Promise<void> {
    const { openEngine } = await import("./engine.ts");
    const { engine, session } = await openEngine(this.#options, {
      clock: this.#clock,
      front: this.#front,
      onLeave: () => void this.#leave(exitCodes.done),
      leaving: this.#leaving.signal,
    });
    if (this.#isLeaving) return session.end();
    const { bannerLines } = await import("./open-session.ts");
    this.#front.say(bannerLines(session, this.#options.simulate === true));
    if (this.#options.resume !== undefined) await engine.conductor.resume(this.#options.resume);
    this.#engine = engine;
    this.#front.screen.touch();
    const { first } = this.#options;
    if (first !== undefined) void engine.conductor.askFirst(first);
    for (const step of this.#early) step();
    this.#early = [];
  }

  get #isLeaving(): boolean {
    return this.#leaving.signal.aborted;
  }

  #hint(): string {
    if (this.#engine?.conductor.isRunning)
      return this.#engine.conductor.queued.length > 0 ? "Esc takes it back" : "Esc stops";
    return idleHint;
  }

  #take(stroke: Stroke): void {
    const front = this.#front;
    if (front.overlay !== undefined) {
      front.overlay.take(stroke);
      return;
    }
    front.hint = undefined;
    if (stroke.type !== "key" || stroke.name !== "ctrl-c") this.#isLeaveAsked = false;
    if (front.search !== undefined) {
      if (this.#takeInSearch(stroke)) return;
    }
    if (stroke.type === "key") this.#takeKey(stroke.name);
    else this.#takeText(stroke);
    front.screen.touch();
  }

  #takeText(stroke: Exclude<Stroke, { type: "key" }>): void {
    const { editor } = this.#front;
    if (stroke.text === "?" && editor.isEmpty && stroke.type === "text") {
      this.#withEngine((engine) => this.#front.say(engine.keyLines()));
      return;
    }
    void this.#front.learn(stroke.text);
    if (stroke.type === "text" && stroke.text.startsWith("/")) this.#front.unsent.stepAside();
    if (stroke.type === "paste") editor.paste(stroke.text);
    else editor.insert(stroke.text);
    this.#edited();
  }

  #takeKey(name: string): void {
    const edit = editorKeys.get(name);
    if (edit !== undefined) {
      edit(this.#front.editor);
      this.#edited();
      return;
    }
    this.#actions.get(name)?.();
  }

  readonly #actions: ReadonlyMap<string, () => void> = new Map([
    ["return", () => this.#enter(false)],
    ["soft-enter", () => this.#enter(true)],
    ["up", () => this.#browse("up")],
    ["down", () => this.#browse("down")],
    ["ctrl-p", () => this.#browse("up")],
    ["ctrl-n", () => this.#browse("down")],
    ["tab", () => this.#complete(1)],
    ["shift-tab", () => this.#shiftTab()],
    ["ctrl-r", () => this.#startSearch()],
    ["ctrl-t", () => this.#thinking()],
    ["ctrl-o", () => this.#withEngine((engine) => void engine.showReceipt())],
    ["ctrl-g", () => void this.#editOutside()],
    ["ctrl-l", () => this.#repaint()],
    ["ctrl-z", () => void this.#front.aside(() => this.#terminal.suspend())],
    ["ctrl-c", () => this.#interrupt()],
    ["ctrl-d", () => this.#endOfInput()],
    ["escape", () => this.#escape()],
  ]);

  #enter(isSoft: boolean): void {
    const { editor, menu } = this.#front;
    const text = editor.text;
    if (isSoft && !text.startsWith("/")) {
      editor.insert("\n");
      return;
    }
    if (!isSoft && editor.takeBackslash()) {
      editor.insert("\n");
      return;
    }
    if (text.trim() === "") return;
    // A file that was chosen in the list is taken; the question goes on.
    if (menu.isChosen && !editor.startsWithSlash) {
      menu.close();
      return;
    }
    const { shown } = editor;
    this.#history.add(text);
    editor.clear();
    menu.close();
    if (this.#engine === undefined) this.#typedEarly.push(shown);
    this.#withEngine((engine) => void this.#submit(engine, text, shown));
  }

  async #submit({ conductor }: ReplEngine, text: string, shown: string): Promise<void> {
    await conductor.submit(text, shown);
    this.#front.unsent.comeBack();
    this.#front.screen.touch();
  }

  #browse(way: "up" | "down"): void {
    const { editor, menu } = this.#front;
    const chosen = menu.move(way === "up" ? -1 : 1);
    if (chosen !== undefined) editor.set(chosen);
    else if (way === "up" && !editor.isOnFirstLine) editor.up();
    else if (way === "down" && !editor.isOnLastLine) editor.down();
    else {
      const line = way === "up" ? this.#history.older(editor.text) : this.#history.newer();
      if (line !== undefined) editor.set(line);
      this.#front.menu.close();
    }
  }

  #edited(): void {
    this.#history.settle();
    const { editor, menu, unsent } = this.#front;
    unsent.comeBack();
    if (editor.startsWithSlash || editor.mention !== undefined) void this.#suggest();
    else menu.close();
  }

  async #suggest(): Promise<void> {
    const engine = this.#engine;
    if (engine === undefined) return;
    await this.#front.suggest(this.#front.editor.text, engine.complete, engine.conductor.chat);
  }

  #complete(step: 1 | -1): void {
    const { menu, editor } = this.#front;
    if (menu.isFor(editor.text)) this.#takeNext(step);
    else if (editor.startsWithSlash || editor.mention !== undefined) void this.#fetchNext(step);
  }

  /** The key was faster than the candidates for this line. */
  async #fetchNext(step: 1 | -1): Promise<void> {
    const { editor } = this.#front;
    const { text } = editor;
    await this.#suggest();
    if (editor.text === text) this.#takeNext(step);
  }

  #takeNext(step: 1 | -1): void {
    const { menu, editor } = this.#front;
    const text = menu.next(step);
    if (text === undefined) return;
    editor.set(text);
    if (text.endsWith(" ") || text.endsWith("/")) void this.#suggest();
    this.#front.screen.touch();
  }

  #shiftTab(): void {
    if (this.#front.menu.isOpen) this.#complete(-1);
    else this.#withEngine((engine) => engine.turnDial());
  }

  #thinking(): void {
    if (this.#front.flipThinking()) return;
    this.#withEngine((engine) => {
      if (!engine.conductor.isRunning) void engine.pageThinking();
    });
  }

  #startSearch(): void {
    this.#front.search = { text: "", skip: 0, found: undefined };
  }

  /** Returns false for keys that end the search and mean something by themselves. */
  #takeInSearch(stroke: Stroke): boolean {
    const front = this.#front;
    const search = front.search!;
    if (stroke.type !== "key") search.text += stroke.text.replaceAll("\n", " ");
    else if (stroke.name === "backspace") search.text = search.text.slice(0, -1);
    else if (stroke.name === "ctrl-r") search.skip++;
    else {
      front.search = undefined;
      const isTaken =
        stroke.name !== "escape" && stroke.name !== "ctrl-c" && stroke.name !== "ctrl-g";
      if (isTaken && search.found !== undefined) front.editor.set(search.found);
      front.screen.touch();
      return true;
    }
    if (stroke.type !== "key" || stroke.name === "backspace") search.skip = 0;
    const found = search.text === "" ? undefined : this.#history.search(search.text, search.skip);
    if (found === undefined && search.skip > 0) search.skip--;
    else search.found = found;
    front.screen.touch();
    return true;
  }

  #interrupt(): void {
    const { editor, menu } = this.#front;
    const isAgain = this.#isLeaveAsked;
    this.#isLeaveAsked = false;
    if (this.#engine?.conductor.isRunning) {
      this.#engine.conductor.stop();
      return;
    }
    if (!editor.isEmpty) {
      this.#history.add(editor.text);
      editor.clear();
      menu.close();
      this.#engine?.conductor.cancelEdit();
      return;
    }
    if (isAgain) void this.#leave(exitCodes.done);
    this.#isLeaveAsked = true;
    this.#front.hint = "Ctrl-C again to leave";
  }

  #escape(): void {
    const { editor, menu } = this.#front;
    const conductor = this.#engine?.conductor;
    if (menu.isOpen) menu.close();
    else if (conductor !== undefined && conductor.queued.length > 0) {
      const typed = editor.text;
      const text = conductor.unqueue()!;
      editor.set(typed === "" ? text : `${text}\n${typed}`);
    } else if (conductor?.isRunning) conductor.stop();
  }

  #endOfInput(): void {
    if (this.#front.editor.isEmpty) void this.#leave(exitCodes.done);
    else this.#front.editor.delete();
  }

  #repaint(): void {
    this.#front.screen.hold();
    this.#front.screen.resume();
  }

  async #editOutside(): Promise<void> {
    const { env } = this.#options.io;
    const { editor } = this.#front;
    const command = env["VISUAL"] || env["EDITOR"] || "vi";
    const { editOutside } = await import("./edit-outside.ts");
    try {
      await this.#front.aside(async () => {
        editor.set(await editOutside(editor.text, command, this.#terminal));
      });
    } catch {
      this.#front.say([`✗ ${command} could not be run. Set EDITOR to the editor you use.`], "bad");
    }
    this.#front.screen.touch();
  }

  /** Now, or as soon as the library is loaded. */
  #withEngine(step: (engine: ReplEngine) => void): void {
    if (this.#engine !== undefined) step(this.#engine);
    else this.#early.push(() => step(this.#engine!));
  }

  async #leave(code: number): Promise<void> {
    if (this.#isLeaving) return;
    this.#leaving.abort();
    await this.#engine?.conductor.close();
    this.#finish(code);
  }
}

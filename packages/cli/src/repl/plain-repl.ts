import { createInterface, type Interface } from "node:readline";
import type { AgentEvent } from "mull";
import { exitCodes } from "../frame/exit-code.ts";
import type { Tone } from "./commands/command.ts";
import { Conductor, type Front, type TurnSink } from "./conductor.ts";
import { describeWait } from "./format.ts";
import { createLook, type Look } from "./look.ts";
import { askForUpdate, bannerLines, openSession, statusOf } from "./open-session.ts";
import type { ReplOptions } from "./options.ts";
import { PlainTurn } from "./plain-turn.ts";
import type { ChatSession } from "./session.ts";
import { statusText } from "./status-line.ts";
import type { ReplClock, KeyboardReader, Terminal } from "./terminal.ts";
import type { ThinkingMode } from "./thinking-view.ts";
import { toTerminal } from "./to-terminal.ts";

/** The chat as labelled lines: nothing is redrawn, so that a screen reader and a log can follow. */
export async function runPlain(
  options: ReplOptions,
  terminal: Terminal,
  clock: ReplClock,
): Promise<number> {
  const look = createLook({ ...options.io.env, NO_COLOR: "1" });
  const front = new PlainFront(terminal, look, clock);
  const session = await openSession(options, {
    clock,
    say: (message) => front.say([message], "note"),
    wait: (ms, why) => front.say([describeWait(ms, why)], "note"),
  });
  let leave: (() => void) | undefined;
  const conductor = new Conductor({
    session,
    io: options.io,
    front,
    clock,
    mode: options.settings.think ?? "peek",
    onLeave: () => leave?.(),
    notice: () => askForUpdate(options),
  });
  front.session = session;
  front.say(bannerLines(session, options.simulate === true));
  if (options.resume !== undefined) await conductor.resume(options.resume);
  if (options.first !== undefined) await conductor.askFirst(options.first);
  const code = await new Promise<number>((finish) => {
    leave = () => finish(exitCodes.done);
    readLines({ terminal, conductor, front, finish });
  });
  await conductor.close();
  if (session.keeper.name !== undefined) terminal.write(`mull -r ${session.keeper.name}\n`);
  return code;
}

interface PlainReading {
  readonly terminal: Terminal;
  readonly conductor: Conductor;
  readonly front: PlainFront;
  readonly finish: (code: number) => void;
}

/** One line is one message; a backslash at its end asks for another. */
function readLines({ terminal, conductor, front, finish }: PlainReading): void {
  let lines: Interface | undefined;
  let begun = "";
  let last: Promise<void> = Promise.resolve();
  const prompt = (): void => {
    if (!conductor.isRunning) front.prompt();
  };
  const silence = [
    terminal.onHangup(() => end(exitCodes.interrupted)),
    terminal.onInterrupt(() => {
      if (conductor.isRunning) conductor.stop();
      else leave();
    }),
  ];
  /** No Enter was typed, so the prompt's row is still open. */
  const leave = (): void => {
    terminal.write("\n");
    end(exitCodes.done);
  };
  const end = (code: number): void => {
    for (const stop of silence) stop();
    stop();
    void last.then(() => finish(code));
  };
  const take = (line: string): void => {
    if (line.endsWith("\\")) {
      begun += `${line.slice(0, -1)}\n`;
      return;
    }
    const typed = begun + line;
    begun = "";
    if (typed.trim() === "") return;
    // `?` is a key in the live chat and a whole line here; it is never a question.
    const text = typed.trim() === "?" ? "/help" : typed;
    // Commands may act on a running turn; questions wait for it by themselves.
    const step = conductor.submit(text).then(prompt);
    last = Promise.all([last, step]).then(() => undefined);
  };
  const start = (): void => {
    lines = createInterface({ input: terminal.input, terminal: false });
    lines.on("line", take).on("close", leave);
  };
  /** Drop what it has buffered, so that nothing typed earlier ends up in the next line. */
  const stop = (): void => {
    lines?.removeAllListeners("line").removeAllListeners("close").close();
  };
  front.keyboard = { start, stop };
  start();
  prompt();
}

class PlainFront implements Front {
  readonly isPlain = true;
  readonly #terminal: Terminal;
  readonly #look: Look;
  readonly #clock: ReplClock;
  session: ChatSession | undefined;
  keyboard: KeyboardReader | undefined;

  constructor(terminal: Terminal, look: Look, clock: ReplClock) {
    this.#terminal = terminal;
    this.#look = look;
    this.#clock = clock;
  }

  prompt(): void {
    if (this.session !== undefined) this.#line(`note: ${statusText(statusOf(this.session, ""))}`);
    this.#terminal.write("you: ");
  }

  say = (lines: readonly string[], tone: Tone = "plain"): void => {
    const label = tone === "note" ? "note: " : "";
    for (const line of lines)
      if (line !== "") this.#line(`${label}${withoutKeys(toTerminal(line))}`);
  };

  /** The person's own terminal has shown it. */
  echo = (): void => undefined;

  beginTurn = (mode: ThinkingMode): TurnSink => {
    const turn = new PlainTurn({
      mode,
      clock: this.#clock,
      vendor: () => this.session?.target.provider.name ?? "the provider",
      line: (text) => this.#line(text),
    });
    return {
      take: (event: AgentEvent) => turn.take(event),
      decided: () => undefined,
      cut: () => turn.cut(),
      end: () => turn.end(),
    };
  };

  edit = (text: string): boolean => {
    if (text !== "") this.#line(`note: your message was: ${toTerminal(text)}`);
    return false;
  };

  giveBack = this.edit;

  page = (title: string, text: string): Promise<void> => {
    this.say([title, ...text.split("\n")]);
    return Promise.resolve();
  };

  /** Whole: there is no screen it could fill. */
  showAnswer = (markdown: string): Promise<void> => {
    this.say(`answer: ${markdown}`.split("\n"));
    return Promise.resolve();
  };

  aside = async (run: () => Promise<void>): Promise<void> => {
    this.keyboard?.stop();
    try {
      await run();
    } finally {
      this.keyboard?.start();
    }
  };

  changed = (): void => undefined;

  #line(text: string): void {
    this.#terminal.write(`${this.#look.spell(text)}\n`);
  }
}

/** There are no keys here, so the hint names the command instead, and nothing completes. */
const withoutKeys = (line: string): string =>
  line.replace(/ · \^O$/, " · /receipt").replace(/ Tab completes.*$/, "");

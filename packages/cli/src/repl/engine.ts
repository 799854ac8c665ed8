import { levels } from "mull";
import type { Candidate, Chat } from "./commands/command.ts";
import { pageThinking, showReceipt } from "./commands/inspect.ts";
import { keyLines } from "./commands/table.ts";
import { Conductor } from "./conductor.ts";
import type { FindPainter } from "./highlight.ts";
import type { LiveFront } from "./live-front.ts";
import { completeLine } from "./complete-line.ts";
import { createLook } from "./look.ts";
import { levelMeaning } from "./level-meaning.ts";
import { MarkdownStream } from "./markdown.ts";
import { askForUpdate, currentOf, lexInline, openSession, statusOf } from "./open-session.ts";
import type { ReplOptions } from "./options.ts";
import type { ChatSession } from "./session.ts";
import { statusLine, type Status } from "./status-line.ts";
import type { ReplClock } from "./terminal.ts";
import { TurnView } from "./turn-view.ts";

/** What the keys need of the library. */
export interface ReplEngine {
  readonly conductor: Conductor;
  readonly complete: (line: string, chat: Chat) => Promise<readonly Candidate[]>;
  readonly keyLines: () => readonly string[];
  /** One stop up; after the last comes the first. */
  readonly turnDial: () => void;
  readonly showReceipt: () => Promise<void>;
  readonly pageThinking: () => Promise<void>;
  readonly status: (hint: string) => Status;
  /** The name to come back with. */
  readonly name: () => string | undefined;
}

interface EngineSetup {
  readonly clock: ReplClock;
  readonly front: LiveFront;
  readonly onLeave: () => void;
  readonly leaving: AbortSignal;
}

export async function openEngine(
  options: ReplOptions,
  { clock, front, onLeave, leaving }: EngineSetup,
): Promise<{ readonly engine: ReplEngine; readonly session: ChatSession }> {
  const session = await openSession(options, {
    hasStatusLine: true,
    clock,
    say: (message) => front.say([message], "note"),
    wait: front.wait,
    leaving,
  });
  // Loaded while the first answer is waited for: the prompt does not wait for twenty grammars.
  let findPainter: FindPainter | undefined;
  const loadPainter = async (): Promise<void> => {
    if (findPainter === undefined && createLook(options.io.env).hasColour)
      findPainter = (await import("./highlight.ts")).createHighlighter();
  };
  front.setContext({
    lexInline,
    current: () => currentOf(session),
    findPainter: () => findPainter,
    loadPainter,
    createMarkdown: (view) => new MarkdownStream(view),
    createView: (view) => {
      void loadPainter();
      return new TurnView(view);
    },
    statusLine,
  });
  const conductor = new Conductor({
    session,
    io: options.io,
    front,
    clock,
    mode: options.settings.think ?? "peek",
    onLeave,
    notice: () => askForUpdate(options),
  });
  const { chat } = conductor;
  const engine: ReplEngine = {
    conductor,
    complete: completeLine,
    keyLines,
    turnDial: () => {
      const next = levels[(levels.indexOf(session.target.level) + 1) % levels.length]!;
      front.hint = levelMeaning(session.useLevel(next));
    },
    showReceipt: () => conductor.attempt(() => showReceipt("", chat)),
    pageThinking: () => conductor.attempt(() => pageThinking("", chat)),
    status: (hint) => statusOf(session, hint),
    name: () => session.keeper.name,
  };
  return { engine, session };
}

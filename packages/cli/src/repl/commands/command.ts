import type { UserPart } from "mull";
import type { Io } from "../../frame/io.ts";
import type { PickList } from "../picker.ts";
import type { ChatSession } from "../session.ts";
import type { ThinkingMode } from "../thinking-view.ts";

export type Tone = "plain" | "note" | "good" | "bad";

/** What a command may do to the chat around it. */
export interface Chat {
  readonly session: ChatSession;
  readonly io: Io;
  readonly say: (lines: readonly string[], tone?: Tone) => void;
  readonly isRunning: () => boolean;
  /** Input comes in whole lines: the only keys are Enter and the terminal's own. */
  readonly isPlain: boolean;
  readonly thinkingMode: () => ThinkingMode;
  readonly setThinkingMode: (mode: ThinkingMode) => void;
  /** Puts a text into the editor. */
  readonly edit: (text: string) => void;
  /** What is sent next takes the place of this question; says whether its text is in the editor. */
  readonly editQuestion: (text: string, at: number) => boolean;
  /** Asks; `fix` lets a known refusal be repaired. */
  readonly ask: (input: string | readonly UserPart[], options?: { readonly fix?: boolean }) => void;
  /** Shows a long text on a screen of its own. */
  readonly page: (title: string, text: string) => Promise<void>;
  /** Lets the person choose from a list; absent if there are only whole lines. */
  readonly pick?: (list: PickList) => Promise<string | undefined>;
  /** Shows an answer that was given before as it was shown then, its last rows if it is long. */
  readonly showAnswer: (markdown: string, mostRows: number) => Promise<void>;
  /** Shows a question that was asked before. */
  readonly echo: (shown: string) => void;
  /** Lets another program have the terminal for a while. */
  readonly aside: (run: () => Promise<void>) => Promise<void>;
  /** Writes to a file: the chat waits for it before it exits. */
  readonly keep: (writing: Promise<void>) => Promise<void>;
  readonly leave: () => void;
}

export interface Candidate {
  /** What the line becomes when it is chosen. */
  readonly value: string;
  /** What the list shows, if that is not the whole line. */
  readonly label?: string;
  readonly help: string;
  /** Possible, but not usable now. */
  readonly isDim?: boolean;
}

/** One row: help, completion and what it does. */
export interface SlashCommand {
  readonly name: string;
  /** Another name, for fingers that know it from elsewhere. */
  readonly alias?: string;
  /** What may follow the name; absent if nothing may. */
  readonly usage?: string;
  readonly help: string;
  /** May be used while an answer is coming. */
  readonly anytime?: true;
  readonly complete?: (
    words: string,
    chat: Chat,
  ) => readonly Candidate[] | Promise<readonly Candidate[]>;
  readonly run: (words: string, chat: Chat) => void | Promise<void>;
}

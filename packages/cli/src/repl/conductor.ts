import type { AgentEvent, AgentResult, UserPart } from "mull";
import { grouped } from "mull/wire";
import { describeQuestion } from "../ask/file-part.ts";
import type { Io } from "../frame/io.ts";
import { Approvals } from "./approvals.ts";
import type { Chat, Tone } from "./commands/command.ts";
import { openConversation } from "./commands/conversations.ts";
import { runSlash } from "./commands/table.ts";
import { nearestModel } from "../session/resolve.ts";
import { errorLines, isAborted, isMissing, vendorOf } from "./error-text.ts";
import { adjustedLine } from "./receipt-text.ts";
import type { Mentioned } from "./mentions.ts";
import type { PickList } from "./picker.ts";
import type { ChatSession } from "./session.ts";
import type { ReplClock } from "./terminal.ts";
import type { ThinkingMode } from "./thinking-view.ts";

/** Shows one turn. */
export interface TurnSink {
  readonly take: (event: AgentEvent) => void;
  /** A call no longer waits for a person. */
  readonly decided: (callId: string) => void;
  /** It was stopped or broke. */
  readonly cut: () => void;
  readonly end: () => void;
}

/** Whatever shows the chat to people: a screen, or plain lines. */
export interface Front {
  /** It reads whole lines and knows no keys. */
  readonly isPlain?: true;
  readonly say: (lines: readonly string[], tone?: Tone) => void;
  readonly echo: (shown: string) => void;
  readonly beginTurn: (mode: ThinkingMode) => TurnSink;
  /** Puts a text into the editor unless something is being typed there; says whether it did. */
  readonly edit: (text: string) => boolean;
  /** As `edit`, for a message that could not be sent. */
  readonly giveBack: (text: string) => boolean;
  readonly page: (title: string, text: string) => Promise<void>;
  readonly pick?: (list: PickList) => Promise<string | undefined>;
  readonly showAnswer: (markdown: string, mostRows: number) => Promise<void>;
  readonly aside: (run: () => Promise<void>) => Promise<void>;
  /** Something the status shows has changed. */
  readonly changed: () => void;
}

export interface ConductorOptions {
  readonly session: ChatSession;
  readonly io: Io;
  readonly front: Front;
  readonly clock: ReplClock;
  readonly mode: ThinkingMode;
  readonly onLeave: () => void;
  /** A line to say after the first answer. */
  readonly notice?: () => Promise<string | undefined>;
}

interface Queued {
  readonly text: string;
  readonly shown: string;
  /** The files that `@path` names in it, and what to say about each. */
  readonly files: readonly UserPart[];
  readonly lines: readonly string[];
}

/** A second stop within this time means: stop waiting for anything. */
const insistMs = 2000;
/** What is typed behind a command waits for it no longer than this. */
const patienceMs = 3000;
const nothing = (): void => undefined;
const isCommand = (text: string): boolean => /^\/[a-z]*(?:\s|$)/.test(text);
/** Words that leave a shell also leave the chat: as a question they would only cost something. */
const isLeaving = (text: string): boolean => /^(?:exit|quit)$/.test(text.trim());

/** Decides what runs next: questions, commands, the queue, stopping. Knows nothing of keys and screens. */
export class Conductor {
  readonly #options: ConductorOptions;
  readonly #chat: Chat;
  readonly #approvals: Approvals;
  #mode: ThinkingMode;
  #queue: Queued[] = [];
  #turn: Promise<void> | undefined;
  #stop: AbortController | undefined;
  #stoppedAt = -Infinity;
  #abandon: (() => void) | undefined;
  #isNoticed = false;
  /** Resolves when what was typed last is carried out, or has begun; absent once it is. */
  #taking: Promise<void> | undefined;
  readonly #writing = new Set<Promise<void>>();
  /** Where the question begins that is being edited: sending goes back there first. */
  #editedAt: number | undefined;

  constructor(options: ConductorOptions) {
    this.#options = options;
    this.#mode = options.mode;
    const { session, io, front, onLeave } = options;
    this.#approvals = new Approvals({ say: front.say, permissions: session.permissions });
    this.#chat = {
      session,
      io,
      say: front.say,
      page: front.page,
      ...(front.pick !== undefined && { pick: front.pick }),
      showAnswer: front.showAnswer,
      echo: front.isPlain === true ? (shown) => front.say([`you: ${shown}`]) : front.echo,
      aside: front.aside,
      edit: (text) => void front.edit(text),
      editQuestion: (text, at) => {
        this.#editedAt = at;
        return front.giveBack(text);
      },
      keep: (writing) => this.#keep(writing),
      leave: onLeave,
      isRunning: () => this.isRunning,
      isPlain: front.isPlain === true,
      thinkingMode: () => this.#mode,
      setThinkingMode: (mode) => {
        this.#mode = mode;
      },
      ask: (input, more) => this.#begin(input, more),
    };
  }

  get chat(): Chat {
    return this.#chat;
  }
  get isRunning(): boolean {
    return this.#turn !== undefined;
  }
  get queued(): readonly string[] {
    return this.#queue.map(({ shown }) => shown);
  }

  /** Sends, queues or carries out what was typed. */
  async submit(text: string, shown: string = text): Promise<void> {
    const before = this.#taking;
    // `/keys set` takes the keyboard at once: a key that was pasted behind it must not reach the chat.
    const isAtOnce = before === undefined || text.startsWith("/k");
    const begun = isAtOnce
      ? this.#take(text, shown)
      : this.#wait(before).then(() => this.#take(text, shown));
    const taking: Promise<void> = begun.then(nothing, nothing).finally(() => {
      if (this.#taking === taking) this.#taking = undefined;
    });
    this.#taking = taking;
    if (await begun) await this.#turn;
  }

  /** `/file a.pdf` and the question behind it may come in one breath: the file is read first. */
  async #wait(before: Promise<void>): Promise<void> {
    let cancel = nothing;
    const patience = new Promise<void>((resolve) => {
      cancel = this.#options.clock.after(patienceMs, resolve);
    });
    await Promise.race([before, patience]);
    cancel();
  }

  /** Says whether a turn has begun. */
  async #take(text: string, shown: string): Promise<boolean> {
    if (isCommand(text) || isLeaving(text)) {
      await this.command(isCommand(text) ? text : "/exit");
      return false;
    }
    if (this.#approvals.isAsking) {
      this.#options.front.echo(shown);
      this.#approvals.answer(text);
      return false;
    }
    const { lines, parts: files } = await this.#readMentioned(text);
    if (this.isRunning) {
      this.#queue.push({ text, shown, files, lines });
      this.#options.front.changed();
      return false;
    }
    this.#options.front.echo(shown);
    this.#options.front.say(lines, "note");
    await this.#goBack();
    this.#begin(text, { files });
    return true;
  }

  /** Loaded only for a text that may name a file. */
  async #readMentioned(text: string): Promise<Mentioned> {
    if (!text.includes("@")) return { parts: [], lines: [] };
    return (await import("./mentions.ts")).readMentioned(text, this.#options.io);
  }

  /** The question that was being edited is left as it was asked. */
  cancelEdit(): void {
    if (this.#editedAt === undefined) return;
    this.#editedAt = undefined;
    this.#options.session.attached = [];
  }

  async #goBack(): Promise<void> {
    const at = this.#editedAt;
    this.#editedAt = undefined;
    if (at !== undefined) await this.#options.session.rewind(at);
  }

  async command(line: string): Promise<void> {
    const { front, session } = this.#options;
    front.echo(line);
    const { history } = session;
    await this.attempt(() => runSlash(line, this.#chat));
    // The conversation changed, so the question being edited is gone.
    if (session.history !== history) this.#editedAt = undefined;
  }

  /** Runs an action and prints its error. */
  async attempt(step: () => void | Promise<void>): Promise<void> {
    const { front } = this.#options;
    try {
      await step();
    } catch (error) {
      front.say(errorLines(error), "bad");
    }
    front.changed();
  }

  resume(name: string): Promise<void> {
    return openConversation(name, this.#chat);
  }

  /** The question the chat was started with. */
  askFirst(parts: readonly UserPart[]): Promise<void> {
    this.#options.front.echo(describeQuestion(parts));
    this.#begin(parts);
    return this.#turn ?? Promise.resolve();
  }

  /** Stops the turn; again soon after, does not wait for it either. */
  stop(): void {
    const now = this.#options.clock.now();
    if (this.#stop?.signal.aborted && now - this.#stoppedAt < insistMs) this.#abandon?.();
    this.#stoppedAt = now;
    this.#stop?.abort();
  }

  /** The last queued text, back from the queue. */
  unqueue(): string | undefined {
    return this.#queue.pop()?.text;
  }

  /** Ends whatever runs and keeps everything. */
  async close(): Promise<void> {
    this.#queue = [];
    this.stop();
    await this.#turn;
    await Promise.allSettled(this.#writing);
    await this.#options.session.end();
  }

  async #keep(writing: Promise<void>): Promise<void> {
    this.#writing.add(writing);
    try {
      await writing;
    } finally {
      this.#writing.delete(writing);
    }
  }

  #begin(
    input: string | readonly UserPart[],
    { files = [], ...more }: { readonly fix?: boolean; readonly files?: readonly UserPart[] } = {},
  ): void {
    const { session } = this.#options;
    if (files.length > 0) session.attached = [...session.attached, ...files];
    this.#stop = new AbortController();
    this.#turn = this.#run(input, { ...more, signal: this.#stop.signal }).finally(() => {
      this.#turn = undefined;
      this.#options.front.changed();
      const next = this.#queue.shift();
      if (next === undefined) return;
      this.#options.front.echo(next.shown);
      this.#options.front.say(next.lines, "note");
      this.#begin(next.text, { files: next.files });
    });
    this.#options.front.changed();
  }

  async #run(
    input: string | readonly UserPart[],
    asked: Omit<Parameters<ChatSession["ask"]>[1], "decide">,
  ): Promise<void> {
    const { session, front } = this.#options;
    const sink = front.beginTurn(this.#mode);
    const abandoned = new Promise<"abandoned">((resolve) => {
      this.#abandon = () => resolve("abandoned");
    });
    const events = session.ask(input, {
      ...asked,
      decide: async (pending) => {
        const decision = await this.#approvals.ask(pending, asked.signal);
        sink.decided(pending.call.id);
        return decision;
      },
    });
    let result: AgentResult | undefined;
    try {
      for (;;) {
        const step = await Promise.race([events.next(), abandoned]);
        if (step === "abandoned") {
          session.abandon();
          sink.cut();
          front.say(["■ stopped, without waiting for what was still running"], "note");
          return;
        }
        if (step.done) break;
        if (step.value.type === "turn") result = step.value.result;
        sink.take(step.value);
        front.changed();
      }
      sink.end();
      front.say(afterLines(result), "note");
      void this.#notice();
    } catch (error) {
      sink.cut();
      this.#report(error, input);
    }
  }

  async #notice(): Promise<void> {
    if (this.#isNoticed) return;
    this.#isNoticed = true;
    const line = await this.#options.notice?.();
    if (line !== undefined) this.#options.front.say([line], "note");
  }

  #report(error: unknown, input: string | readonly UserPart[]): void {
    const { session, front, io } = this.#options;
    const isStopped = isAborted(error);
    const isLost = session.lastFailure?.isLost ?? true;
    if (isStopped) front.say([isLost ? "■ stopped before the answer began" : "■ stopped"], "note");
    else {
      const known = session.explain(error, input);
      front.say(errorLines(error, { known, env: io.env }), "bad");
    }
    this.#leaveMissing(error);
    if (!isLost) return;
    const text = typeof input === "string" ? input : textIn(input);
    const isBack = text !== "" && front.giveBack(text);
    if (isBack && !isStopped) front.say([backLine], "note");
  }

  /** A model that the service does not have would fail every question to come. */
  #leaveMissing(error: unknown): void {
    const { session, front } = this.#options;
    const missing = session.target.model.id;
    const isLeft = session.leaveMissing(error);
    const { model, level } = session.target;
    const meant = isMissing(error, missing) ? nearestModel(missing) : undefined;
    if (meant !== undefined && meant !== model.id) front.say([`  Did you mean /model ${meant}?`]);
    if (isLeft) front.say([`⚠ There is no ${missing}: ${model.id}/${level} answers again.`]);
  }
}

const backLine = "Your message is back in the editor. Enter sends it again, / begins a command.";

const textIn = (parts: readonly UserPart[]): string =>
  parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");

/** Warnings about an answer that is not quite what was asked for. */
function afterLines(result: AgentResult | undefined): readonly string[] {
  if (result === undefined) return [];
  const adjusted = result.receipts.flatMap((receipt) => adjustedLine(receipt) ?? []);
  return [...new Set(adjusted), ...finishLines(result)];
}

function finishLines({ finish, text, usage, receipt }: AgentResult): readonly string[] {
  const room = receipt.plan.maxOutputTokens;
  const cap = room === undefined ? "" : ` of ${grouped(room)} tokens`;
  switch (finish.reason) {
    case "length":
      return text.trim() === ""
        ? [
            `⚠ No answer: thinking took all the room${cap}${usage.thinking === undefined ? "" : `, ${grouped(usage.thinking)} of it`}. /level low, then /retry`,
          ]
        : [`⚠ The answer was cut by the output limit${cap}.`];
    case "content-filter":
      return [`⚠ The content filter of ${vendorOf(receipt.plan.provider)} ended the answer.`];
    case "refusal":
      return ["⚠ The model declined to answer."];
    case "max-steps":
    case "budget":
    case "stop-when":
      return [`⚠ ${finish.note ?? "The turn took too many steps"}. Say "go on" to continue.`];
    case "stop":
    case "tool-calls":
    case "pause":
    case "approval":
    case "error":
      return finish.note === undefined ? [] : [`⚠ ${finish.note}`];
    default:
      return finish.reason satisfies never;
  }
}

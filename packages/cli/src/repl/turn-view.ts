import type { AgentEvent, AssistantPart, ChatResult, ToolCallPart, ToolResultPart } from "mull";
import { outcomeOf, type ShownCall } from "./call-outcome.ts";
import type { FindPainter } from "./highlight.ts";
import type { LexInline } from "./inline.ts";
import type { Look } from "./look.ts";
import { MarkdownStream } from "./markdown.ts";
import { fallbackLine, type FallbackEvent } from "./fallback-line.ts";
import { cutTo, renderRow, wrapSpans, type Widths } from "./rows.ts";
import { runningLine, thoughtLine, type ThoughtLine, type ThinkingMode } from "./thinking-view.ts";
import { toOneLine, toTerminal } from "./to-terminal.ts";
import type { ReplClock } from "./terminal.ts";

/** Something of the turn that is not in the scrollback yet. */
interface PendingItem {
  readonly rows: () => readonly string[];
  /** Final, apart from token counts that may still arrive. */
  isDone: boolean;
  isCounted: boolean;
}

interface RunningThought {
  text: string;
  readonly startedAt: number;
  /** What of the text is printed already, in full mode. */
  printed: number;
  isOpened: boolean;
}

interface RunningCall extends ShownCall {
  readonly part: ToolCallPart;
  readonly item: PendingItem;
}

export interface TurnViewOptions {
  readonly look: Look;
  readonly widths: Widths;
  readonly lexInline: LexInline;
  readonly findPainter: () => FindPainter | undefined;
  readonly clock: ReplClock;
  readonly width: () => number;
  readonly print: (rows: readonly string[]) => void;
  readonly mode: ThinkingMode;
  /** Vendor and kind of thinking of the step that runs now. */
  readonly current: () => { readonly vendor: string; readonly visible: string };
}

/**
 * Shows a turn while it happens: blocks in the order they come. A finished row goes to the
 * scrollback at once, except after a thought whose token count is not known yet: those rows wait
 * as long as the live region has room.
 */
export class TurnView {
  readonly #options: TurnViewOptions;
  #mode: ThinkingMode;
  #items: PendingItem[] = [];
  #room = 4;
  #thinking: RunningThought | undefined;
  #thoughts: { thought: ThoughtLine; readonly item: PendingItem }[] = [];
  #markdown: MarkdownStream | undefined;
  #calls: RunningCall[] = [];
  #last: "start" | "thought" | "call" | "text" = "start";

  constructor(options: TurnViewOptions) {
    this.#options = options;
    this.#mode = options.mode;
  }

  get isThinking(): boolean {
    return this.#thinking !== undefined;
  }

  take(event: AgentEvent): void {
    switch (event.type) {
      case "answer":
        this.#takeAnswer(event.event);
        break;
      case "step":
        this.#endStep(event.result);
        break;
      case "tool-result":
        this.#takeResult(event.result);
        break;
      case "fallback":
        this.#takeFallback(event);
        break;
      case "approval":
        for (const { call } of event.pending) this.#setAsked(call.id, true);
        break;
      case "turn":
        break;
      default:
        event satisfies never;
    }
    this.#release(false);
  }

  /** Its clock begins now: until here, it waited for a person. */
  decided(callId: string): void {
    this.#setAsked(callId, false);
  }

  /** Shows this block the other way, to its end. */
  flip(): void {
    this.#mode = this.#mode === "full" ? "peek" : "full";
    if (this.#mode === "full") this.#printThinking();
  }

  /** The turn was stopped or broke: the open block is cut. */
  cut(): void {
    this.#cutThinking();
    this.#endText();
    for (const call of this.#calls) {
      call.isStopped = true;
      call.item.isDone = true;
    }
    this.end();
  }

  end(): void {
    this.#endText();
    this.#release(true);
    if (this.#last === "text") this.#options.print([""]);
    this.#last = "start";
  }

  /** Lets go what is finished, so that something else can be printed below it. */
  settle(): void {
    this.#release(true);
  }

  /** The rows that still change, `room` of them at most. */
  live(room: number): readonly string[] {
    this.#room = room;
    const rows = this.#items.flatMap((item) => item.rows());
    if (this.#thinking !== undefined) rows.push(...this.#thinkingRows(this.#thinking));
    if (this.#markdown !== undefined) rows.push(...this.#markdown.open(Math.max(1, room - 1)));
    return rows.slice(-Math.max(1, room));
  }

  #takeAnswer(event: Extract<AgentEvent, { type: "answer" }>["event"]): void {
    switch (event.type) {
      case "thinking":
        this.#endText();
        this.#think(event.delta);
        break;
      case "text":
        this.#say(event.delta);
        break;
      case "part":
        this.#endPart(event.part);
        break;
      case "start":
      case "heartbeat":
      case "tool-call":
      case "tool-input":
        break;
      default:
        event satisfies never;
    }
  }

  #think(delta: string): void {
    this.#thinking ??= {
      text: "",
      startedAt: this.#options.clock.now(),
      printed: 0,
      isOpened: false,
    };
    this.#thinking.text += delta;
    if (this.#mode === "full") this.#printThinking();
  }

  /** Full mode: whole lines of the thinking go to the scrollback, dim, behind a bar. */
  #printThinking(isEnd = false): void {
    const { look, current } = this.#options;
    const running = this.#thinking;
    if (running === undefined || running.text === "") return;
    if (!running.isOpened) {
      this.#release(true);
      this.#addRows([look.paint(look.spell(`∴ thinking · ${current().visible}`), "dim")]);
      running.isOpened = true;
    }
    const end = isEnd ? running.text.length : running.text.lastIndexOf("\n") + 1;
    if (end <= running.printed) return;
    const lines = running.text.slice(running.printed, end).replace(/\n$/, "").split("\n");
    this.#addRows(lines.flatMap((line) => this.#barred(line)));
    running.printed = end;
    this.#release(true);
  }

  #barred(line: string): readonly string[] {
    const { look, widths, width } = this.#options;
    const bar = { text: look.spell("┆ ") };
    const text = { text: toTerminal(line).replaceAll("\t", "  ") };
    return wrapSpans([bar, text], widths, { width: width(), hanging: bar }).map((row) =>
      look.paint(row.map((span) => span.text).join(""), "dim"),
    );
  }

  #thinkingRows({ text, startedAt, printed }: RunningThought): readonly string[] {
    const { look, clock, widths, width } = this.#options;
    const said = look.spell(runningLine(clock.now() - startedAt, text));
    const line = look.paint(cutTo(said, width(), widths), "dim");
    if (this.#mode === "hide") return [line];
    const shown = this.#mode === "full" ? text.slice(printed) : text.slice(-600).trimEnd();
    const preview = shown === "" ? [] : shown.split("\n").flatMap((part) => this.#barred(part));
    return this.#mode === "full" ? [...preview.slice(-3), line] : [line, ...preview.slice(-3)];
  }

  #endPart(part: AssistantPart): void {
    if (part.type === "thinking") {
      const startedAt = this.#thinking?.startedAt ?? this.#options.clock.now();
      const measuredMs = this.#options.clock.now() - startedAt;
      this.#endThinking({ part, measuredMs, ...this.#context() });
    } else if (part.type === "text") {
      this.#endText();
    } else if (part.type === "tool-call") {
      this.#addCall(part);
    }
  }

  /** Discards what the failed model has shown of this step. */
  #takeFallback(event: FallbackEvent): void {
    this.#cutThinking();
    this.#endText();
    this.settle();
    const { look, widths, width } = this.#options;
    const spans = [{ text: look.spell(fallbackLine(event)), formats: ["yellow"] as const }];
    const rows = wrapSpans(spans, widths, { width: width(), hanging: { text: "  " } });
    this.#addRows(rows.map((row) => renderRow(row, look)));
  }

  #cutThinking(): void {
    if (this.#thinking === undefined) return;
    const { text, startedAt } = this.#thinking;
    this.#endThinking({
      part: { text, visibility: "full", cut: true },
      measuredMs: this.#options.clock.now() - startedAt,
      ...this.#context(),
    });
  }

  #context(): Pick<ThoughtLine, "provider" | "mode"> {
    return { provider: this.#options.current().vendor, mode: this.#mode };
  }

  #endThinking(thought: ThoughtLine): void {
    if (this.#mode === "full") this.#printThinking(true);
    this.#thinking = undefined;
    const entry: { thought: ThoughtLine; item: PendingItem } = {
      thought,
      item: { rows: () => this.#thoughtRows(entry.thought), isDone: true, isCounted: false },
    };
    this.#thoughts.push(entry);
    this.#items.push(entry.item);
    this.#last = "thought";
  }

  #thoughtRows(thought: ThoughtLine): readonly string[] {
    const { look, widths, width } = this.#options;
    const line = thoughtLine(thought);
    if (line === undefined) return [];
    const spans = [{ text: look.spell(line) }];
    return wrapSpans(spans, widths, { width: width(), hanging: { text: "  " } }).map((row) =>
      look.paint(row.map((span) => span.text).join(""), "dim"),
    );
  }

  #say(delta: string): void {
    if (this.#markdown === undefined) {
      if (this.#last === "thought" || this.#last === "call") this.#addRows([""]);
      this.#markdown = new MarkdownStream(this.#options);
    }
    this.#last = "text";
    this.#addRows(this.#markdown.push(delta));
  }

  #endText(): void {
    if (this.#markdown === undefined) return;
    this.#addRows(this.#markdown.end());
    this.#markdown = undefined;
  }

  #addCall(part: ToolCallPart): void {
    this.#endText();
    const call: RunningCall = {
      part,
      startedAt: this.#options.clock.now(),
      isAsked: false,
      isStopped: false,
      item: { rows: () => [this.#callRow(call)], isDone: part.send === false, isCounted: true },
    };
    this.#calls.push(call);
    this.#items.push(call.item);
    this.#last = "call";
  }

  #takeResult(result: ToolResultPart): void {
    const call = this.#callOf(result.callId);
    if (call === undefined) return;
    call.result = result;
    call.endedAt = this.#options.clock.now();
    call.item.isDone = true;
  }

  #setAsked(id: string, isAsked: boolean): void {
    const call = this.#callOf(id);
    if (call !== undefined) Object.assign(call, { isAsked, startedAt: this.#options.clock.now() });
  }

  #callOf(id: string): RunningCall | undefined {
    return this.#calls.find(({ part }) => part.id === id);
  }

  #callRow(call: RunningCall): string {
    const { part, result } = call;
    const { look, widths, clock } = this.#options;
    const width = this.#options.width();
    const outcome = look.spell(outcomeOf(call, clock.now()));
    // Ten columns are for the name, whatever the outcome says.
    const right = cutTo(outcome, Math.max(1, width - 12), widths);
    const left = look.spell(`▸ ${part.name} `) + toOneLine(JSON.stringify(part.input));
    const room = Math.max(10, width - widths.of(right) - 2);
    const shown = cutTo(left, room, widths);
    const gap = Math.max(2, width - widths.of(shown) - widths.of(right));
    const colour = result?.isError ? "red" : result === undefined ? "dim" : "green";
    return `${shown}${" ".repeat(gap)}${look.paint(right, colour)}`;
  }

  /** The service has counted: thoughts that still wait learn their number. */
  #endStep(result: ChatResult): void {
    const parts = result.message.parts.filter((part) => part.type === "thinking");
    const isOnly = parts.length === 1;
    for (const entry of this.#thoughts) {
      entry.thought = {
        ...entry.thought,
        receipt: result.receipt,
        ...(isOnly && { usage: result.usage }),
      };
      entry.item.isCounted = true;
    }
    this.#thoughts = [];
    if (parts.length === 0 && (result.usage.thinking ?? 0) > 0) this.#addHiddenThought(result);
    const now = this.#options.clock.now();
    for (const call of this.#calls) if (call.result === undefined) call.startedAt = now;
  }

  /** Only a count came: it is said, with the reason, before the answer if that is still possible. */
  #addHiddenThought(result: ChatResult): void {
    const thought: ThoughtLine = {
      part: { text: "", visibility: "hidden" },
      measuredMs: result.timing.firstMs ?? 0,
      usage: result.usage,
      receipt: result.receipt,
      ...this.#context(),
    };
    this.#items.push({ rows: () => this.#thoughtRows(thought), isDone: true, isCounted: true });
  }

  #addRows(rows: readonly string[]): void {
    for (const row of rows) this.#items.push({ rows: () => [row], isDone: true, isCounted: true });
  }

  #release(all: boolean): void {
    const { print } = this.#options;
    while (this.#items[0]?.isDone) {
      const isWaiting = this.#items.some((item) => !item.isCounted);
      if (!all && isWaiting && this.#items.length < this.#room) return;
      print(this.#items.shift()!.rows());
    }
  }
}

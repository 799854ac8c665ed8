import type { AgentEvent, ThinkingPart, ToolCallPart } from "mull";
import { bytes, seconds } from "./format.ts";
import { fallbackLine } from "./fallback-line.ts";
import { thoughtLine, type ThinkingMode, type ThoughtLine } from "./thinking-view.ts";
import type { ReplClock } from "./terminal.ts";
import { toOneLine, toTerminal } from "./to-terminal.ts";

export interface PlainTurnOptions {
  readonly mode: ThinkingMode;
  readonly clock: ReplClock;
  readonly vendor: () => string;
  readonly line: (text: string) => void;
}

interface PlainBlock {
  readonly label: "thinking" | "answer";
  text: string;
  isLabelled: boolean;
}

/** A turn as labelled lines, each printed once when it is whole. */
export class PlainTurn {
  readonly #options: PlainTurnOptions;
  #open: PlainBlock | undefined;
  #thinkingAt: number | undefined;
  #thoughts: ThoughtLine[] = [];
  #calls = new Map<string, { readonly part: ToolCallPart; readonly at: number }>();

  constructor(options: PlainTurnOptions) {
    this.#options = options;
  }

  take(event: AgentEvent): void {
    if (event.type === "answer") this.#takeAnswer(event.event);
    else if (event.type === "tool-result") {
      const { output, isError, callId, name, refused, durationMs } = event.result;
      const call = this.#calls.get(callId);
      const now = this.#options.clock.now();
      const time = seconds(durationMs ?? now - (call?.at ?? now));
      const text = typeof output === "string" ? output : JSON.stringify(output);
      const size = isError ? toOneLine(text).slice(0, 120) : bytes(Buffer.byteLength(text));
      const input = call === undefined ? "" : ` ${toOneLine(JSON.stringify(call.part.input))}`;
      const outcome =
        refused === undefined
          ? `${time} · ${size}`
          : `not run${refused && `: ${toOneLine(refused)}`}`;
      this.#options.line(`tool: ${name}${input} ${isError ? "✗" : "✓"} ${outcome}`);
    } else if (event.type === "fallback") {
      this.cut();
      this.#options.line(`note: ${fallbackLine(event)}`);
    } else if (event.type === "step") {
      this.#close();
      const { usage, receipt, message } = event.result;
      const isOnly = message.parts.filter((part) => part.type === "thinking").length === 1;
      for (const thought of this.#thoughts)
        this.#tell({ ...thought, receipt, ...(isOnly && { usage }) });
      this.#thoughts = [];
    }
  }

  cut(): void {
    const at = this.#thinkingAt;
    if (this.#open?.label === "thinking" && at !== undefined)
      this.#endThought({ text: this.#open.text, visibility: "full", cut: true });
    this.#close();
    for (const thought of this.#thoughts) this.#tell(thought);
    this.#thoughts = [];
  }

  /** The label says what the sign would; there are no keys to hint at. */
  #tell(thought: ThoughtLine): void {
    const line = thoughtLine(thought);
    if (line === undefined) return;
    this.#options.line(`thinking: ${line.replace(/^∴ /, "").replace(/ · \^T$/, "")}`);
  }

  end(): void {
    this.#close();
  }

  #takeAnswer(event: Extract<AgentEvent, { type: "answer" }>["event"]): void {
    switch (event.type) {
      case "thinking":
        this.#thinkingAt ??= this.#options.clock.now();
        if (this.#options.mode !== "hide") this.#write("thinking", event.delta);
        break;
      case "text":
        this.#write("answer", event.delta);
        break;
      case "part":
        this.#close();
        if (event.part.type === "thinking") this.#endThought(event.part);
        if (event.part.type === "tool-call")
          this.#calls.set(event.part.id, { part: event.part, at: this.#options.clock.now() });
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

  #endThought(
    part: Pick<ThinkingPart, "text" | "visibility" | "cut" | "seal" | "durationMs">,
  ): void {
    const now = this.#options.clock.now();
    this.#thoughts.push({
      part,
      measuredMs: now - (this.#thinkingAt ?? now),
      provider: this.#options.vendor(),
      mode: this.#options.mode,
    });
    this.#thinkingAt = undefined;
  }

  #write(label: "thinking" | "answer", delta: string): void {
    if (this.#open?.label !== label) {
      this.#close();
      this.#open = { label, text: "", isLabelled: false };
    }
    const open = this.#open;
    const lines = (open.text + delta).split("\n");
    open.text = lines.pop()!;
    for (const line of lines) this.#line(open, line);
  }

  #line(open: PlainBlock, line: string): void {
    const label = open.isLabelled ? "" : `${open.label}: `;
    open.isLabelled = true;
    this.#options.line(label + toTerminal(line));
  }

  #close(): void {
    if (this.#open !== undefined && this.#open.text !== "") this.#line(this.#open, this.#open.text);
    this.#open = undefined;
  }
}

import type { AgentEvent, Cost, Receipt, Usage } from "mull";

import { say } from "../frame/fold.ts";
import type { Io } from "../frame/io.ts";
import { lookOf, type StderrLook } from "../frame/look.ts";
import { describeCost, seconds } from "../repl/format.ts";
import { estimateStep } from "../session/estimate-thinking.ts";
import { toTerminal } from "../session/to-terminal.ts";
import { bareWriter, renderedWriter } from "./answer-writer.ts";
import { describeWithheld } from "./describe-withheld.ts";
import type { TurnOutcome } from "./outcome.ts";
import type { WordRows } from "./word-rows.ts";

/** Shows a turn as it happens and when it is over. */
export interface Printer {
  readonly event: (event: AgentEvent) => Promise<void>;
  readonly end: (outcome: TurnOutcome) => Promise<void>;
}

/** Called when something else is printed on the screen next. */
export interface TextPrinter extends Printer {
  readonly endRow: () => Promise<void>;
}

export interface PrinterOptions {
  readonly hideThinking: boolean;
  readonly quiet: boolean;
  readonly plain: boolean;
}

/** `--json`: one object at the end, on failure too. */
export const jsonPrinter = (io: Io): Printer => ({
  event: () => Promise.resolve(),
  end: (outcome) => io.out(`${JSON.stringify(outcome)}\n`),
});

/** `--jsonl`: every event as it happens, the object last. */
export const jsonlPrinter = (io: Io): Printer => ({
  event: async (event) => {
    const line = lineOf(event);
    if (line !== undefined) await io.out(`${JSON.stringify(line)}\n`);
  },
  end: (outcome) => io.out(`${JSON.stringify({ type: "result", ...outcome })}\n`),
});

function lineOf(event: AgentEvent): object | undefined {
  switch (event.type) {
    case "answer":
      return { ...event.event, step: event.step };
    case "step": {
      const { finish, usage, receipt, cost, timing } = event.result;
      return { type: "step", step: event.step, finish, usage, receipt, cost, timing };
    }
    case "tool-result":
      return { ...event.result, step: event.step };
    case "fallback":
    case "approval":
      return event;
    case "turn":
      return undefined;
    default:
      return event satisfies never;
  }
}

/** Only the answer goes to stdout; everything else a person may want to see goes to stderr. */
export function textPrinter(io: Io, options: PrinterOptions): TextPrinter {
  const look = lookOf(io);
  const isWatched = io.terminal.stderr && !options.quiet;
  const showThinking = isWatched && !options.hideThinking;
  const { plain } = options;
  const answer = io.terminal.stdout && !plain ? renderedWriter(io) : bareWriter(io);
  let thought: Promise<ThoughtRows> | undefined;
  let hasText = false;
  let step = 0;

  const endThought = async (): Promise<void> => {
    if (thought === undefined) return;
    const { rows } = await thought;
    thought = undefined;
    io.err(`${look.dim(rows.end())}\n`);
  };
  /** Notes begin on a row of their own if the answer is on the same screen. */
  const endRow = async (): Promise<void> => {
    await endThought();
    await answer.endRow();
  };
  const think = async (delta: string): Promise<void> => {
    if (!showThinking || delta === "") return;
    if (thought === undefined) io.err(plain ? "thinking: " : look.dim("∴ thinking\n"));
    thought ??= openThought(plain ? Infinity : (io.columns ?? 80));
    const { rows, learn } = await thought;
    await learn(delta);
    io.err(look.dim(rows.push(toTerminal(delta))));
  };
  const answerWith = async (delta: string, at: number): Promise<void> => {
    await endThought();
    if (hasText && at !== step) await answer.leaveGap();
    if (!hasText && plain && io.terminal.stdout) await io.out("answer: ");
    hasText = true;
    step = at;
    await answer.push(delta);
  };

  return {
    endRow,
    event: async (event) => {
      if (event.type === "step" && showThinking) {
        await endRow();
        const line = thoughtLine(estimateStep(event.result));
        if (line !== undefined) io.err(look.dim(`${line}\n`));
      }
      if (event.type === "tool-result" && isWatched) {
        await endRow();
        const { name, isError, refused, durationMs } = event.result;
        const sign = plain ? "tool:" : "▸";
        const time = durationMs === undefined ? "" : ` ${seconds(durationMs)}`;
        const end = refused === undefined ? time : " not run";
        io.err(look.dim(`${sign} ${toTerminal(name)} ${isError ? "✗" : "✓"}${end}\n`));
      }
      if (event.type !== "answer") return;
      if (event.event.type === "thinking") await think(event.event.delta);
      if (event.event.type === "text") await answerWith(event.event.delta, event.step);
    },
    end: async ({ receipt, cost, costAtLeast, conversation, error }) => {
      const isStopped = isWatched && error?.category === "aborted";
      // The terminal has written ^C where the cursor stood.
      if (isStopped) io.err("\n");
      await endRow();
      if (isStopped) io.err(look.dim(plain ? "note: stopped\n" : "■ stopped\n"));
      if (receipt === null || options.quiet) return;
      printNotes(receipt, look, plain, isWatched, io);
      if (isWatched)
        io.err(look.dim(`${receiptLine(receipt, cost ?? costAtLeast, conversation)}\n`));
    },
  };
}

interface ThoughtRows {
  readonly rows: WordRows;
  readonly learn: (text: string) => Promise<boolean>;
}

/** Loaded at the first thought, so that piped output does not wait for it. */
async function openThought(width: number): Promise<ThoughtRows> {
  const [{ createWidths }, { wordRows }] = await Promise.all([
    import("../repl/rows.ts"),
    import("./word-rows.ts"),
  ]);
  const widths = createWidths();
  return { rows: wordRows(width, widths), learn: widths.learn };
}

function thoughtLine(usage: Usage): string | undefined {
  if (usage.thinking === undefined || usage.thinking === 0) return undefined;
  const about = usage.thinkingSource === "estimated" ? "~" : "";
  const derived = usage.thinkingSource === "derived" ? " derived" : "";
  return `∴ thought · ${about}${usage.thinking.toLocaleString("en-US")} tokens${derived}`;
}

/** The model, the level, the cost, and how to continue. */
function receiptLine({ plan }: Receipt, cost: Cost | null, conversation: string | null): string {
  const isMoved = plan.asked !== plan.applied && plan.asked !== "auto";
  return [
    plan.model,
    isMoved ? `${plan.asked}→${plan.applied}` : plan.asked,
    ...(cost === null ? [] : [describeCost(cost)]),
    ...(conversation === null ? [] : [`mull -r ${conversation}`]),
  ].join(" · ");
}

/** Warnings always; the rest only on a terminal. */
function printNotes(
  receipt: Receipt,
  look: StderrLook,
  plain: boolean,
  isWatched: boolean,
  io: Io,
): void {
  const warning = look.spell(plain ? "note:" : "⚠");
  // Labelled lines are not wrapped: a screen reader reads whole lines.
  const tell = (line: string): void => (plain ? io.err(`${line}\n`) : say(io, `${line}\n`));
  const { asked, applied } = receipt.plan;
  const warnings = receipt.notes.filter((note) => note.severity === "warning");
  const isMoved = asked !== applied && asked !== "auto";
  if (isMoved) {
    const why = warnings[0]?.message ?? receipt.notes[0]?.message;
    tell(`${warning} asked ${asked}, got ${applied}${why === undefined ? "" : `: ${why}`}`);
  }
  for (const note of isMoved ? warnings.slice(1) : warnings) tell(`${warning} ${note.message}`);
  for (const { rule, detail } of receipt.repairs) tell(`${warning} repaired ${rule}: ${detail}`);
  if (!isWatched) return;
  for (const line of describeWithheld(receipt.withheld)) io.err(look.dim(`${line}\n`));
}

import {
  estimateTokens,
  type Receipt,
  type Seal,
  type ThinkingPart,
  type Usage,
  providerName,
} from "mull";
import { formatTokens, formatDuration } from "../format.ts";

/** What the page knows of one block of thinking. */
export interface ThinkingView {
  readonly text: string;
  readonly isStreaming: boolean;
  readonly about: Partial<Omit<ThinkingPart, "type" | "text">>;
  /** Counts of the step it belongs to; only if it is the step's only block. */
  readonly usage?: Usage | undefined;
  readonly receipt?: Receipt | undefined;
  /** While it streams: how long it has. */
  readonly elapsedMs?: number | undefined;
  /** The model that is chosen now and may not read it. */
  readonly withheldFrom?: string | undefined;
}

type ThinkingState = "streaming" | "done" | "withheld" | "redacted" | "cut";

export interface ThinkingWords {
  readonly state: ThinkingState;
  readonly label: string;
  /** The same among other steps: `Thought 0.5 s`. */
  readonly short: string;
  /** What stands in the block instead of, or below, its text. */
  readonly reason?: string;
}

const vendorOf = (seal: Seal | undefined, receipt: Receipt | undefined): string => {
  const id = seal?.origin.provider ?? receipt?.plan.provider;
  return id === undefined ? "the provider" : providerName(id);
};

/** `reported` is what a service said itself; only then a number stands without a mark. */
function tokens(usage: Usage | undefined): string | undefined {
  if (usage?.thinking === undefined) return undefined;
  const count = formatTokens(usage.thinking);
  if (usage.thinkingSource === "estimated") return `~${count}`;
  return usage.thinkingSource === "derived" ? `${count} derived` : count;
}

const join = (...words: readonly (string | undefined)[]): string =>
  words.filter((word) => word !== undefined).join(" · ");

const timed = (verb: string, ms: number | undefined): string =>
  ms === undefined ? "Thought" : `${verb} ${formatDuration(ms)}`;

/** One line of truth about a block; `undefined` if there is nothing to tell (R195). */
export function describeThinking(block: ThinkingView): ThinkingWords | undefined {
  const { text, isStreaming, about, usage } = block;
  if (isStreaming) return describeRunning(block);
  const isEmpty = text === "" && about.seal === undefined && usage?.thinking === undefined;
  if (isEmpty && about.visibility !== "redacted") return undefined;
  const words = describeEnded(block);
  if (block.withheldFrom === undefined) return words;
  return { ...words, label: join(words.label, `withheld from ${block.withheldFrom}`) };
}

function describeRunning({ text, elapsedMs }: ThinkingView): ThinkingWords {
  const clock =
    elapsedMs === undefined || elapsedMs < 1000 ? "" : ` ${Math.floor(elapsedMs / 1000)} s`;
  const said = [{ role: "assistant" as const, parts: [{ type: "text" as const, text }] }];
  const count = text === "" ? undefined : `~${formatTokens(estimateTokens(said))}`;
  const short = `Thinking…${clock}`;
  return { state: "streaming", label: join(short, count), short };
}

function describeEnded({ text, about, usage, receipt }: ThinkingView): ThinkingWords {
  const { durationMs, visibility, cut, seal } = about;
  const thought = timed("Thought for", durationMs);
  const short = timed("Thought", durationMs);
  const vendor = vendorOf(seal, receipt);
  if (cut) {
    const label =
      durationMs === undefined
        ? "Thinking stopped"
        : `Thinking stopped after ${formatDuration(durationMs)}`;
    return {
      state: "cut",
      label,
      short: label,
      reason: "Cut off in mid-thought: kept here to read, never sent back.",
    };
  }
  if (visibility === "redacted") {
    return {
      state: "redacted",
      label: join(thought, tokens(usage), `redacted by ${vendor}`),
      short: `${short}, redacted`,
      reason: "Encrypted by the provider. Kept and sent back unchanged.",
    };
  }
  if (text === "") {
    return {
      state: "withheld",
      label: join(thought, tokens(usage) ?? "tokens not reported", "not shown"),
      short: `${short}, not shown`,
      reason: whyHidden(vendor, receipt),
    };
  }
  return {
    state: "done",
    label: join(
      thought,
      usage === undefined ? undefined : (tokens(usage) ?? "tokens not reported"),
      visibility === "summary" ? "summary" : undefined,
    ),
    short,
  };
}

function whyHidden(vendor: string, receipt: Receipt | undefined): string {
  const asked = receipt?.plan.visibleReason;
  if (asked !== undefined) return `Not shown: ${asked}.`;
  if (vendor === "OpenAI")
    return "OpenAI shows reasoning summaries to verified organisations only.";
  return `${vendor} sent no text with this thought. It is kept sealed and goes back unchanged.`;
}

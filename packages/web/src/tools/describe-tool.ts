import type { UIPart } from "@mull/ui-messages";
import { formatBytes, formatDuration } from "../format.ts";

export type UIToolPart = Extract<UIPart, { readonly toolCallId: string }>;

type ToolState = "asking" | "waiting" | "running" | "done" | "failed" | "stopped" | "refused";

export interface ToolWords {
  readonly state: ToolState;
  readonly name: string;
  /** The arguments on one line. */
  readonly brief: string;
  readonly status: string;
}

export const isToolPart = (part: UIPart): part is UIToolPart =>
  part.type === "dynamic-tool" || part.type.startsWith("tool-");

export const toolName = (part: UIToolPart): string =>
  part.type === "dynamic-tool" ? (part.toolName ?? "") : part.type.slice("tool-".length);

const longestBrief = 80;

/** One argument is shown by itself, more as JSON. */
function brief(input: unknown): string {
  if (input === undefined) return "";
  if (typeof input === "string") return shorten(JSON.stringify(input));
  const values: readonly unknown[] =
    typeof input === "object" && input !== null ? Object.values(input) : [];
  if (values.length === 0) return "";
  const only = values.length === 1 && typeof values[0] === "string" ? values[0] : input;
  return shorten(JSON.stringify(only) ?? "");
}

const shorten = (text: string, longest: number = longestBrief): string =>
  text.length > longest ? `${text.slice(0, longest)}…` : text;

const signs: Readonly<Record<ToolState, string>> = {
  asking: "waits for you",
  waiting: "…",
  running: "running",
  done: "✓",
  failed: "✗",
  stopped: "■ stopped",
  refused: "✗ refused",
};

/** `isLive`: the turn runs, so a call without a result is being worked on. */
export function describeTool(part: UIToolPart, isLive: boolean): ToolWords {
  const state = stateOf(part, isLive);
  const lasted = toolMs(part);
  const facts = [
    ...(state === "done" && part.output !== undefined ? [formatBytes(sizeOf(part.output))] : []),
    ...(lasted !== undefined ? [formatDuration(lasted)] : []),
    ...(state === "failed" ? [reasonOf(part)] : []),
  ];
  return {
    state,
    name: toolName(part),
    brief: brief(part.input),
    status: [signs[state], facts.join(" · ")].filter(Boolean).join(" "),
  };
}

/** How long the tool took, where that was kept. */
export function toolMs(part: UIToolPart): number | undefined {
  const ms = part.resultProviderMetadata?.["mull"]?.["durationMs"];
  return typeof ms === "number" ? ms : undefined;
}

const longestReason = 40;

/** Why it failed, in the few words there is room for; the rest is inside. */
function reasonOf({ errorText, output }: UIToolPart): string {
  const told = errorText ?? (typeof output === "string" ? output : "");
  const [line = ""] = told.replace(/^The tool failed[:.]\s*/, "").split("\n");
  return line === "" ? "failed" : shorten(line, longestReason);
}

function stateOf(part: UIToolPart, isLive: boolean): ToolState {
  const failed = part.resultProviderMetadata?.["mull"]?.["isError"] === true;
  switch (part.state) {
    case "output-available":
      return failed ? "failed" : "done";
    case "output-error":
      return /\b(?:interrupted|stopped|aborted)\b/i.test(part.errorText ?? "")
        ? "stopped"
        : "failed";
    case "approval-requested":
      return "asking";
    case "approval-responded":
      return isLive ? "running" : "waiting";
    case "output-denied":
      return "refused";
    case "input-streaming":
      return isLive ? "waiting" : "stopped";
    default:
      return isLive ? "running" : "stopped";
  }
}

const sizeOf = (output: unknown): number =>
  typeof output === "string" ? output.length : (JSON.stringify(output) ?? "").length;

/** What a tool gave: text as it is, data as JSON, pictures apart. */
export interface ShownOutput {
  readonly text: string;
  readonly images: readonly { readonly mediaType: string; readonly data: string }[];
}

/** Pictures that a browser shows and that hold nothing but a picture. */
export const shownImages: ReadonlySet<string> = new Set([
  "image/png",
  "image/jpeg",
  "image/gif",
  "image/webp",
]);

export function readOutput(output: unknown): ShownOutput {
  if (typeof output === "string") return { text: pretty(output), images: [] };
  if (!Array.isArray(output))
    return { text: JSON.stringify(output, undefined, 2) ?? "", images: [] };
  const parts = output as readonly Readonly<Record<string, unknown>>[];
  const images = parts.flatMap((part) => imageOf(part));
  const texts = parts.flatMap((part) => {
    if (part?.["type"] === "text" && typeof part["text"] === "string")
      return [pretty(part["text"])];
    return imageOf(part).length > 0 ? [] : [JSON.stringify(part, undefined, 2)];
  });
  return { text: texts.join("\n"), images };
}

function imageOf(part: Readonly<Record<string, unknown>> | null): ShownOutput["images"] {
  const source = part?.["source"] as Readonly<Record<string, unknown>> | undefined;
  const mediaType = part?.["mediaType"];
  if (typeof mediaType !== "string" || !shownImages.has(mediaType)) return [];
  return source?.["type"] === "base64" && typeof source["data"] === "string"
    ? [{ mediaType, data: source["data"] }]
    : [];
}

/** JSON that came on one line is laid out. */
function pretty(text: string): string {
  if (!/^\s*[[{]/.test(text) || text.length > 200_000) return text;
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}

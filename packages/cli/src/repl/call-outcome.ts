import type { ToolResultPart } from "mull";
import { bytes, clockSeconds, seconds } from "./format.ts";
import { toOneLine } from "./to-terminal.ts";

/** What is known of a call while its turn goes on. */
export interface ShownCall {
  startedAt: number;
  /** A person has to decide whether it runs. */
  isAsked: boolean;
  isStopped: boolean;
  result?: ToolResultPart;
  endedAt?: number;
}

/** The right end of a call's row. */
export function outcomeOf(call: ShownCall, now: number): string {
  const { result, startedAt, endedAt = now, isAsked, isStopped } = call;
  if (result === undefined && isStopped) return "■ stopped";
  if (isAsked) return "waits for you";
  if (result === undefined) return `… ${clockSeconds(now - startedAt)}`;
  const { output, refused, durationMs = endedAt - startedAt } = result;
  if (refused !== undefined) return refused === "" ? "✗ not run" : `✗ not run: ${short(refused)}`;
  if (!result.isError) {
    const size = typeof output === "string" ? output : JSON.stringify(output);
    return `✓ ${seconds(durationMs)} · ${bytes(Buffer.byteLength(size))}`;
  }
  const text = typeof output === "string" ? output : "failed";
  return `✗ ${seconds(durationMs)} ${shortReason(text)}`;
}

const shortReason = (text: string): string => {
  if (/timed out/i.test(text)) return "timed out";
  if (/interrupted/i.test(text)) return "interrupted";
  return short(text.replace(/^The tool failed: /, ""));
};

const short = (text: string): string => {
  const plain = toOneLine(text);
  return plain.length > 32 ? `${plain.slice(0, 31)}…` : plain;
};

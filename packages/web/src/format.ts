/** Numbers and times as people read them. */
import { grouped, plural } from "mull/wire";

/** A number with separators: `1,024`. */
export const formatCount = (value: number): string => grouped(Math.round(value));

/** `1,024 tokens`, `1 token`. */
export const formatTokens = (value: number): string => plural(Math.round(value), "token");

/** `0.8 s`, `12 s`, `2 min 5 s`. */
export function formatDuration(ms: number): string {
  const seconds = ms / 1000;
  if (seconds < 0.1) return "under 0.1 s";
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  if (seconds < 59.5) return `${Math.round(seconds)} s`;
  const total = Math.round(seconds);
  const rest = total % 60;
  const minutes = `${Math.floor(total / 60)} min`;
  return rest === 0 ? minutes : `${minutes} ${rest} s`;
}

/** The same for a voice. */
export function speakDuration(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1000));
  const minutes = Math.floor(seconds / 60);
  const rest = seconds % 60;
  const words = [
    ...(minutes === 0 ? [] : [minutes === 1 ? "1 minute" : `${minutes} minutes`]),
    ...(rest === 0 ? [] : [rest === 1 ? "1 second" : `${rest} seconds`]),
  ];
  return words.join(" ");
}

/** `$0.0121`; small sums keep four digits, so that none reads as free. */
export const formatCost = (dollars: number): string => {
  if (dollars === 0) return "$0.00";
  if (dollars < 0.0001) return "under $0.0001";
  return `$${dollars.toFixed(dollars < 1 ? 4 : 2)}`;
};

export const formatBytes = (length: number): string => {
  if (length < 1000) return `${length} B`;
  return length < 1_000_000
    ? `${(length / 1000).toFixed(1)} kB`
    : `${(length / 1_000_000).toFixed(1)} MB`;
};

import type { Cost, Finding } from "mull";

/** `0.8 s`, `14 s`, `3 min 20 s`. */
export function seconds(ms: number): string {
  const whole = ms / 1000;
  if (whole < 9.95) return `${whole.toFixed(1)} s`;
  if (whole < 119.5) return `${Math.round(whole)} s`;
  const all = Math.round(whole);
  return `${Math.floor(all / 60)} min ${all % 60} s`;
}

/** The running clock: whole seconds. */
export const clockSeconds = (ms: number): string => {
  const whole = Math.floor(ms / 1000);
  return whole < 120 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
};

/** Why nothing comes yet, the seconds first: a narrow window cuts the end off. */
export const describeWait = (ms: number, why: string): string =>
  `trying again in ${waitSeconds(ms)}: ${why}`;

/** A wait that has begun takes no less than this. */
export const waitSeconds = (ms: number): string => clockSeconds(Math.ceil(ms / 1000) * 1000);

/** `640 B`, `2.1 kB`. */
export function bytes(count: number): string {
  if (count < 1000) return `${count} B`;
  return count < 1_000_000
    ? `${(count / 1000).toFixed(1)} kB`
    : `${(count / 1_000_000).toFixed(1)} MB`;
}

/** `$0.0121`; whole cents from a dollar on. */
export const dollars = (amount: number): string =>
  amount === 0 ? "$0.00" : `$${amount.toFixed(amount < 1 ? 4 : 2)}`;

/** `$0.0121`, `$0.0121 est`, `at least ~$0.0121`. */
export const describeCost = ({ total, estimated, atLeast }: Cost): string =>
  atLeast
    ? `at least ${estimated ? "~" : ""}${dollars(total)}`
    : `${dollars(total)}${estimated ? " est" : ""}`;

/** The sign before a `lint` finding. */
export const findingSigns: Readonly<Record<Finding["severity"], string>> = {
  error: "✗",
  warning: "⚠",
  advice: "advice",
};

/** `1M`, `200k`. */
export function windowSize(tokens: number): string {
  return tokens >= 1_000_000
    ? `${Number((tokens / 1_000_000).toFixed(1))}M`
    : `${Math.round(tokens / 1000)}k`;
}

const two = (number: number): string => String(number).padStart(2, "0");

/** `2026-11-15 22:31`, by the reader's own clock. */
export function localMinute(iso: string): string {
  const date = new Date(iso);
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** The beginning of a title, never half a character. */
export const beginning = (text: string, most = 60): string =>
  Array.from(text).slice(0, most).join("");

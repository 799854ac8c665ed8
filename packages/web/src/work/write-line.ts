import { formatDuration } from "../format.ts";
import type { ThinkingWords } from "../thinking/describe-thinking.ts";
import type { ToolWords } from "../tools/describe-tool.ts";

/** One thought or one call, in the words the page has for it. */
export type StepWords =
  | { readonly kind: "thinking"; readonly words: ThinkingWords; readonly durationMs?: number }
  | { readonly kind: "tool"; readonly words: ToolWords };

/** More than these are counted, not listed. */
const listedAtMost = 5;

/** Thoughts and calls as one line: `Thought 0.5 s · searchWeb · Thought 0.4 s`. One alone is told whole. */
export function writeLine(steps: readonly StepWords[], isLive: boolean): string {
  const [first, ...rest] = steps;
  const items =
    rest.length === 0 && first?.kind === "thinking"
      ? [first.words.label]
      : steps.length > listedAtMost
        ? countSteps(steps)
        : steps.map(shorten);
  const last = steps.at(-1);
  // Between two steps nothing streams, and the line still has to show that work goes on.
  const isBetween = isLive && last !== undefined && !isActive(last);
  return [...items, ...(isBetween ? ["…"] : [])].join(" · ");
}

const isActive = ({ words }: StepWords): boolean =>
  words.state === "streaming" || words.state === "running" || words.state === "waiting";

const shorten = ({ kind, words }: StepWords): string =>
  kind === "thinking"
    ? words.short
    : words.state === "done"
      ? words.name
      : `${words.name} ${words.status}`;

/** `Thought 12 s in 4 parts · searchWeb × 6, 1 failed · Thinking… 2 s` */
function countSteps(steps: readonly StepWords[]): readonly string[] {
  const last = steps.at(-1);
  const running = last !== undefined && isActive(last) ? last : undefined;
  const over = running === undefined ? steps : steps.slice(0, -1);
  return [
    ...countThoughts(over),
    ...countCalls(over),
    ...(running === undefined ? [] : [shorten(running)]),
  ];
}

function countThoughts(steps: readonly StepWords[]): readonly string[] {
  const thoughts = steps.filter((step) => step.kind === "thinking");
  if (thoughts.length === 0) return [];
  const ms = thoughts.reduce((sum, { durationMs = 0 }) => sum + durationMs, 0);
  const time = ms === 0 ? "" : ` ${formatDuration(ms)}`;
  return [`Thought${time}${thoughts.length === 1 ? "" : ` in ${thoughts.length} parts`}`];
}

function countCalls(steps: readonly StepWords[]): readonly string[] {
  const counts = new Map<string, { readonly all: number; readonly failed: number }>();
  for (const step of steps) {
    if (step.kind !== "tool") continue;
    const { name, state } = step.words;
    const { all, failed } = counts.get(name) ?? { all: 0, failed: 0 };
    counts.set(name, { all: all + 1, failed: failed + (state === "done" ? 0 : 1) });
  }
  return [...counts].map(([name, { all, failed }]) => {
    const times = all === 1 ? name : `${name} × ${all}`;
    return failed === 0 ? times : `${times}, ${failed} failed`;
  });
}

import { dollars, windowSize } from "./format.ts";
import type { Look } from "./look.ts";
import { cutTo, type Widths } from "./rows.ts";

export interface Status {
  readonly model: string;
  readonly isSimulated: boolean;
  readonly level: string;
  /** Where it differs from the level asked. */
  readonly applied?: string;
  /** Tokens of the conversation, and of the model's window if it is known. */
  readonly context: number;
  readonly window?: number;
  readonly cost: number;
  readonly isEstimate: boolean;
  readonly hint: string;
  /** It answers the key that was just pressed: in a narrow window it takes the place of the figures. */
  readonly isAnswer?: boolean;
}

const fillOf = (part: number): string => {
  if (part >= 90) return " nearly full";
  return part >= 70 ? " filling" : "";
};

/** `model (simulated) · level→applied · ctx % of window · cost`, the hint at the right end. */
export function statusText(status: Status): string {
  return [...whoOf(status), ...figuresOf(status)].join(" · ");
}

/** Who answers, and how hard it thinks. */
const whoOf = (status: Status): readonly string[] => [
  `${status.model}${status.isSimulated ? " (simulated)" : ""}`,
  `${status.level}${status.applied === undefined ? "" : `→${status.applied}`}`,
];

function figuresOf(status: Status): readonly string[] {
  const { window, context } = status;
  const part = window === undefined ? 0 : Math.min(100, Math.round((context / window) * 100));
  const room =
    window === undefined ? [] : [`ctx ${part} % of ${windowSize(window)}${fillOf(part)}`];
  return [...room, `${dollars(status.cost)}${status.isEstimate ? " est" : ""}`];
}

/** The hint for when there is nothing else; the level matters more. */
export const idleHint = "? for keys";

/** Enough of a model's name to know it by. */
const leastRoom = 10;

/**
 * Leaves out whole what does not fit, from the end: cost, context, then the idle hint, then the
 * level.
 */
export function statusLine(status: Status, width: number, look: Look, widths: Widths): string {
  const right = look.spell(status.hint);
  const room = width - widths.of(right) - 2;
  const pieces = [...whoOf(status), ...figuresOf(status)];
  const fitting = (most: number): string =>
    pieces
      .map((_, at) => look.spell(` ${pieces.slice(0, pieces.length - at).join(" · ")}`))
      .find((text) => widths.of(text) <= most) ?? cutTo(` ${look.spell(pieces[0]!)}`, most, widths);
  const isInTheWay = status.hint === idleHint && widths.of(` ${whoOf(status).join(" · ")}`) > room;
  // What a key would do now matters more than the end of the figures.
  const hasRoom = room >= leastRoom && !isInTheWay;
  if (!hasRoom)
    return look.paint(status.isAnswer ? cutTo(` ${right}`, width, widths) : fitting(width), "dim");
  const left = fitting(room);
  const gap = " ".repeat(width - widths.of(left) - widths.of(right));
  return look.paint(`${left}${gap}${right}`, "dim");
}

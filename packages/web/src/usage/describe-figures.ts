import { formatCost, formatCount, formatDuration } from "../format.ts";
import type { AnswerFigures, Figure } from "./read-answers.ts";

export interface FigureColumn {
  readonly key: Figure;
  readonly name: string;
  readonly format: (value: number) => string;
}

/** The figures of an answer, in the order they are shown. */
export const figures: readonly FigureColumn[] = [
  { key: "thinking", name: "thinking", format: formatCount },
  { key: "ms", name: "time", format: formatDuration },
  { key: "cost", name: "cost", format: formatCost },
];

const unknown = "not known";

export const writeFigure = (answer: AnswerFigures, { key, format }: FigureColumn): string => {
  const value = answer[key];
  return value === undefined ? unknown : format(value);
};

/** `claude-opus-5-5 · med · 1,204 thinking tokens · 3.2 s · $0.0098` */
export const describeFigures = (answer: AnswerFigures): string =>
  [
    answer.by,
    ...(answer.thinking === undefined ? [] : [`${formatCount(answer.thinking)} thinking tokens`]),
    ...(answer.ms === undefined ? [] : [formatDuration(answer.ms)]),
    ...(answer.cost === undefined ? [] : [formatCost(answer.cost)]),
  ].join(" · ");

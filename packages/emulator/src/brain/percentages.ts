import { numberPattern, readNumber, writeNumber } from "./numbers.ts";
import type { Thought, Topic } from "./question.ts";

const n = `(-?(?:${numberPattern}))`;
const percent = `${n}\\s*(?:%|percent)`;
const money = `[$€£]?\\s*${n}`;

type Solve = (a: number, b: number) => Thought;

const show = writeNumber;

const change =
  (direction: 1 | -1): Solve =>
  (base, rate) => {
    const part = (base * rate) / 100;
    const result = base + direction * part;
    const verb = direction === 1 ? "adding" : "taking off";
    return {
      steps: [
        `${show(rate)}% of ${show(base)} is ${show(base)} × ${show(rate)} / 100 = ${show(part)}.`,
        `Then ${verb} it: ${show(base)} ${direction === 1 ? "+" : "-"} ${show(part)} = ${show(result)}.`,
      ],
      answer: `${show(base)} ${direction === 1 ? "plus" : "less"} ${show(rate)}% is **${show(result)}**.`,
    };
  };

const share: Solve = (rate, base) => {
  const result = (rate * base) / 100;
  return {
    steps: [
      `${show(rate)}% means ${show(rate)} / 100 = ${show(rate / 100)}.`,
      `${show(rate / 100)} × ${show(base)} = ${show(result)}.`,
    ],
    answer: `${show(rate)}% of ${show(base)} is **${show(result)}**.`,
  };
};

const ratio: Solve = (part, base) => {
  const rate = (part / base) * 100;
  return {
    steps: [`${show(part)} / ${show(base)} = ${show(part / base)}.`, `Times 100: ${show(rate)}%.`],
    answer: `${show(part)} is **${show(rate)}%** of ${show(base)}.`,
  };
};

const difference: Solve = (from, to) => {
  const rate = ((to - from) / from) * 100;
  return {
    steps: [
      `The change is ${show(to)} - ${show(from)} = ${show(to - from)}.`,
      `Relative to ${show(from)}: ${show(rate)}%.`,
    ],
    answer: `From ${show(from)} to ${show(to)} is a change of **${show(rate)}%**.`,
  };
};

/** How people put percentage questions; `swap` if the base comes second. */
const forms: readonly { readonly pattern: RegExp; readonly solve: Solve; readonly swap?: true }[] =
  [
    {
      pattern: new RegExp(
        `${percent}\\s+(?:off|discount on|less than)\\s+(?:of\\s+)?${money}`,
        "i",
      ),
      solve: change(-1),
      swap: true,
    },
    ...[`${percent}\\s+more than\\s+${money}`, `add\\s+${percent}\\s+to\\s+${money}`].map(
      (pattern) => ({ pattern: new RegExp(pattern, "i"), solve: change(1), swap: true as const }),
    ),
    {
      pattern: new RegExp(`(?:increase|raise|add to|mark up)\\s+${money}\\s+by\\s+${percent}`, "i"),
      solve: change(1),
    },
    {
      pattern: new RegExp(
        `(?:decrease|reduce|lower|discount)\\s+${money}\\s+by\\s+${percent}`,
        "i",
      ),
      solve: change(-1),
    },
    { pattern: new RegExp(`${money}\\s+(?:plus|\\+)\\s+${percent}`, "i"), solve: change(1) },
    { pattern: new RegExp(`${money}\\s+(?:minus|less|-)\\s+${percent}`, "i"), solve: change(-1) },
    {
      pattern: new RegExp(`${percent}\\s+(?:of|tip on)\\s+(?:a\\s+|the\\s+)?${money}`, "i"),
      solve: share,
    },
    {
      pattern: new RegExp(
        `${money}\\s+(?:is|as)\\s+(?:what|which|a)\\s+percent(?:age)?\\s+of\\s+${money}`,
        "i",
      ),
      solve: ratio,
    },
    {
      pattern: new RegExp(`what\\s+percent(?:age)?\\s+of\\s+${money}\\s+is\\s+${money}`, "i"),
      solve: ratio,
      swap: true,
    },
    {
      pattern: new RegExp(
        `percent(?:age)?\\s+(?:change|increase|decrease)\\s+from\\s+${money}\\s+to\\s+${money}`,
        "i",
      ),
      solve: difference,
    },
  ];

export const percentages: Topic = ({ text }) => {
  for (const { pattern, solve, swap } of forms) {
    const match = pattern.exec(text);
    if (match === null) continue;
    const a = readNumber(match[1] as string);
    const b = readNumber(match[2] as string);
    return swap === true ? solve(b, a) : solve(a, b);
  }
  return undefined;
};

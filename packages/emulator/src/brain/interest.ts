import { numberPattern, readCount, readNumber, writeMoney, writeNumber } from "./numbers.ts";
import type { Topic } from "./question.ts";

const perYear: readonly (readonly [RegExp, number, string])[] = [
  [/\bdaily\b|\bevery day\b/i, 365, "daily"],
  [/\bweekly\b/i, 52, "weekly"],
  [/\bmonthly\b|\bevery month\b/i, 12, "monthly"],
  [/\bquarterly\b|\bevery quarter\b/i, 4, "quarterly"],
  [/\bsemi-?annually\b|\bhalf-?yearly\b|\btwice a year\b/i, 2, "twice a year"],
];

const yearsIn = (text: string): number | undefined => {
  const match = /(\d[\d.,]*|[a-z]+)[\s-]+(year|month)s?\b/i.exec(text);
  const count = match === null ? undefined : readCount(match[1] as string);
  if (count === undefined) return undefined;
  return /month/i.test((match as RegExpExecArray)[2] as string) ? count / 12 : count;
};

const principalIn = (text: string): number | undefined => {
  const marked = new RegExp(`[$€£]\\s*(${numberPattern})`).exec(text);
  if (marked !== null) return readNumber(marked[1] as string);
  const bare = new RegExp(
    `(?<![\\d.])(${numberPattern})(?!\\s*(?:%|percent|[\\s-]*years?|[\\s-]*months?|[\\d.,]*\\d))`,
    "i",
  ).exec(text);
  return bare === null ? undefined : readNumber(bare[1] as string);
};

export const interest: Topic = ({ text }) => {
  if (!/\binterest\b|\bcompound/i.test(text)) return undefined;
  const rate = new RegExp(`(${numberPattern})\\s*(?:%|percent)`, "i").exec(text);
  const years = yearsIn(text);
  const principal = principalIn(text);
  if (rate === null || years === undefined || principal === undefined) return undefined;
  const percent = readNumber(rate[1] as string);
  if (/\bsimple\b/i.test(text)) {
    const earned = (principal * percent * years) / 100;
    return {
      steps: [`Simple interest is ${principal} × ${percent} / 100 × ${writeNumber(years)}.`],
      answer: `At ${percent}% simple interest ${writeMoney(principal)} becomes **${writeMoney(principal + earned)}** after ${writeNumber(years)} years; ${writeMoney(earned)} of it is interest.`,
    };
  }
  const [, periods, word] = perYear.find(([pattern]) => pattern.test(text)) ?? [/./, 1, "yearly"];
  const factor = (1 + percent / 100 / periods) ** (periods * years);
  const total = principal * factor;
  return {
    steps: [
      `Compound interest: principal × (1 + rate / n) ^ (n × years), here compounded ${word}, n = ${periods}.`,
      `A period brings ${percent}% / ${periods} = ${writeNumber(percent / periods)}%, over ${writeNumber(periods * years)} periods.`,
      `The growth factor is ${writeNumber(factor)}.`,
      `${writeMoney(principal)} × ${writeNumber(factor)} = ${writeMoney(total)}.`,
    ],
    answer: `${writeMoney(principal)} at ${percent}% compounded ${word} becomes **${writeMoney(total)}** after ${writeNumber(years)} years; ${writeMoney(total - principal)} of it is interest.`,
  };
};

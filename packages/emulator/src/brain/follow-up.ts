import { arithmetic, expressionIn } from "./arithmetic.ts";
import { numberPattern, numbersIn, readNumber, writeNumber } from "./numbers.ts";
import { percentages } from "./percentages.ts";
import { placesIn } from "./places.ts";
import { primes } from "./primes.ts";
import type { Question, Thought } from "./question.ts";

/** What a follow-up may replace in the question before it, the most specific first. */
const exchanges: readonly RegExp[] = [
  new RegExp(`(?:${numberPattern})\\s*(?:%|percent)`, "i"),
  new RegExp(`[$€£]\\s*(?:${numberPattern})`),
  /(?:\d[\d.,]*|[a-z]+)\s+(?:years?|months?)\b/i,
  /\b(?:daily|weekly|monthly|quarterly|yearly|annually)\b/i,
  new RegExp(`(?<![\\d.,])(?:${numberPattern})(?!\\s*(?:%|percent)|[\\d.,]*\\d)`, "i"),
];

const opener = /^(?:and|what about|how about|now|same for|and what about|and for|and with)\b/i;

/** `And 12 * 12?` is a question of its own. */
const isWhole = (text: string): boolean =>
  expressionIn(text) !== undefined || /(?:%|percent)\s+of\s+[$€£]?\d/i.test(text);

/** Words that refer to the last result. */
const reference =
  /\b(?:it|that|this)(?: (?:number|result|amount|value|sum))?\b|\bthe (?:last |previous )?(?:result|answer|number|value)\b/i;

/** `And divided by 4?`: an operation without its first number. */
const operation = /^(?:plus|minus|times|divided by|multiplied by|to the power of|[-+*/×÷^])\s/i;

const lastResult = (earlier: Question["earlier"]): number | undefined => {
  const answered = earlier.findLast((exchange) => exchange.answered !== "")?.answered;
  if (answered === undefined) return undefined;
  const bold = new RegExp(`\\*\\*[^*]*?(-?(?:${numberPattern}))`).exec(answered);
  return bold === null ? numbersIn(answered).at(-1) : readNumber(bold[1] as string);
};

/** Filler words at the start of a follow-up. */
const lead = /^(?:(?:and|then|now|so|okay|ok)\b[\s,]*)+(?:(?:what|how) about\b\s*)?/i;

/** `Subtract 10` is an operation on the last result. */
const orders: readonly (readonly [RegExp, string])[] = [
  [/^add\s+/i, "plus "],
  [/^subtract\s+/i, "minus "],
  [/^multiply by\s+/i, "times "],
  [/^divide by\s+/i, "divided by "],
  [/^double\b/i, "times 2 "],
  [/^triple\b/i, "times 3 "],
  [/^halve\b/i, "divided by 2 "],
];

/** The operation on the last result, if the question names no other number to apply it to. */
const operationIn = (text: string): string | undefined => {
  const bare = text.replace(lead, "").replace(opener, "").trim();
  if (numbersIn(bare).length > 1) return undefined;
  let said = reference.test(bare) ? "" : bare;
  for (const [pattern, words] of orders) said = said.replace(pattern, words);
  return operation.test(said) ? said : undefined;
};

/** The question with the last result in place of `it` or `that`, if this gives an expression. */
const withResult = (question: Question): Question | undefined => {
  const result = lastResult(question.earlier);
  if (result === undefined) return undefined;
  const value = writeNumber(result);
  const done = operationIn(question.text);
  const text = done === undefined ? question.text.replace(reference, value) : `${value} ${done}`;
  if (text === question.text) return undefined;
  const named = { ...question, text };
  return [percentages, primes, arithmetic].some((topic) => topic(named) !== undefined)
    ? named
    : undefined;
};

const withPlace = (question: Question, before: string): Question | undefined => {
  const place = placesIn(question.text.replace(opener, "").trim())[0];
  const [old, ...others] = placesIn(before);
  if (place === undefined || old === undefined) return undefined;
  let text = before.replace(old, place);
  for (const other of others) text = text.replace(new RegExp(`(?:,| and) ${other}`), "");
  return { ...question, text };
};

const withNumber = (question: Question, before: string): Question => {
  for (const pattern of exchanges) {
    const replacement = pattern.exec(question.text)?.[0];
    if (replacement !== undefined && pattern.test(before)) {
      return { ...question, text: before.replace(pattern, replacement) };
    }
  }
  return question;
};

/**
 * `And in Bergen?` becomes the question before it, with Bergen as the place. `And 20% of it?` gets
 * the last result for `it`. The question before may itself be a follow-up.
 */
export const completeQuestion = (question: Question): Question => {
  const last = question.earlier.at(-1);
  if (last === undefined) return question;
  const named = withResult(question);
  if (named !== undefined) return named;
  if (!opener.test(question.text) || isWhole(question.text)) return question;
  const earlier = question.earlier.slice(0, -1);
  const before = completeQuestion({ ...question, text: last.asked, earlier }).text;
  const placed = withPlace(question, before);
  if (placed !== undefined || reference.test(question.text)) return placed ?? question;
  return withNumber(question, before);
};

const changes: readonly (readonly [
  RegExp,
  (value: number, by: number) => number,
  (value: string, by: string) => string,
])[] = [
  [/\bdouble\b|\btwice\b/i, (value) => value * 2, (value) => `${value} × 2`],
  [/\btriple\b/i, (value) => value * 3, (value) => `${value} × 3`],
  [/\bhal(?:f|ve)\b/i, (value) => value / 2, (value) => `${value} / 2`],
  [/\bsquare root\b|\bsqrt\b/i, (value) => Math.sqrt(value), (value) => `√${value}`],
  [/\bsquare\b/i, (value) => value * value, (value) => `${value} × ${value}`],
  [/\bsubtract\b.+\bfrom\s+\d/i, (value, by) => by - value, (value, by) => `${by} - ${value}`],
  [/\bdivide\s+\d.+\bby\b/i, (value, by) => by / value, (value, by) => `${by} / ${value}`],
  [
    /\b(?:add|plus|increase|raise)\b/i,
    (value, by) => value + by,
    (value, by) => `${value} + ${by}`,
  ],
  [
    /\b(?:subtract|minus|decrease|reduce|lower)\b/i,
    (value, by) => value - by,
    (value, by) => `${value} - ${by}`,
  ],
  [/\b(?:times|multipl(?:y|ied))\b/i, (value, by) => value * by, (value, by) => `${value} × ${by}`],
  [/\bdivided?\b/i, (value, by) => value / by, (value, by) => `${value} / ${by}`],
];

/** `Double that`, `add 10 to it`: works on the last result. */
export const changeResult = (question: Question): Thought | undefined => {
  if (!reference.test(question.text)) return undefined;
  const value = lastResult(question.earlier);
  const change = changes.find(([pattern]) => pattern.test(question.text));
  if (value === undefined || change === undefined) return undefined;
  const [by] = numbersIn(question.text);
  const [, apply, write] = change;
  if (apply.length > 1 && by === undefined) return undefined;
  const result = apply(value, by ?? 0);
  const written = write(writeNumber(value), writeNumber(by ?? 0));
  return {
    steps: [
      `"That" is the last result, ${writeNumber(value)}.`,
      `${written} = ${writeNumber(result)}.`,
    ],
    answer: `${written} = **${writeNumber(result)}**.`,
  };
};

/** Questions about the conversation itself. */
export const recall = (question: Question): Thought | undefined => {
  const asked = question.earlier.map((exchange) => exchange.asked);
  if (/\bmy name\b/i.test(question.text) && /\b(?:what|who|remember)\b/i.test(question.text)) {
    const told = asked.findLast((text) => /\bmy name is\b/i.test(text));
    const name = /\bmy name is\s+([\p{L}'-]+)/iu.exec(told ?? "")?.[1];
    return {
      steps: ["The name must be somewhere in the conversation so far."],
      answer: name === undefined ? "You have not told me your name." : `Your name is **${name}**.`,
    };
  }
  if (
    !/\b(?:first|last|previous|earlier)\s+(?:question|message)\b|\bdid i (?:just )?(?:ask|say)\b/i.test(
      question.text,
    )
  ) {
    return undefined;
  }
  const wanted = /\bfirst\b/i.test(question.text) ? asked[0] : asked.at(-1);
  return {
    steps: [`I look back over ${asked.length} earlier messages.`],
    answer: wanted === undefined ? "This is your first message." : `You asked: "${wanted}"`,
  };
};

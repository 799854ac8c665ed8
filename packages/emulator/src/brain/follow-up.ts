import { expressionIn } from "./arithmetic.ts";
import { numberPattern, numbersIn, readNumber, writeNumber } from "./numbers.ts";
import { placesIn } from "./places.ts";
import type { Question, Thought } from "./question.ts";

/** Things a follow-up may exchange in the question before it, most telling first. */
const exchanges: readonly RegExp[] = [
  new RegExp(`(?:${numberPattern})\\s*(?:%|percent)`, "i"),
  new RegExp(`[$€£]\\s*(?:${numberPattern})`),
  /(?:\d[\d.,]*|[a-z]+)\s+(?:years?|months?)\b/i,
  /\b(?:daily|weekly|monthly|quarterly|yearly|annually)\b/i,
  new RegExp(`(?<![\\d.])(?:${numberPattern})`),
];

const opener = /^(?:and|what about|how about|now|same for|and what about|and for|and with)\b/i;

/** `And 12 * 12?` needs nothing of the question before it. */
const isWhole = (text: string): boolean =>
  expressionIn(text) !== undefined || /(?:%|percent)\s+of\s+[$€£]?\d/i.test(text);

/** `And in Bergen?` becomes the question before it, with Bergen in its place. */
export const completeQuestion = (question: Question): Question => {
  const before = question.earlier.at(-1)?.asked;
  if (before === undefined || !opener.test(question.text)) return question;
  if (isWhole(question.text)) return question;
  const place = placesIn(question.text.replace(opener, "").trim())[0];
  const [old] = placesIn(before);
  if (place !== undefined && old !== undefined) {
    const others = placesIn(before).slice(1);
    let text = before.replace(old, place);
    for (const other of others) text = text.replace(new RegExp(`(?:,| and) ${other}`), "");
    return { ...question, text };
  }
  for (const pattern of exchanges) {
    const replacement = pattern.exec(question.text)?.[0];
    if (replacement !== undefined && pattern.test(before)) {
      return { ...question, text: before.replace(pattern, replacement) };
    }
  }
  return question;
};

const changes: readonly (readonly [
  RegExp,
  (value: number, by: number) => number,
  (value: string, by: string) => string,
])[] = [
  [/\bdouble\b|\btwice\b/i, (value) => value * 2, (value) => `${value} × 2`],
  [/\btriple\b/i, (value) => value * 3, (value) => `${value} × 3`],
  [/\bhal(?:f|ve)\b/i, (value) => value / 2, (value) => `${value} / 2`],
  [/\bsquare\b/i, (value) => value * value, (value) => `${value} × ${value}`],
  [/\b(?:add|plus)\b/i, (value, by) => value + by, (value, by) => `${value} + ${by}`],
  [/\b(?:subtract|minus)\b/i, (value, by) => value - by, (value, by) => `${value} - ${by}`],
  [/\b(?:times|multipl(?:y|ied))\b/i, (value, by) => value * by, (value, by) => `${value} × ${by}`],
  [/\bdivided?\b/i, (value, by) => value / by, (value, by) => `${value} / ${by}`],
];

const lastResult = (question: Question): number | undefined => {
  const answered = question.earlier.findLast((exchange) => exchange.answered !== "")?.answered;
  if (answered === undefined) return undefined;
  const bold = new RegExp(`\\*\\*[^*]*?(-?(?:${numberPattern}))`).exec(answered);
  return bold === null ? numbersIn(answered).at(-1) : readNumber(bold[1] as string);
};

/** `Double that`, `add 10 to it`: works on the last result. */
export const changeResult = (question: Question): Thought | undefined => {
  if (!/\b(?:it|that|this|the (?:result|answer))\b/i.test(question.text)) return undefined;
  const value = lastResult(question);
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

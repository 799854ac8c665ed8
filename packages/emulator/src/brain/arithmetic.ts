import { numberPattern, readNumber, writeNumber } from "./numbers.ts";
import type { Topic } from "./question.ts";

const spoken: readonly (readonly [RegExp, string])[] = [
  [/\b(?:multiplied by|times)\b/gi, "*"],
  [/\b(?:divided by|over)\b/gi, "/"],
  [/\bplus\b/gi, "+"],
  [/\bminus\b/gi, "-"],
  [/\b(?:to the power of|raised to)\b/gi, "^"],
  [/\bsquared\b/gi, "^ 2"],
  [/\bcubed\b/gi, "^ 3"],
  [/×|(?<=\d)\s*[xX]\s*(?=[\d(])/g, "*"],
  [/÷/g, "/"],
  [/−/g, "-"],
  [/\*\*/g, "^"],
];

type MathToken = number | "+" | "-" | "*" | "/" | "^" | "(" | ")";

const tokensOf = (text: string): readonly MathToken[] =>
  [...text.matchAll(new RegExp(`${numberPattern}|[-+*/^()]`, "g"))].map((match) =>
    /\d/.test(match[0]) ? readNumber(match[0]) : (match[0] as MathToken),
  );

interface Worked {
  readonly value: number;
  readonly steps: readonly string[];
}

const operations: Readonly<Record<"+" | "-" | "*" | "/" | "^", (a: number, b: number) => number>> =
  {
    "+": (a, b) => a + b,
    "-": (a, b) => a - b,
    "*": (a, b) => a * b,
    "/": (a, b) => a / b,
    "^": (a, b) => a ** b,
  };

/** The value of an expression, by operator precedence; `undefined` if the tokens are no expression. */
const work = (tokens: readonly MathToken[]): Worked | undefined => {
  const steps: string[] = [];
  let at = 0;
  let depth = 0;
  const apply = (a: number, sign: "+" | "-" | "*" | "/" | "^", b: number): number => {
    const value = operations[sign](a, b);
    steps.push(`${writeNumber(a)} ${sign} ${writeNumber(b)} = ${writeNumber(value)}.`);
    return value;
  };
  const atom = (): number => {
    const token = tokens[at];
    at += 1;
    if (typeof token === "number") return token;
    depth += 1;
    if (depth > 100) return Number.NaN;
    if (token === "-") return -power();
    if (token === "+") return power();
    if (token !== "(") return Number.NaN;
    const value = sum();
    if (tokens[at] !== ")") return Number.NaN;
    at += 1;
    return value;
  };
  // A chain of powers groups to the right.
  const power = (): number => {
    const base = atom();
    if (tokens[at] !== "^") return base;
    at += 1;
    return apply(base, "^", power());
  };
  const product = (): number => {
    let value = power();
    while (tokens[at] === "*" || tokens[at] === "/") {
      const sign = tokens[at] as "*" | "/";
      at += 1;
      value = apply(value, sign, power());
    }
    return value;
  };
  const sum = (): number => {
    let value = product();
    while (tokens[at] === "+" || tokens[at] === "-") {
      const sign = tokens[at] as "+" | "-";
      at += 1;
      value = apply(value, sign, product());
    }
    return value;
  };
  const value = sum();
  return at === tokens.length && !Number.isNaN(value) && steps.length > 0
    ? { value, steps }
    : undefined;
};

/** The longest run of the text that could be an expression. */
export const expressionIn = (text: string): string | undefined => {
  let written = text;
  for (const [pattern, sign] of spoken) written = written.replaceAll(pattern, ` ${sign} `);
  const runs = written.match(/[-+(]{0,20}\s?\d[-+*/^()\d\s.,]*/g) ?? [];
  const candidates = runs
    .map((run) => run.replace(/[\s.,+*/^(-]+$/, "").trim())
    .filter((run) => /\d\s*[-+*/^)]+\s*[-(]*\s*\d/.test(run));
  return candidates.toSorted((a, b) => b.length - a.length)[0];
};

export const arithmetic: Topic = ({ text }) => {
  const expression = expressionIn(text);
  if (expression === undefined || /\d{4}-\d{2}-\d{2}/.test(expression)) return undefined;
  const worked = work(tokensOf(expression));
  if (worked === undefined) return undefined;
  const shown = expression.replaceAll(/\s+/g, " ");
  if (!Number.isFinite(worked.value)) {
    return { steps: worked.steps, answer: `${shown} has no value: it divides by zero.` };
  }
  return {
    steps: [`I work out ${shown}, powers before products before sums.`, ...worked.steps],
    answer: `${shown} = **${writeNumber(worked.value)}**.`,
  };
};

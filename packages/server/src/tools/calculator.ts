import { MullError, tool, type Tool } from "mull";

const longest = 1000;

const names: ReadonlyMap<string, number> = new Map([
  ["pi", Math.PI],
  ["e", Math.E],
]);

const functions: ReadonlyMap<string, (value: number) => number> = new Map([
  ["sqrt", Math.sqrt],
  ["abs", Math.abs],
  ["round", Math.round],
  ["floor", Math.floor],
  ["ceil", Math.ceil],
  ["ln", Math.log],
  ["log", Math.log10],
  ["exp", Math.exp],
  ["sin", Math.sin],
  ["cos", Math.cos],
  ["tan", Math.tan],
]);

interface Operator {
  readonly binds: number;
  readonly isRight?: true;
  readonly apply: (left: number, right: number) => number;
}

const operators: ReadonlyMap<string, Operator> = new Map([
  ["+", { binds: 1, apply: (a, b) => a + b }],
  ["-", { binds: 1, apply: (a, b) => a - b }],
  ["*", { binds: 2, apply: (a, b) => a * b }],
  ["/", { binds: 2, apply: (a, b) => a / b }],
  ["%", { binds: 2, apply: (a, b) => a % b }],
  ["^", { binds: 4, isRight: true, apply: (a, b) => a ** b }],
]);

/** Binds tighter than products, looser than powers: -2^2 is -4. */
const signBinds = 3;

const refuse = (why: string): MullError =>
  new MullError(`${why}. Use numbers, + - * / % ^, brackets, ${[...functions.keys()].join(" ")}.`, {
    category: "invalid_argument",
    code: "INVALID_ARG",
  });

/**
 * Evaluates an expression. Knows only the names in the table, runs no code, and takes linear time.
 */
export function calculate(expression: string): number {
  if (expression.length > longest) throw refuse(`The expression is longer than ${longest}`);
  const tokens = expression
    .replaceAll(/(?<=\d),(?=\d{3})/g, "")
    .replaceAll("**", "^")
    .replaceAll(/[×·]/g, "*")
    .replaceAll("÷", "/")
    .match(/\d+(?:\.\d+)?(?:e[+-]?\d+)?|\.\d+|[a-z]+|\S/gi);
  if (tokens === null) throw refuse("The expression is empty");
  let at = 0;

  const operand = (depth: number): number => {
    const token = tokens[at++];
    if (token === undefined) throw refuse("The expression ends too early");
    if (token === "-") return -climb(signBinds, depth + 1);
    if (token === "+") return climb(signBinds, depth + 1);
    if (token === "(") return bracket(depth);
    if (/^[\d.]/.test(token)) return Number(token);
    const word = token.toLowerCase();
    const apply = functions.get(word);
    if (apply !== undefined && tokens[at] === "(") {
      at++;
      return apply(bracket(depth));
    }
    const value = names.get(word);
    if (value === undefined) throw refuse(`I do not know ${JSON.stringify(token.slice(0, 20))}`);
    return value;
  };

  const bracket = (depth: number): number => {
    const value = climb(1, depth + 1);
    if (tokens[at++] !== ")") throw refuse("A bracket is not closed");
    return value;
  };

  const climb = (least: number, depth: number): number => {
    if (depth > 100) throw refuse("The expression is nested too deeply");
    let left = operand(depth);
    for (;;) {
      const operator = operators.get(tokens[at] ?? "");
      if (operator === undefined || operator.binds < least) return left;
      at++;
      const right = climb(operator.isRight ? operator.binds : operator.binds + 1, depth + 1);
      left = operator.apply(left, right);
    }
  };

  const result = climb(1, 0);
  if (at < tokens.length) throw refuse(`Something is left over at ${JSON.stringify(tokens[at])}`);
  if (!Number.isFinite(result)) throw refuse("The result is not a finite number");
  return result;
}

/** A tool that does arithmetic. */
export const calculator: Tool = tool<{ readonly expression: string }>({
  name: "calculator",
  description: "Works out an arithmetic expression exactly, e.g. (3 + 4) * 1.5 ^ 2.",
  input: {
    type: "object",
    properties: { expression: { type: "string", description: "The expression" } },
    required: ["expression"],
    additionalProperties: false,
  },
  idempotent: true,
  run: ({ expression }) => ({ expression, result: calculate(expression) }),
});

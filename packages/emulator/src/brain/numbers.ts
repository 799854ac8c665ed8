/**
 * A number as people write it, with separators and decimals. It starts at the first digit of a run and limits
 * the groups: otherwise the pattern would start again at every digit of a page of digits, in quadratic time.
 */
export const numberPattern: string = String.raw`(?<!\d)(?:\d{1,3}(?:,\d{3}){1,8}(?:\.\d+)?|\d+(?:\.\d+)?)`;

export const readNumber = (text: string): number => Number(text.replaceAll(",", ""));

export const numbersIn = (text: string): readonly number[] =>
  [...text.matchAll(new RegExp(`-?(?:${numberPattern})`, "g"))].map((match) =>
    readNumber(match[0]),
  );

/** At most ten decimals, no trailing zeros, separators from 1,000 on. */
export const writeNumber = (value: number): string => {
  if (!Number.isFinite(value)) return "undefined";
  const [whole, decimals] = String(Number(value.toPrecision(12))).split(".") as [string, string?];
  if (whole.includes("e")) return String(value);
  const grouped = whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
  return decimals === undefined ? grouped : `${grouped}.${decimals.slice(0, 10)}`;
};

export const writeMoney = (value: number): string => {
  const [whole, cents] = value.toFixed(2).split(".") as [string, string];
  return `${whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ",")}.${cents}`;
};

const words = new Map<string, number>(
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty"
    .split(" ")
    .map((word, value) => [word, value]),
);

/** `7`, `seven`, `1,000`; `undefined` for anything else. */
export const readCount = (text: string): number | undefined => {
  const named = words.get(text.toLowerCase());
  if (named !== undefined) return named;
  return new RegExp(`^(?:${numberPattern})$`).test(text) ? readNumber(text) : undefined;
};

import { readCount, writeNumber } from "./numbers.ts";
import type { Thought, Topic } from "./question.ts";

const most = 500;

/** A list of primes above this number would block every other request. */
const largest = 1_000_000;

const leastDivisor = (value: number): number => {
  for (let divisor = 2; divisor * divisor <= value; divisor += 1) {
    if (value % divisor === 0) return divisor;
  }
  return value;
};

const isPrime = (value: number): boolean => value > 1 && leastDivisor(value) === value;

const primesWhile = (
  wanted: (prime: number, found: number) => boolean,
  from = 2,
): readonly number[] => {
  const found: number[] = [];
  for (let candidate = Math.max(2, from); found.length < most; candidate += 1) {
    if (!wanted(candidate, found.length)) break;
    if (isPrime(candidate)) found.push(candidate);
  }
  return found;
};

const listing = (primes: readonly number[], what: string): Thought => ({
  steps: [
    "A prime has no divisor but 1 and itself; I test each number against divisors up to its root.",
    "2 is the only even prime, so after it only odd numbers matter.",
    ...primes
      .slice(0, 6)
      .map((prime) => `${prime} is divided by none of the smaller primes: keep.`),
    `That makes ${primes.length} primes.`,
  ],
  answer: `${what}: **${primes.join(", ")}**.`,
});

export const primes: Topic = ({ text }) => {
  if (!/\bprimes?\b/i.test(text)) return undefined;
  const first = /\bfirst\s+([\d,]+|[a-z]+)\s+prime/i.exec(text);
  const count = first === null ? undefined : readCount(first[1] as string);
  if (count !== undefined) {
    const found = primesWhile((_, length) => length < count);
    return listing(found, `The first ${found.length} primes are`);
  }
  const below = /\bprimes?(?:\s+numbers?)?\s+(below|under|less than|up to)\s+([\d,]+)/i.exec(text);
  if (below !== null) {
    const limit = readCount(below[2] as string) ?? 0;
    const inclusive = /up to/i.test(below[1] as string);
    const found = primesWhile(
      (candidate) => candidate < limit || (inclusive && candidate === limit),
    );
    return listing(found, `The primes ${below[1]} ${writeNumber(limit)} are`);
  }
  const between = /\b(?:between|from)\s+([\d,]+)\s+(?:and|to)\s+([\d,]+)/i.exec(text);
  if (between !== null) {
    const [low, high] = [between[1]!, between[2]!]
      .map((end) => readCount(end) ?? 0)
      .toSorted((a, b) => a - b) as [number, number];
    if (high > largest) return undefined;
    const found = primesWhile((candidate) => candidate <= high, low);
    return listing(found, `The primes between ${writeNumber(low)} and ${writeNumber(high)} are`);
  }
  const asked = /\b(?:is|whether)\s+([\d,]+)\s+(?:a\s+)?prime/i.exec(text);
  const value = asked === null ? undefined : readCount(asked[1] as string);
  if (value === undefined || value > 1e12) return undefined;
  const divisor = leastDivisor(value);
  const prime = isPrime(value);
  return {
    steps: [`I look for a divisor of ${writeNumber(value)} up to its root.`],
    answer: prime
      ? `Yes, **${writeNumber(value)} is prime**.`
      : `No, **${writeNumber(value)} is not prime**${value > 3 ? `: ${divisor} divides it` : ""}.`,
  };
};

import { isDeepStrictEqual } from "node:util";

import type { Outcome } from "./ask.ts";

const show = (value: unknown): string => JSON.stringify(value, undefined, 2) ?? String(value);

/** Everything somebody needs to see why a contract no longer holds. */
const describe = (
  field: string,
  expected: unknown,
  actual: unknown,
  { exchanges }: Outcome,
): string =>
  [
    `The contract does not hold: ${field}`,
    `expected: ${show(expected)}`,
    `actual:   ${show(actual)}`,
    ...exchanges.flatMap(({ request, response }, index) => [
      `--- request ${index + 1}: ${request.method} ${request.url}`,
      show({ headers: request.headers, body: request.body }),
      `--- response ${index + 1}: ${response.status}`,
      show(response.headers),
      response.text,
    ]),
  ].join("\n");

/** A failed check with the field or event, both values, and the whole exchange. */
export class ContractFailure extends Error {
  override readonly name = "ContractFailure";
  readonly field: string;
  readonly expected: unknown;
  readonly actual: unknown;

  constructor(field: string, expected: unknown, actual: unknown, outcome: Outcome) {
    super(describe(field, expected, actual, outcome));
    this.field = field;
    this.expected = expected;
    this.actual = actual;
  }
}

/** Fails unless both are the same, however deep. */
export const requireEqual = (
  outcome: Outcome,
  field: string,
  actual: unknown,
  expected: unknown,
): void => {
  if (!isDeepStrictEqual(actual, expected)) {
    throw new ContractFailure(field, expected, actual, outcome);
  }
};

/** Fails unless the condition holds; `expected` says it in words. */
export const requireThat = (
  outcome: Outcome,
  field: string,
  holds: boolean,
  expected: string,
  actual?: unknown,
): void => {
  if (!holds) throw new ContractFailure(field, expected, actual, outcome);
};

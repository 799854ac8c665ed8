import { plural } from "mull/wire";

/** One line about thoughts that a model is not sent; no line if it reads them all. */
export const describeWithheld = (withheld: readonly unknown[]): readonly string[] =>
  withheld.length === 0
    ? []
    : [`${plural(withheld.length, "sealed thought")} withheld: not readable for this model, kept`];

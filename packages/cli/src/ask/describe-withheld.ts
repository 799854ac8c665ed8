import { plural } from "mull/wire";

/** What of a conversation a model is not sent, in a line; none where it reads everything. */
export const describeWithheld = (withheld: readonly unknown[]): readonly string[] =>
  withheld.length === 0
    ? []
    : [`${plural(withheld.length, "sealed thought")} withheld: not readable for this model, kept`];

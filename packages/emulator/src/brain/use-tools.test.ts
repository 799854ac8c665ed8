import { expect, it } from "vitest";

import { think } from "./brain.ts";

it("R528 the brain says why a call was not run, where a person refused it", () => {
  const output = "Refused, the call was not run: Not today.";
  const refused = { name: "pay", input: { sum: 5 }, output, isError: true };
  const tools = [{ name: "pay", inputSchema: { type: "object" } }];
  const asked = { text: "Use pay with 5", earlier: [], tools, parallel: true };
  expect(think({ ...asked, rounds: [[refused]] }).answer).toBe("I did not run pay: Not today.");
});

import type { Observation } from "mull";
import { expect, it } from "vitest";
import { testServer } from "../testing/test-server.ts";

it("R468 an observer of the server is told of its turns", async () => {
  const seen: Observation[] = [];
  const observe = (observation: Observation): void => void seen.push(observation);
  const ann = await testServer({ observe }).signedUp("ann");
  await ann.askWhole(await ann.newConversation(), "What is 23 * 47?");
  const types = seen.map(({ type }) => type);
  expect([types[0], types.at(-1)]).toEqual(["turn-start", "turn-end"]);
  expect(types).toContain("composed");
  expect(seen.at(-1)).not.toHaveProperty("error");
});

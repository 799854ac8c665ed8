import { expect, test } from "vitest";
import type { JsonObject } from "../../types/json.ts";
import { effortIn, effortInForce } from "./effort-in-body.ts";

const hello = { role: "user", content: "Hi." };
const claude = (effort: string): JsonObject => ({
  role: "system",
  content: [],
  output_config: { effort },
});
const openai = (effort: string): JsonObject => ({
  type: "configuration_update",
  reasoning: { effort },
});

test.each<[string, JsonObject, string | undefined, string | undefined]>([
  ["nothing", {}, undefined, undefined],
  ["Claude at the top", { output_config: { effort: "low" } }, undefined, "low"],
  ["OpenAI at the top", { reasoning: { effort: "high" }, input: "Hi." }, undefined, "high"],
  ["chat at the top", { reasoning_effort: "none", messages: [hello] }, undefined, "none"],
  ["no word", { reasoning_effort: 3, reasoning: {} }, undefined, undefined],
  [
    "Claude inside: the last one counts",
    {
      output_config: { effort: "low" },
      messages: [claude("max"), hello, claude("high"), { role: "system", content: "Be brief." }],
    },
    "high",
    "high",
  ],
  [
    "OpenAI inside",
    { reasoning: { effort: "low" }, input: ["odd", openai("medium"), hello] },
    "medium",
    "medium",
  ],
])("an effort is found in a body: %s", (_, body, inside, asked) => {
  expect(effortInForce(body)).toBe(inside);
  expect(effortIn(body)).toBe(asked);
});

import { calls, says, script, thinks } from "@mull/emulator";
import { findProvider } from "mull";
import { describe, expect, test } from "vitest";
import { agentAt, emulator, refusalsOf } from "./emulated.ts";

const servedBy = (provider: string): readonly string[] =>
  findProvider(provider)
    .models.filter(
      ({ thinking, status }) =>
        thinking.kind !== "none" && status !== "retired" && status !== "never-served",
    )
    .map(({ id }) => `${provider}:${id}`);

/** The newest first; enough of them to meet every rule of the family. */
const picked = (refs: readonly string[], most: number): readonly string[] =>
  refs.filter((_, at) => at % Math.ceil(refs.length / most) === 0);

const turn = [thinks("Oslo first."), calls("get_weather", { city: "Oslo" })];

/** Seals are verified here, not only looked at: a model's rights, the prefix, the account. */
describe.each([
  ["anthropic", 24],
  ["google", 12],
  ["openai", 8],
])("P-A2 P-G3 every %s model takes over from every other, seals verified", (provider, most) => {
  const refs = picked(servedBy(provider), most);
  test.each(refs)("%s", async (from) => {
    for (const to of refs) {
      const served = emulator({
        scripts: [script({}, turn, turn, [thinks("Enough."), says("Cold.")], turn)],
      });
      const agent = agentAt(from, served);
      for await (const { event } of agent.sendStream("weather?")) {
        if (event.type === "tool-result" && event.step === 0) agent.use(`${to}/med`);
        if (event.type === "tool-result" && event.step === 1) agent.use(`${from}/med`);
      }
      await agent.use(`${to}/high`).send("And tomorrow?");
      await agent.use(`${from}/low`).send("And then?");
      expect([from, to, refusalsOf(served)]).toEqual([from, to, []]);
    }
  });
});

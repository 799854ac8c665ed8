import { calls, cuts, says, script, thinks } from "@mull/emulator";
import { describe, expect, test } from "vitest";
import { agentAt, emulator, refs, refusalsOf } from "./emulated.ts";

const breaks = {
  "in thinking": [thinks("A long thought. ".repeat(5)), cuts("inside")],
  "after thinking": [thinks("A thought."), cuts("after")],
  "in text": [thinks("A thought."), says("It is about ".repeat(5)), cuts("inside")],
  "after text": [thinks("A thought."), says("It is nine degrees."), cuts("after")],
  "in a call": [
    thinks("A thought."),
    calls("get_weather", { city: "Oslo, the capital" }),
    cuts("inside"),
  ],
  "after a call": [thinks("A thought."), calls("get_weather", { city: "Oslo" }), cuts("after")],
} as const;

describe.each(Object.entries(breaks))("F-S17 a turn broken %s is gone on with", (_, turn) => {
  test.each(refs)("by %s, and by every other model", async (ref) => {
    for (const next of refs) {
      const served = emulator({ scripts: [script({}, turn)] });
      const agent = agentAt(ref, served);
      await agent.send("weather?").catch(() => undefined);
      const calm = emulator();
      const other = agentAt(next, calm, { history: agent.history });
      if (agent.history.length > 0) await other.resumeStream().result();
      expect([next, refusalsOf(calm)]).toEqual([next, []]);
    }
  });
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { emulate, fails, says, script, thinks } from "@mull/emulator";
import { Agent } from "mull";

await test("survives an overloaded service", async () => {
  const answers = script({}, [fails(529)], [thinks("Two and two."), says("4")]);
  const fetch = emulate({ scripts: [answers] });
  const agent = new Agent("claude-opus-5-5/low", { fetch, apiKey: "test" });
  assert.equal((await agent.send("2 + 2?")).text, "4");
});

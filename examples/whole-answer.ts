import assert from "node:assert/strict";
import { emulate } from "@mull/emulator";
import { Agent } from "mull";

const agent = new Agent("claude-opus-5-5/high", { fetch: emulate(), apiKey: "simulated" });
const result = await agent.send("Calculate 156 ÷ 12");

console.log("[thinking]", result.metadata.thinking);
console.log("[answer]", result.text);

// What people read holds no thinking; what machines replay is agent.history.
const kinds = result.messages.flatMap((message) => message.parts.map((part): string => part.type));
assert.ok(!kinds.includes("thinking"));

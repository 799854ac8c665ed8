import { lint, repair, type JsonObject } from "mull";

// The body of a request that came back with "Expected `thinking` or `redacted_thinking`, but found `tool_use`".
const body: JsonObject = {
  model: "claude-haiku-4-5",
  max_tokens: 20_000,
  thinking: { type: "enabled", budget_tokens: 8000 },
  messages: [
    { role: "user", content: "Weather in Oslo?" },
    {
      role: "assistant",
      content: [{ type: "tool_use", id: "toolu_1", name: "weather", input: { city: "Oslo" } }],
    },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_1", content: "4 °C" }] },
  ],
  tools: [
    { name: "weather", input_schema: { type: "object", properties: { city: { type: "string" } } } },
  ],
};
const request = {
  wire: "anthropic-messages",
  body,
  headers: { "anthropic-version": "2023-06-01" },
} as const;

for (const finding of lint(request).findings) {
  console.log(`${finding.severity} ${finding.rule} at ${finding.path}`);
  console.log(`  ${finding.message}`);
  console.log(`  fix: ${finding.fix}`);
}
const repaired = repair(request);
console.log(
  repaired.ok,
  repaired.repairs.map((done) => done.detail),
);

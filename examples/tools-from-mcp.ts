import { calls, emulate, says, script } from "@mull/emulator";
import { mcpTools } from "@mull/mcp";
import { Agent } from "mull";

const mcp = await mcpTools(
  { files: { command: "npx", args: ["@modelcontextprotocol/server-filesystem", "examples"] } },
  { approval: "writes" }, // tools that do not only read wait for a person
);
const answers = script(
  {},
  [calls("files_list_directory", { path: "short" })],
  [says("There are short programs.")],
);
const agent = new Agent("claude-opus-5-5/low", {
  fetch: emulate({ scripts: [answers] }),
  apiKey: "simulated",
  tools: () => mcp.tools, // asked before every request, so the list may change
});

for await (const { event, text } of agent.sendStream("What is in the folder short?")) {
  if (event.type === "tool-result") console.log(event.result.output);
  if (text !== undefined) process.stdout.write(text);
}
await mcp.close();

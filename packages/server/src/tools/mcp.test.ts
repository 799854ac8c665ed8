import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tool, type Tool } from "mull";
import { describe, expect, it } from "vitest";
import { readConfig } from "../config.ts";
import { testServer } from "../testing/test-server.ts";

const echo = (name: string): Tool => tool({ name, run: () => "heard" });

describe("MCP servers from the configuration", () => {
  it("R527: tools that a function lists are those of the next turn", async () => {
    const tools = [echo("one")];
    const server = testServer({ tools: () => tools });
    const ann = await server.signedUp("ann");
    await ann.askWhole("x", "Hello");
    tools.push(echo("two"));
    const chunks = await ann.askWhole("x", "Use two to hear me");
    expect(JSON.stringify(chunks)).toContain('"toolName":"two"');
  });

  it("R523: are read from MULL_MCP or a file it names, in the form other programs use", () => {
    const json = JSON.stringify({
      files: { command: "files", args: ["/tmp"] },
      web: { url: "http://127.0.0.1:9" },
    });
    const servers = {
      files: { command: "files", args: ["/tmp"] },
      web: { url: "http://127.0.0.1:9" },
    };
    expect(readConfig({ MULL_MCP: json }).mcpServers).toEqual(servers);
    const folder = mkdtempSync(join(tmpdir(), "mull-mcp-"));
    const path = join(folder, "mcp.json");
    writeFileSync(path, JSON.stringify({ mcpServers: servers }));
    expect(readConfig({ MULL_MCP: path }).mcpServers).toEqual(servers);
    rmSync(folder, { recursive: true });
    expect(() => readConfig({ MULL_MCP: path })).toThrow(/MULL_MCP: expected .*a file/);
    for (const wrong of ["{", "[]", '{"a": 1}', '{"a": {}}']) {
      expect(() => readConfig({ MULL_MCP: wrong })).toThrow(/MULL_MCP/);
    }
  });

  it("the other settings are checked, with their names in the message", () => {
    expect(readConfig({})).toMatchObject({ port: 3001, host: "127.0.0.1", hosts: [] });
    expect(() => readConfig({ PORT: "abc" })).toThrow(/PORT/);
    expect(() => readConfig({ MULL_LEVEL: "enormous" })).toThrow(/level/i);
    expect(() => readConfig({ MULL_PACE: "-1" })).toThrow(/MULL_PACE/);
    expect(readConfig({ MULL_HOSTS: "a.example, b.example" }).hosts).toEqual([
      "a.example",
      "b.example",
    ]);
  });
});

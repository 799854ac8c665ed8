import { join } from "node:path";
import type { JsonObject } from "mull";
import { describe, expect, it } from "vitest";
import { readConfig } from "../config.ts";
import { testServer } from "../testing/test-server.ts";
import { connectMcp } from "./mcp.ts";

const probe = {
  name: "probe",
  command: process.execPath,
  args: ["--import", "tsx", join(import.meta.dirname, "../testing/mcp-server.ts")],
};
/** For a start on a machine that has much else to do. */
const patienceMs = 60_000;
const context = { callId: "1", signal: new AbortController().signal };

describe("MCP servers from the configuration", () => {
  it("offers their tools under their name, runs them, and passes failures on", async () => {
    const troubles: string[] = [];
    const broken = { name: "broken", command: "/nowhere/at/all" };
    const mcp = await connectMcp([probe, broken], (name) => troubles.push(name), patienceMs);
    try {
      expect(mcp.tools.map(({ spec }) => spec.name)).toEqual([
        "probe_shout",
        "probe_fail_now",
        "probe_die",
      ]);
      expect(troubles).toEqual(["broken"]);
      expect(await mcp.tools.at(0)?.run({ text: "quiet" }, context)).toBe("QUIET");
      await expect(mcp.tools.at(1)?.run({}, context)).rejects.toThrow("it broke");
      const server = testServer({ tools: mcp.tools });
      const ann = await server.signedUp("ann");
      const chunks = await ann.askWhole("x", "Use probe_shout to shout hello");
      expect(JSON.stringify(chunks)).toContain("tool-output-available");
    } finally {
      await mcp.close();
    }
  }, 90_000);

  it("F-K2: a server that dies is started again for the next call; one that is silent is left out", async () => {
    const troubles: string[] = [];
    const silent = {
      name: "silent",
      command: process.execPath,
      args: ["-e", "process.stdin.resume()"],
    };
    const none = await connectMcp([silent], (name) => troubles.push(name), 100);
    expect(none.tools).toEqual([]);
    expect(troubles).toEqual(["silent"]);
    const { tools, close } = await connectMcp([probe], (name) => troubles.push(name), patienceMs);
    try {
      const run = (name: string, input: JsonObject): unknown =>
        tools.find(({ spec }) => spec.name === name)!.run(input, context);
      await expect(run("probe_die", {})).rejects.toThrow("Connection closed");
      expect(await run("probe_shout", { text: "back" })).toBe("BACK");
      expect(troubles).toEqual(["silent"]);
    } finally {
      await close();
    }
  }, 90_000);

  it("are read from MULL_MCP, in the form other programs use", () => {
    const json = JSON.stringify({
      files: { command: "files", args: ["/tmp"] },
      web: { url: "http://127.0.0.1:9" },
    });
    expect(readConfig({ MULL_MCP: json }).mcpServers).toEqual([
      { name: "files", command: "files", args: ["/tmp"] },
      { name: "web", url: "http://127.0.0.1:9" },
    ]);
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

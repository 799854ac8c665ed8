import { describe, expect, it } from "vitest";
import { readMcpServers } from "./index.ts";

describe("R523: the usual configuration", () => {
  it("is read from JSON, with variables in place", () => {
    const config = JSON.stringify({
      mcpServers: {
        files: {
          type: "stdio",
          command: "npx",
          args: ["-y", "files", "${FOLDER:-docs}"],
          env: { TOKEN: "${TOKEN}" },
          approval: "writes",
        },
        wiki: {
          url: "https://wiki.example/mcp",
          headers: { Authorization: "Bearer ${TOKEN}" },
          timeoutMs: 5000,
        },
        off: { command: "never", disabled: true },
      },
    });
    expect(readMcpServers(config, { TOKEN: "t-1" })).toEqual({
      files: {
        command: "npx",
        args: ["-y", "files", "docs"],
        env: { TOKEN: "t-1" },
        approval: "writes",
      },
      wiki: {
        url: "https://wiki.example/mcp",
        headers: { Authorization: "Bearer t-1" },
        timeoutMs: 5000,
      },
    });
    expect(readMcpServers({ files: { command: "files" } })).toEqual({
      files: { command: "files" },
    });
  });

  it.each([
    ["{", "mcpServers: expected JSON"],
    [[], "mcpServers: expected an object with a server for each name"],
    [{ a: 1 }, "mcpServers.a: expected an object with command or url"],
    [{ a: {} }, "mcpServers.a: expected an object with command or url"],
    [{ a: { command: 5 } }, "mcpServers.a.command: expected a string"],
    [{ a: { command: "x", args: "y" } }, "mcpServers.a.args: expected a list of texts"],
    [{ a: { command: "x", args: [1] } }, "mcpServers.a.args[0]: expected a string"],
    [{ a: { command: "x", env: [] } }, "mcpServers.a.env: expected an object of texts"],
    [{ a: { command: "x", approval: "yes" } }, "mcpServers.a.approval: expected"],
    [{ a: { command: "x", timeoutMs: 0 } }, "mcpServers.a.timeoutMs: expected"],
    [{ a: { command: "${NOT_SET}" } }, "mcpServers.a.command: expected the variable NOT_SET"],
    [{ a: { url: "wiki.example" } }, "mcpServers.a.url: expected an address"],
    [{ a: { url: "localhost:9/mcp" } }, "mcpServers.a.url: expected an address"],
  ])("refuses what can start nothing, with the place: %j", (config, message) => {
    expect(() => readMcpServers(config)).toThrow(message);
  });
});

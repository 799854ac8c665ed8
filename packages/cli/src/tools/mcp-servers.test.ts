import { writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { emptyHome, jsonLines, mull } from "../testing/fake-io.ts";
import { nameOf, readServers } from "./mcp-servers.ts";

const { resolve } = createRequire(import.meta.url);
const everything = join(
  dirname(resolve("@modelcontextprotocol/server-everything/package.json")),
  "dist/index.js",
);
const server = `all='${process.execPath}' '${everything}' stdio`;

describe("R525: --mcp lets a question use the tools of a server", () => {
  const question = "Use all_get-sum to add 2 and 3";

  test("a tool that only reads runs; another is refused where nobody can be asked", async () => {
    const { code, out, err } = await mull(["--mcp", server, "--jsonl", "--simulate", question], {
      stdin: "",
    });
    expect(code).toBe(0);
    const lines = jsonLines(out);
    expect(lines.find(({ type }) => type === "tool-result")).toMatchObject({
      name: "all_get-sum",
      output: expect.stringMatching(/sum of .+ is/),
    });
    expect(err).not.toContain("was not run");
    const write = "Use all_toggle-simulated-logging to begin";
    const refused = await mull(["--mcp", server, "--jsonl", "--simulate", write], { stdin: "" });
    expect(refused.code).toBe(0);
    expect(refused.err).toContain("To allow it: --allow all_toggle-simulated-logging");
    expect(refused.out).toContain("nobody can approve it here");
  }, 60_000);

  test("--allow runs it without asking, and a file with mcpServers does as well", async () => {
    const home = emptyHome();
    const servers = { all: { command: process.execPath, args: [everything, "stdio"] } };
    await writeFile(join(home, "mcp.json"), JSON.stringify({ mcpServers: servers }));
    const { code, out, err } = await mull(
      [
        "--mcp",
        "mcp.json",
        "--allow",
        "all_toggle-simulated-logging",
        "--jsonl",
        "--simulate",
        "Use all_toggle-simulated-logging",
      ],
      { stdin: "", home },
    );
    expect(code).toBe(0);
    expect(out).toContain("simulated");
    expect(err).not.toContain("was not run");
    expect(jsonLines(out).find(({ type }) => type === "tool-result")).not.toHaveProperty("isError");
  }, 60_000);

  test("a server that does not start is named, with what it wrote", async () => {
    const broken = `'${process.execPath}' -e "console.error('no such folder'); process.exit(1)"`;
    const { code, err } = await mull(["--mcp", `files=${broken}`, "--simulate", "hello"], {
      stdin: "",
    });
    expect(code).toBe(7);
    expect(err).toMatch(/The MCP server files .*does not answer[^]*no such folder/);
    const missing = await mull(["--mcp", "not-there-at-all", "--simulate", "hello"], { stdin: "" });
    expect(missing.err).toContain(
      "✗ The MCP server not-there-at-all does not answer: there is no program not-there-at-all",
    );
    const closed = await mull(["--mcp", "http://127.0.0.1:2/mcp", "--simulate", "hello"], {
      stdin: "",
    });
    expect(closed.err).toContain("does not answer: connect ECONNREFUSED 127.0.0.1:2");
  });
});

describe("R525: what --mcp takes", () => {
  const io = { cwd: "/here", env: {} };

  test("a command with quotes, an address, a name of its own", async () => {
    expect(await readServers(`npx -y some-server "a b" c='d e'`, io)).toEqual({
      some: { command: "npx", args: ["-y", "some-server", "a b", "c=d e"], cwd: "/here" },
    });
    expect(await readServers("https://wiki.example/mcp", io)).toEqual({
      wiki: { url: "https://wiki.example/mcp" },
    });
    expect(await readServers("docs=https://wiki.example/mcp", io)).toEqual({
      docs: { url: "https://wiki.example/mcp" },
    });
    expect(await readServers("http://127.0.0.1:3000/mcp", io)).toEqual({
      mcp: { url: "http://127.0.0.1:3000/mcp" },
    });
    await expect(readServers(" ", io)).rejects.toThrow("--mcp is empty");
    await expect(readServers("none.json", io)).rejects.toThrow("Cannot read /here/none.json");
  });

  test.each([
    ["npx -y @modelcontextprotocol/server-filesystem@1.2 docs", "filesystem"],
    ["uvx mcp-server-git", "git"],
    ["node dist/index.js", "index"],
    ["/opt/bin/notes-mcp --all", "notes"],
    ["npx", "mcp"],
  ])("%s is called %s", (words, name) => {
    expect(nameOf(words.split(" "))).toBe(name);
  });
});

import { execFile, spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { listen } from "../packages/server/src/node.ts";
import { leaveOut } from "./left-out.ts";
import { testServer } from "../packages/server/src/testing/test-server.ts";

const hasCurl = spawnSync("curl", ["--version"]).status === 0;
if (!hasCurl) leaveOut("curl");

test.runIf(hasCurl)("R252 the calls that docs/guides/server.md shows get an answer", async () => {
  const page = await readFile(new URL("../docs/guides/server.md", import.meta.url), "utf8");
  const calls = /```sh\n(call\(\) [\s\S]*?)```/.exec(page)?.[1] ?? "";
  const at = await listen(testServer().app, { port: 0 });
  const folder = await mkdtemp(join(tmpdir(), "mull-calls-"));
  try {
    const script = calls.replaceAll("http://127.0.0.1:3001", at.url);
    const { stdout } = await promisify(execFile)("bash", ["-c", script], { cwd: folder });
    expect(stdout).toContain('"name":"ann"');
    expect(stdout).toContain('"type":"text-delta"');
    expect(stdout.trimEnd()).toMatch(/data: \[DONE\]$/);
  } finally {
    await at.close();
    await rm(folder, { recursive: true });
  }
});

import { spawnSync } from "node:child_process";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { openingLine, serve } from "./serve.ts";
import { killServers, startServer, untilReady } from "./testing/child-server.ts";

const main = fileURLToPath(new URL("main.ts", import.meta.url));

describe("the server's command", () => {
  it.each([
    ["--help", 0],
    ["--port", 2],
  ])("starts nothing with %s, and says where settings come from", (argument, code) => {
    const { status, stdout } = spawnSync(process.execPath, ["--import", "tsx", main, argument], {
      encoding: "utf8",
    });
    expect([status, stdout]).toEqual([code, expect.stringContaining("PORT")]);
  });

  it("F-D7: tells only the terminal which database it cannot reach, and why", async () => {
    const serving = await serve({
      env: { PORT: "0", DATABASE_URL: "postgres://mull:open-sesame@127.0.0.1:1/mull" },
    });
    try {
      await expect(serving.opened).rejects.toThrow(
        /^The database cannot be reached at the moment\. connect ECONNREFUSED 127\.0\.0\.1:1$/,
      );
      const asked = await fetch(`${serving.url}/api/account`, { headers: { cookie: "mull=a.b" } });
      expect([asked.status, await asked.text()]).toEqual([
        503,
        expect.not.stringContaining("127.0.0.1"),
      ]);
    } finally {
      await serving.close();
    }
  });

  it("F-D7: says once, in words, why it cannot open its store, and before that what it waits for", async () => {
    const folder = await mkdtemp(join(tmpdir(), "mull-refused-"));
    const file = join(folder, "file");
    await writeFile(file, "");
    try {
      const child = await startServer({ MULL_DATA: file, MULL_LOG: "on" });
      expect(await child.ended).toBe(1);
      const lines = child.said().trimEnd().split("\n");
      expect(lines.filter((line) => line.includes(file))).toEqual([
        `Cannot make the folder ${file}: a file is in its place. Choose another.`,
      ]);
      expect(lines).toContain(openingLine);
    } finally {
      await killServers();
      await rm(folder, { recursive: true, force: true });
    }
  });

  it.each([
    ["port_taken", (port: number) => ({ PORT: String(port) })],
    ["remote_host", () => ({ PORT: "0", HOST: "0.0.0.0" })],
  ])("F-D2: a start that is refused (%s) opens nothing and leaves nothing", async (code, place) => {
    const folder = await mkdtemp(join(tmpdir(), "mull-refused-"));
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const { port } = other.address() as AddressInfo;
    try {
      const env = { ...place(port), MULL_DATA: join(folder, "data") };
      await expect(serve({ env })).rejects.toMatchObject({ code });
      expect(await readdir(folder)).toEqual([]);
    } finally {
      await new Promise((resolve) => other.close(resolve));
      await rm(folder, { recursive: true });
    }
  });

  it("F-W18: goes on when nobody reads its log any more, and still ends when it is told to", async () => {
    const folder = await mkdtemp(join(tmpdir(), "mull-main-"));
    try {
      const child = await startServer({ MULL_DATA: folder, MULL_LOG: "on" });
      await untilReady(child.url);
      child.turnAway();
      for (let nth = 0; nth < 3; nth++) {
        expect((await fetch(`${child.url}/api/account`)).status).toBe(401);
      }
      expect(await child.terminate()).toBe(0);
    } finally {
      await killServers();
      await rm(folder, { recursive: true, force: true });
    }
  }, 180_000);

  it("F-W18: tells of what nobody foresaw where it happened, without secrets, and ends", async () => {
    const folder = await mkdtemp(join(tmpdir(), "mull-main-"));
    const secret = "a secret of at least 32 characters";
    const fault = `process.once("SIGUSR2", function trip() { throw new Error("boom ${secret}") })`;
    try {
      const child = await startServer({
        MULL_DATA: folder,
        MULL_SECRET: secret,
        NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(fault)}`,
      });
      process.kill(child.pid, "SIGUSR2");
      expect(await child.ended).toBe(1);
      expect(child.said()).toMatch(
        /"uncaughtException","error":"Error: boom \[redacted\].*\.trip /,
      );
      expect(child.said()).not.toContain(secret);
    } finally {
      await killServers();
      await rm(folder, { recursive: true, force: true });
    }
  }, 180_000);
});

import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

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
});

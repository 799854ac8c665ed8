import { spawnSync } from "node:child_process";

/** Kills and power cuts in their full number; each test says how many it saw through. */
const tests = [
  "packages/store/src/crash",
  "packages/server/src/crash.test.ts",
  "test/power-cut/server.test.ts",
];
const { status } = spawnSync("npx", ["--no-install", "vitest", "run", ...tests], {
  stdio: "inherit",
  env: { ...process.env, MULL_CRASH: "full" },
});
process.exitCode = status ?? 1;

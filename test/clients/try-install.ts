import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

/** In CI the clients are installed where that is possible; elsewhere nobody wants 1.7 GB unasked. */
export function setup(): void {
  const isThere = existsSync(join(import.meta.dirname, "node_modules"));
  if (isThere || process.env["CI"] === undefined) return;
  // `npm ci` refuses: opencode names binaries for other machines that are not in the registry.
  const args = ["install", "--no-save", "--legacy-peer-deps", "--fetch-retries=1"];
  const cwd = import.meta.dirname;
  spawnSync("npm", args, { cwd, stdio: "ignore", timeout: 300_000 });
}

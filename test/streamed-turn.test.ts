import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const page = readFileSync(join(import.meta.dirname, "../ARCHITECTURE.md"), "utf8");
const walk = /- \*\*A streamed turn\*\*[^]*?\n- /.exec(page)?.[0] ?? "";
const named = [...walk.matchAll(/`([^`]+\.ts)`/g)].map(([, file]) => file!);

// A walk that leaves a file out sends its reader searching, and one that grows is read by nobody.
test("the first walk names every file that runs, and no other", () => {
  const child = join(import.meta.dirname, "streamed-turn.ts");
  const how = ["--conditions=@mull/source", "--import", "tsx", child];
  const run: unknown = JSON.parse(execFileSync(process.execPath, how, { encoding: "utf8" }));
  expect(run).toHaveLength(named.length);
  expect(named.toSorted()).toEqual((run as string[]).toSorted());
  expect(named.length).toBeLessThanOrEqual(32);
});

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { startVitest } from "vitest/node";
import { hasChromium } from "./browser/chromium.ts";
import { findRecordings } from "./find-recordings.ts";
import { leftOutReporter } from "./left-out-reporter.ts";

const modules = join(import.meta.dirname, "..", "node_modules");

describe("what a run leaves out", () => {
  test("is listed once at its end, from whichever worker and file it comes", async () => {
    const folder = mkdtempSync(join(modules, ".left-out-"));
    const source = `import { test, beforeAll } from "vitest";
      import { leaveOut } from ${JSON.stringify(join(import.meta.dirname, "left-out.ts"))};
      leaveOut("curl");
      beforeAll(() => leaveOut("postgres"));
      test("one", () => {});`;
    for (const name of ["a", "b"]) writeFileSync(join(folder, `${name}.test.ts`), source);
    const written: string[] = [];
    const reporter = leftOutReporter(["known before"], (text) => written.push(text));
    try {
      const vitest = await startVitest("test", [], {
        root: folder,
        config: false,
        watch: false,
        maxWorkers: 2,
        reporters: [reporter],
      });
      await vitest.close();
      expect(written.map((text) => text.trimEnd().split("\n"))).toEqual([
        [
          "Not tested in this run:",
          "  known before",
          expect.stringMatching(/^ {2}the calls that .*; to include it, install curl$/),
          expect.stringMatching(
            /^ {2}stores .* Postgres; to include it, install it .*DATABASE_URL$/,
          ),
        ],
      ]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  }, 60_000);

  test("is nothing where all was tested: not a line", () => {
    const written: string[] = [];
    const reporter = leftOutReporter([], (text) => written.push(text));
    void reporter.onTestRunEnd?.([], [], "passed");
    expect(written).toEqual([]);
  });
});

describe("recordings", () => {
  test("are found in the file or the folder that MULL_RECORDINGS names; a wrong path is refused", () => {
    const folder = mkdtempSync(join(tmpdir(), "mull-recordings-"));
    const file = join(folder, "recordings.jsonl");
    writeFileSync(file, "");
    expect([findRecordings(folder), findRecordings(file)]).toEqual([file, file]);
    rmSync(folder, { recursive: true });
    expect(() => findRecordings(folder)).toThrow(/^MULL_RECORDINGS: .* does not exist/);
  });
});

test("a Chromium that does not start is missing, not broken", async () => {
  const broken = Promise.reject(new Error("libnss3.so: cannot open"));
  expect(await hasChromium(() => broken)).toBe(false);
});

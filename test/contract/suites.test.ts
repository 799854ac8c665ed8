import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, sep } from "node:path";

import { describe, expect, test } from "vitest";
import { createVitest, parseCLI } from "vitest/node";

import { steps } from "../../scripts/check-steps.ts";
import { findRecordings } from "../find-recordings.ts";
import { coverageFloor, heavySuites } from "../suites.ts";
import * as thinkingChecks from "../thinking/thinking-checks.ts";
import { makeProvider } from "./ask.ts";
import { checkEventOrder } from "./check-events.ts";
import * as checks from "./checks.ts";
import { documentModels, invalidModel, requests } from "./requests.ts";

const root = join(import.meta.dirname, "..", "..");
const read = (...path: readonly string[]): string => readFileSync(join(root, ...path), "utf8");
const testFiles = (folder: string): readonly string[] =>
  readdirSync(join(root, "test", folder))
    .filter((name) => name.endsWith(".test.ts"))
    .toSorted();

const { scripts } = JSON.parse(read("package.json")) as {
  readonly scripts: Readonly<Record<string, string>>;
};

/** The files that a command of package.json hands to Vitest. */
async function filesOf(script: string): Promise<readonly string[]> {
  const { filter, options } = parseCLI(scripts[script]?.split(" && ").at(-1) ?? "");
  const vitest = await createVitest("test", { ...options, watch: false });
  try {
    const found = await vitest.getRelevantTestSpecifications(filter);
    return found.map(({ moduleId }) => relative(root, moduleId).split(sep).join("/")).toSorted();
  } finally {
    await vitest.close();
  }
}

const allTests = (): readonly string[] =>
  ["packages", "test"]
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((path) =>
        [folder, ...path.split(sep)].join("/"),
      ),
    )
    .filter((path) => /\.test\.tsx?$/.test(path) && !/\/(?:node_modules|dist)\//.test(path));

const isHere = (path: string): boolean =>
  findRecordings() !== undefined || !/\/(?:recordings|recorded-[\w-]+)\.test\.ts$/.test(path);

/** Each command, and the folder whose tests it runs. */
const commands: readonly (readonly [requirement: string, name: string, folder: string])[] = [
  ["R375", "test:thinking", "thinking"],
  ["R378", "test:contract", "contract"],
  ["R379", "test:leaks", "leaks"],
];

describe("the suites", () => {
  test("R308 R309 R310 R311 R312 R313 R314 one folder with its request fixtures", () => {
    expect(testFiles("contract")).toContain("google.test.ts");
    expect(requests.simpleText.messages).toMatchObject([{ parts: [{ text: "What is 2+2?" }] }]);
    expect(documentModels.google).toBe("gemini-3.0-flash");
    expect(requests.toolCall.tools).toMatchObject([{ name: "get_weather" }]);
    expect([requests.thinkingMed.level, requests.thinkingHigh.level]).toEqual(["med", "high"]);
    expect(requests.multiTurn.messages.map(({ role }) => role)).toEqual([
      "user",
      "assistant",
      "user",
    ]);
    expect(invalidModel.google).toBe("gemini-nonexistent-9");
  });

  test("R329 the helpers of the contract suites", () => {
    const { checkStructure, checkThinking, checkToolCall, checkCallId, checkError } = checks;
    const helpers = [makeProvider, checkStructure, checkThinking, checkToolCall, checkCallId];
    for (const helper of [...helpers, checkEventOrder, checkError]) {
      expect(helper).toBeTypeOf("function");
    }
  });

  test("R358 the helpers of the thinking suites", () => {
    const { requestFor, checkBudget, checkRequestJson, ...others } = thinkingChecks;
    const { checkExtracted, checkTokens, loadFixture } = others;
    const helpers = [requestFor, checkBudget, checkRequestJson, checkExtracted, checkTokens];
    for (const helper of [...helpers, loadFixture]) expect(helper).toBeTypeOf("function");
  });

  test("R335 the five files of the thinking suites, and the agent's", () => {
    const files = ["agent", "budgets", "extraction", "levels", "serialization", "streaming"];
    expect(testFiles("thinking")).toEqual(
      expect.arrayContaining(files.map((name) => `${name}.test.ts`)),
    );
  });

  test("R376 every file runs alone: none imports another test", () => {
    const importing = ["thinking", "contract", "leaks"].flatMap((folder) =>
      testFiles(folder).filter((name) => /from "[^"]+\.test\.ts"/.test(read("test", folder, name))),
    );
    expect(importing).toEqual([]);
  });

  test("R356 at least 18 tests across the thinking files", () => {
    const counts = testFiles("thinking").map(
      (name) => read("test", "thinking", name).match(/^ {2}test(?:\.each)?\(/gm)?.length ?? 0,
    );
    expect(counts.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(18);
  });

  test.each(commands)("%s npm run %s runs every test of test/%s", async (_id, name, folder) => {
    const tests = testFiles(folder).map((file) => `test/${folder}/${file}`);
    expect(tests.length).toBeGreaterThan(2);
    expect(await filesOf(name)).toEqual(tests);
  });

  test("R377 npm run check runs every test there is, thinking and contract suites included", async () => {
    const run = new Set<string>();
    for (const { name } of steps.filter((step) => step.name.startsWith("test:")))
      for (const file of await filesOf(name)) run.add(file);
    expect(allTests().filter((path) => isHere(path) && !run.has(path))).toEqual([]);
    expect(steps.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["types", "lint", "scan:fixtures", "test:full", "coverage"]),
    );
  });

  test("npm test runs what the heavy suites leave, and every heavy suite has its command", async () => {
    const quick = await filesOf("test");
    for (const { name } of heavySuites) {
      const heavy = await filesOf(`test:${name}`);
      expect([name, heavy.length]).not.toEqual([name, 0]);
      expect(heavy.filter((file) => quick.includes(file))).toEqual([]);
    }
    expect(quick).toContain("test/contract/suites.test.ts");
  });

  test("R382 lint fails on what it would only warn of elsewhere", () => {
    const folder = mkdtempSync(join(tmpdir(), "mull-lint-"));
    const file = join(folder, "planted.ts");
    writeFileSync(file, "debugger;\nlet unused = 1;\n");
    const lint = spawnSync(
      join(root, "node_modules", ".bin", "oxlint"),
      ["--config", join(root, ".oxlintrc.json"), file],
      { encoding: "utf8" },
    );
    rmSync(folder, { recursive: true });
    expect([lint.status, lint.stdout]).toEqual([
      1,
      expect.stringContaining("Found 0 warnings and"),
    ]);
    expect(scripts["lint"]).toBe("oxlint --type-aware");
  });

  test("R383 npm run coverage holds what thinking is made of to its floor", () => {
    const { filter, options } = parseCLI(scripts["coverage"] ?? "");
    expect(options.coverage).toMatchObject({ enabled: true });
    expect(Object.values(coverageFloor)).toEqual([100, 100, 100, 100]);
    expect(filter).toEqual(expect.arrayContaining(["packages/mull/src/dial", "test/thinking"]));
  });
});

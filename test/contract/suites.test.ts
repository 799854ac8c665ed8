import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

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

/** Each command, and a word of what it has to run. */
const commands: readonly (readonly [requirement: string, name: string, runs: string])[] = [
  ["R375", "test:thinking", "test/thinking"],
  ["R378", "test:contract", "test/contract"],
  ["R379", "test:leaks", "test/leaks"],
  ["R380 R381", "scan:fixtures", "scripts/scan-fixtures.ts"],
  ["R269", "record", "scripts/record.ts"],
  ["D20", "drift", "scripts/drift.ts"],
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
    expect(testFiles("thinking")).toEqual([
      "agent.test.ts",
      "budgets.test.ts",
      "extraction.test.ts",
      "levels.test.ts",
      "serialization.test.ts",
      "streaming.test.ts",
    ]);
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

  test.each(commands)("%s npm run %s is there", (_requirement, name, runs) => {
    expect(scripts).toHaveProperty([name], expect.stringContaining(runs));
  });

  test("R377 R382 R383 npm run check runs types, lint, scan, coverage and every test", () => {
    const check = read("scripts", "check.ts");
    for (const step of ["types", "lint", "scan:fixtures", "vitest"]) expect(check).toContain(step);
    expect(Object.values(scripts).join("\n") + check).toContain("--coverage");
  });
});

import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, describe, expect, test } from "vitest";

import { readManifest } from "./manifest.ts";
import { fixtureDirectory } from "./recording.ts";
import { scenarios } from "./scenarios/index.ts";

const root = join(import.meta.dirname, "..", "..");
const scratch = mkdtempSync(join(tmpdir(), "mull-commands-"));
afterAll(() => rmSync(scratch, { recursive: true }));

/** Runs a script as npm does, with nothing in the environment but the way to the programs. */
const run = (script: string, ...args: readonly string[]) => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["--conditions=@mull/source", "--import", "tsx", join("scripts", `${script}.ts`), ...args],
    { cwd: root, encoding: "utf8", env: { PATH: process.env["PATH"] } },
  );
  return { status, said: stdout + stderr };
};

const contentsOf = (directory: string): ReadonlyMap<string, string> =>
  new Map(
    readdirSync(directory, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".jsonl"))
      .map((name) => [name, readFileSync(join(directory, name), "utf8")]),
  );

const emulated = new Set(
  readManifest().cassettes.flatMap(({ cassette, source }) =>
    source === "emulator" ? [`${cassette}.jsonl`] : [],
  ),
);

/** Requests only: what the emulator answers may change without a cassette being wrong. */
const requestsIn = (cassettes: ReadonlyMap<string, string>): readonly string[] =>
  [...cassettes]
    .filter(([name]) => emulated.has(name))
    .map(([name, text]) => `${name} ${text.match(/^\{"_request".*$/m)?.[0] ?? ""}`)
    .toSorted();

/** Three processes on a busy machine. */
const longest = 120_000;

describe("commands", { timeout: longest }, () => {
  test("R269 record makes every cassette again from nothing", () => {
    const directory = join(scratch, "recorded");
    const { status, said } = run("record", "--directory", directory);
    expect(said).toContain(`${scenarios.length} cassettes`);
    expect(status).toBe(0);
    const made = contentsOf(directory);
    const kept = contentsOf(fixtureDirectory);
    expect([...made.keys()].toSorted()).toEqual([...kept.keys()].toSorted());
    expect(requestsIn(made)).toEqual(requestsIn(kept));
  });

  test("R380 R381 scan-fixtures passes on what is committed", () => {
    const { status, said } = run("scan-fixtures");
    expect(said).toContain(`${scenarios.length} cassettes`);
    expect(status).toBe(0);
  });

  test("R276 R277 R380 R381 scan-fixtures fails on a key, a word, a missing and a stray file", () => {
    const directory = join(scratch, "spoiled");
    cpSync(fixtureDirectory, directory, { recursive: true });
    const key = ["sk-", "ant-", "api03-", "x".repeat(24)].join("");
    writeFileSync(join(directory, "google", "stray.jsonl"), `{"_body":"${key}"}\n`);
    writeFileSync(join(directory, "google", "word.jsonl"), `{"a":"${["api", "key"].join("_")}"}\n`);
    rmSync(join(directory, "openai", "reasoning_low.jsonl"));
    const { status, said } = run("scan-fixtures", directory);
    expect(status).toBe(1);
    expect(said).toContain("openai/reasoning_low.jsonl: is missing");
    expect(said).toContain("google/stray.jsonl: no scenario has it");
    expect(said).toMatch(/stray\.jsonl:1: Anthropic key/);
    expect(said).toMatch(/word\.jsonl:1: holds api/);
    expect(said).not.toContain(key);
  });

  test("drift without a key compares nothing and is no failure", () => {
    const { status, said } = run("drift");
    expect(said).toContain("Nothing was compared");
    expect(status).toBe(0);
  });
});

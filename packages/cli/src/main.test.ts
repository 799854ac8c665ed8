import { execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

import { describe, expect, test } from "vitest";

import { emptyHome } from "./testing/fake-io.ts";

const main = join(import.meta.dirname, "..", "dist", "main.js");
const run = promisify(execFile);
const env = (): NodeJS.ProcessEnv => ({ PATH: process.env["PATH"], HOME: emptyHome() });

/** Runs the built command through a shell, where pipes are real. */
const shell = async (line: string): Promise<{ stdout: string; code: number }> => {
  try {
    const { stdout } = await run("bash", ["-c", line], { env: { ...env(), MULL: main } });
    return { stdout, code: 0 };
  } catch (error) {
    const { code, stdout } = error as { code: number; stdout: string };
    return { code, stdout };
  }
};

describe("the built command", () => {
  test("is built", () => {
    expect(existsSync(main)).toBe(true);
  });

  test("--version loads no store and no wire", async () => {
    const code = `
      import { register } from "node:module";
      const seen = [];
      register("data:text/javascript," + encodeURIComponent(
        "export async function load(url, context, next) { process._rawDebug(url); return next(url, context); }"
      ));
      process.argv = ["node", "mull", "--version"];
      await import(${JSON.stringify(`file://${main}`)});
    `;
    const { stdout, stderr } = await run("node", ["--input-type=module", "-e", code], {
      env: env(),
    });
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect(stderr).toContain("/cli/dist/main.js");
    expect(stderr).not.toMatch(/packages\/(?:mull|store|emulator|server|vcr)\/|@bomb|clack|marked/);
  });

  test("answers a pipe without keys and exits 0", async () => {
    const { stdout, code } = await shell('echo "What is 23 * 47?" | node $MULL 2>/dev/null');
    expect(code).toBe(0);
    expect(stdout).toContain("1,081");
  });

  test("a program that leaves stdin open gets its answer all the same", async () => {
    const { stdout } = await run("node", [main, "--no-save", "What is 23 * 47?"], { env: env() });
    expect(stdout).toContain("1,081");
  });

  test("C3 a reader that closes the pipe ends it quietly with 141", async () => {
    const { stdout } = await shell(
      "node $MULL matrix --filter claude --json 2>err | head -c 10; echo; echo ${PIPESTATUS[0]}; cat err 2>/dev/null; rm -f err",
    );
    expect(stdout.split("\n")[1]).toMatch(/^(?:141|0)$/);
    expect(stdout.split("\n").slice(2).join("")).toBe("");
  });

  test("C3 Ctrl-C ends the emulator in order", async () => {
    const child = spawn("node", [main, "emulate"], {
      env: env(),
      stdio: ["ignore", "pipe", "pipe"],
    });
    const lines = await new Promise<string>((ready) => {
      child.stdout.once("data", (chunk: Buffer) => ready(chunk.toString()));
    });
    expect(lines).toMatch(/export ANTHROPIC_BASE_URL=http:\/\/127\.0\.0\.1:\d+/);
    const ended = new Promise<number | null>((done) => child.once("exit", done));
    child.kill("SIGINT");
    expect(await ended).toBe(0);
  });
});

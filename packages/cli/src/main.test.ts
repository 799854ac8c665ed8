import { execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

import { says, script, stalls } from "@mull/emulator";
import { listen } from "@mull/emulator/node";
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

  test("F-C3 a reader that closes the pipe ends it quietly with 141", async () => {
    // The reader is gone before the first write, however slow the machine is.
    const early = await shell(
      "{ sleep 0.5; node $MULL models 2>&3; } 3>&1 | true; echo ${PIPESTATUS[0]}",
    );
    expect(early.stdout).toBe("141\n");
    // It leaves in the middle of more than a pipe holds.
    const late = await shell(
      'exec 3>&1; yes word | head -c 300000 | node $MULL --plan --json 2>&3 | head -c 10 >/dev/null; echo "${PIPESTATUS[2]}"',
    );
    expect(late.stdout).toBe("141\n");
  });

  test("F-C3 Ctrl-C ends the emulator in order", async () => {
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

  test("a full disk behind stdout is one sentence and 7", async () => {
    const { stdout, code } = await shell('node $MULL --no-save "What is 2 + 2?" 2>&1 >/dev/full');
    expect(code).toBe(7);
    expect(stdout).toMatch(/Cannot write: the disk is full\n$/);
  });

  test("F-C3 Ctrl-C during an answer is 130 and leaves a conversation that goes on", async () => {
    const held = script({ text: "23" }, [says("Begun"), stalls(60_000)]);
    const server = await listen({ scripts: [held] });
    const environment = {
      ...env(),
      ANTHROPIC_BASE_URL: server.url,
      ANTHROPIC_API_KEY: "loopback",
    };
    const child = spawn("node", [main, "--jsonl", "What is 23 * 47?"], {
      env: environment,
      stdio: ["ignore", "pipe", "ignore"],
    });
    await new Promise((begun) => child.stdout.once("data", begun));
    const ended = new Promise<number | null>((done) => child.once("exit", done));
    child.kill("SIGINT");
    expect(await ended).toBe(130);
    const { stdout } = await run("node", [main, "-c", "What is 2 + 2?"], { env: environment });
    expect(stdout).toContain("4");
    await server.close();
  });

  test("F-C5 the key is in no argument, file or output", async () => {
    const environment = env();
    const key = ["very", "secret", "word"].join("-");
    const child = spawn("node", [main, "keys", "set", "anthropic"], {
      env: environment,
      stdio: ["pipe", "pipe", "pipe"],
    });
    let said = "";
    child.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
    child.stdin.end(key);
    await new Promise((done) => child.once("exit", done));
    const listed = await run("node", [main, "keys", "--json"], { env: environment });
    expect(said).toContain("stored in");
    expect(said + listed.stdout + listed.stderr).not.toContain(key);
  });
});

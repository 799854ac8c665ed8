import { spawn } from "node:child_process";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { emptyHome, jsonLines, mull, type Ran } from "../testing/fake-io.ts";

const main = join(import.meta.dirname, "..", "..", "dist", "main.js");

interface Child {
  readonly ended: Promise<Ran>;
  readonly out: () => string;
  readonly kill: (signal: NodeJS.Signals) => void;
}

/** `mull run` as a process of its own: it hands its terminal and its signals on. */
const start = (argv: readonly string[], home = emptyHome()): Child => {
  const child = spawn(process.execPath, [main, "run", ...argv], {
    cwd: home,
    env: { PATH: process.env["PATH"], HOME: home },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let out = "";
  let err = "";
  child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (err += chunk.toString()));
  return {
    ended: new Promise((resolve) =>
      child.once("close", (code) => resolve({ code: code ?? -1, out, err })),
    ),
    out: () => out,
    kill: (signal) => void child.kill(signal),
  };
};

const program = (home: string, code: string): readonly string[] => {
  writeFileSync(join(home, "program.mjs"), code);
  return ["--", process.execPath, "program.mjs"];
};

const asksOnce = `
  const answer = await fetch(process.env.ANTHROPIC_BASE_URL + "/v1/messages", {
    method: "POST",
    headers: { "x-api-key": process.env.ANTHROPIC_API_KEY, "content-type": "application/json" },
    body: JSON.stringify({ model: "claude-opus-5-5", max_tokens: 4000, messages: [{ role: "user", content: "What is 23 * 47?" }] }),
  });
  console.log(answer.status, JSON.stringify(await answer.json()));
`;

describe("mull run", () => {
  test("runs a program on another model, and says on one line what was done", async () => {
    const home = emptyHome();
    const line = program(home, asksOnce);
    const { code, out, err } = await start(
      ["gpt-6-sol/high", "--simulate", "--log", "log.jsonl", ...line],
      home,
    ).ended;
    expect(code).toBe(0);
    expect(out).toMatch(/^200 .*1,081/);
    expect(err).toMatch(/^mull · gpt-6-sol\/high · 1 request · .* in, .* out · \$0\.\d+\n$/);
  });

  test("returns the program's exit code, and says nothing where nothing was asked", async () => {
    const ended = await start(["gpt-6-sol", "--simulate", "--", "sh", "-c", "exit 7"]).ended;
    expect(ended).toEqual({ code: 7, out: "", err: "" });
  });

  test("F-C3 hands a signal on, and returns 128 and its number", async () => {
    const run = start(["gpt-6-sol", "--simulate", "--", "sh", "-c", "echo ready; exec sleep 60"]);
    await expect.poll(run.out, { timeout: 15_000 }).toContain("ready");
    run.kill("SIGTERM");
    expect((await run.ended).code).toBe(143);
  });

  test("F-C3 Ctrl-C is the program's own business", async () => {
    const home = emptyHome();
    const line = program(
      home,
      'process.on("SIGINT", () => process.exit(5)); console.log("ready"); setInterval(() => {}, 1000);',
    );
    const run = start(["gpt-6-sol", "--simulate", ...line], home);
    await expect.poll(run.out, { timeout: 15_000 }).toContain("ready");
    run.kill("SIGINT");
    expect((await run.ended).code).toBe(5);
  });

  test("F-C5 nobody without the program's key gets an answer", async () => {
    const home = emptyHome();
    const line = program(home, asksOnce.replace("process.env.ANTHROPIC_API_KEY", '"guessed"'));
    const { out } = await start(["gpt-6-sol", "--simulate", ...line], home).ended;
    expect(out).toMatch(/^401 /);
  });

  test("behind the dashes everything is the program's, --help too", async () => {
    const ended = await start(["gpt-6-sol", "--simulate", "--", "echo", "--help", "-x", "--", "y"])
      .ended;
    expect(ended.out).toBe("--help -x -- y\n");
  });

  test.each([
    [["run"], "Which program?"],
    [["run", "gpt-6-sol"], "Which program?"],
    [["run", "gpt-6-sol", "claude"], "Did you mean: mull run gpt-6-sol -- claude"],
    [["run", "gpt-6-sol", "claude", "-p", "hi"], "Write `--` before the program"],
    [["run", "gpt-6-sol", "claude-opus-5-5", "--", "true"], "takes one model"],
    [["run", "--simulate", "--", ""], "Which program?"],
    [["run", "--simulate", "--", "/"], "/ is not a program, or you may not run it."],
    [["run", "gpt-6-sol", "--", "true"], "No key for OpenAI."],
    [["run", "gpt-6-sol/loud", "--", "true"], "level"],
    [["run", "--simulate", "--", "no-such-program"], 'Cannot find the program "no-such-program".'],
  ])("%j is refused with what to do", async (argv, message) => {
    const { code, err } = await mull(argv);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });

  test("a model that is misspelled is asked, and named", async () => {
    const { err } = await start(["gpt-6-sool", "--simulate", "--", "true"]).ended;
    expect(err).toBe("⚠ gpt-6-sool is not in the catalogue. Did you mean gpt-6-sol?\n");
  });

  test("a recording of nothing is no failure of the program", async () => {
    const home = emptyHome();
    const ended = await start(
      ["gpt-6-sol", "--simulate", "--record", "tapes", "--", "sh", "-c", "exit 7"],
      home,
    ).ended;
    expect(ended).toEqual({ code: 7, out: "", err: "" });
    expect(readdirSync(join(home, "tapes"))).toEqual([]);
  });

  test("a recording that can no longer be written costs no answer, and is told once", async () => {
    const home = emptyHome();
    const ask = asksOnce.replaceAll(/const answer/g, "var answer");
    const line = program(
      home,
      `import { rmSync, writeFileSync } from "node:fs";\nrmSync("tapes", { recursive: true });\nwriteFileSync("tapes", "");\n${ask}\n${ask}`,
    );
    const ended = await start(["gpt-6-sol", "--simulate", "--record", "tapes", ...line], home)
      .ended;
    expect(ended.code).toBe(0);
    expect(ended.out.match(/^200 .*1,081/gm)).toHaveLength(2);
    expect(ended.err.split("--record: nothing is kept in")).toHaveLength(2);
  });

  test("keeps receipts as JSON lines", async () => {
    const home = emptyHome();
    const line = program(
      home,
      `${asksOnce}\nimport { readFileSync } from "node:fs";\nconsole.log(readFileSync("log.jsonl", "utf8"));`,
    );
    const { out } = await start(
      ["gpt-6-sol/low", "--simulate", "--log", "log.jsonl", ...line],
      home,
    ).ended;
    expect(jsonLines(out.slice(out.indexOf("\n") + 1))).toMatchObject([
      { asked: "claude-opus-5-5", model: "gpt-6-sol", level: "low", status: 200 },
    ]);
  });
});

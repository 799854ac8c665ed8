import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { environmentLines, listen, type Listening } from "@mull/emulator/node";

const programs = resolve("examples/short");
const loader = import.meta.resolve("tsx");
const folder = mkdtempSync(join(tmpdir(), "short-examples-"));
let emulator: Listening;

beforeAll(async () => {
  emulator = await listen();
});

afterAll(async () => {
  await emulator.close();
  rmSync(folder, { recursive: true, force: true });
});

type Environment = Readonly<Record<string, string>>;

/** As a stranger has them: keys and addresses in the environment, nothing else of this machine. */
const environmentOf = (url: string): Environment => ({
  PATH: process.env["PATH"] ?? "",
  ...Object.fromEntries(
    environmentLines(url).map((line) => {
      const [name = "", value = ""] = line.replace("export ", "").split("=");
      return [name, value];
    }),
  ),
});

const start = (name: string, env: Environment): ChildProcess =>
  spawn(
    process.execPath,
    ["--conditions=@mull/source", "--import", loader, join(programs, `${name}.ts`)],
    { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] },
  );

const run = (name: string, env: Environment = {}): Promise<string> =>
  new Promise((done) => {
    const child = start(name, { ...environmentOf(emulator.url), ...env });
    let text = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on("data", (chunk: Buffer) => (text += chunk.toString()));
    }
    child.on("close", (code) => done(`${text}\nended with ${code}`));
  });

/** A start may take long on a machine that has much else to do. */
const patience = 150_000;

describe("R228 to R232, the programs the README shows", () => {
  test("are those that are tried here", () => {
    const names = readdirSync(programs).map((file) => file.replace(/\.ts$/, ""));
    expect(names).toEqual(["ask", "keep", "replay", "serve", "switch", "test"]);
  });

  test.each([
    ["ask", /1,081[^]*\d+ characters of thinking, \$0\.0\d{3}\n/],
    ["keep", /162\.15/],
    ["switch", /Oslo: 4 °C/],
    ["test", /# pass 1\n# fail 0/],
  ])(
    "%s",
    async (name, says) => {
      const text = await run(name);
      expect(text).toMatch(says);
      expect(text).toMatch(/ended with 0$/);
    },
    patience,
  );

  test(
    "switch: another vendor finishes the turn",
    async () => {
      const before = emulator.emulator.journal().length;
      await run("switch");
      const asked = emulator.emulator.journal().slice(before);
      expect(asked.map(({ model }) => model)).toEqual(["gpt-6-sol", "claude-haiku-4-5"]);
    },
    patience,
  );

  test(
    "replay: records once, then answers without a service",
    async () => {
      const nobody = environmentOf("http://127.0.0.1:1");
      expect(await run("replay", nobody)).toContain("Record it with VCR_RECORD=1");
      const recorded = await run("replay", { VCR_RECORD: "1" });
      expect(recorded).toMatch(/2, 3, 5, 7, 11[^]*ended with 0$/);
      expect(await run("replay", nobody)).toBe(recorded);
    },
    patience,
  );

  test(
    "serve: answers at the address it names",
    async () => {
      const child = start("serve", { ...environmentOf(emulator.url), PORT: "0" });
      const ended = new Promise((done) => child.on("close", done));
      try {
        const url = await new Promise<string>((found) => {
          child.stdout?.on("data", (chunk: Buffer) => {
            const address = /http:\/\/[\d.:]+/.exec(chunk.toString())?.[0];
            if (address !== undefined) found(address);
          });
        });
        expect((await fetch(`${url}/ready`)).status).toBe(200);
        expect((await fetch(`${url}/api/models`)).status).toBe(401);
      } finally {
        child.kill();
        await ended;
      }
    },
    patience,
  );
});

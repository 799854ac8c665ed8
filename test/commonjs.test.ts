import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { installPacked, packAll } from "../scripts/pack-install.ts";

let workplace: string;
afterAll(() => {
  rmSync(workplace, { recursive: true, force: true });
});

describe("R533 a program in CommonJS", () => {
  const program = `
    import { emulate } from "@mull/emulator";
    import { toUIMessages, type UIMessage } from "@mull/ui-messages";
    import { Agent, History, isMullError, MullError, type AgentOptions } from "mull";
    import { anthropic } from "mull/anthropic";
    import * as core from "mull/core";
    import * as others from "mull/google";
    import * as lean from "mull/lean";
    import * as node from "mull/node";
    import * as openai from "mull/openai";
    import * as rules from "mull/rules";
    import * as wire from "mull/wire";
    class Lost extends MullError {}
    const options: AgentOptions<{ n: number }> = { fetch: emulate(), apiKey: "simulated" };
    const agent: Agent<{ n: number }> = new Agent("claude-opus-5-5/low", options);
    const small: core.Agent = new core.Agent(core.targetOf(anthropic, "claude-opus-5-5"), { apiKey: "k" });
    void [small, others.google, lean.streamTurn, node.loadCredentials, openai.openai, rules.repairingFetch, wire.wires];
    const shown: readonly UIMessage[] = toUIMessages(History.empty.messages);
    const error: unknown = new Lost("gone", { category: "network" });
    if (!isMullError(error)) throw error;
    const kind: string = error.category;
    void agent.send("What is 23 * 47?").then(async ({ text, object }) => {
      const n: WRONG | undefined = object?.n;
      const isOne = (await import("mull")).MullError === MullError;
      console.log(JSON.stringify([text.includes("1,081"), shown, kind, n, isOne, anthropic.id]));
    });`;
  let project: string;

  const compile = (module: string, type: string): string => {
    writeFileSync(join(project, "program.ts"), program.replace("WRONG", type));
    const args = ["--strict", "--target", "es2023", "--lib", "es2023", "--skipLibCheck", "false"];
    const types = ["--types", "node", "--typeRoots", resolve("node_modules/@types")];
    const tsc = [...args, ...types, "--module", module, "program.ts"];
    return spawnSync(resolve("node_modules/.bin/tsc"), tsc, { cwd: project, encoding: "utf8" })
      .stdout;
  };

  beforeAll(() => {
    workplace = mkdtempSync(join(tmpdir(), "mull-required-"));
    const packed = packAll(workplace);
    project = installPacked(workplace, packed, ["mull", "@mull/emulator", "@mull/ui-messages"]);
    writeFileSync(join(project, "package.json"), '{"private":true,"type":"commonjs"}\n');
  }, 120_000);

  test.each(["node16", "nodenext"])(
    "has the types of ES modules under %s, and gets the very same module",
    (module) => {
      expect(compile(module, "string")).toContain("'number' is not assignable to type 'string'");
      expect(compile(module, "number")).toBe("");
      expect(readFileSync(join(project, "program.js"), "utf8")).toContain('require("mull")');
      const printed = execFileSync(process.execPath, ["program.js"], {
        cwd: project,
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"],
      });
      expect(JSON.parse(printed)).toEqual([true, [], "network", null, true, "anthropic"]);
    },
    120_000,
  );
});

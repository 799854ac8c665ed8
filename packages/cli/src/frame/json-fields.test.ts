import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { beforeAll, describe, expect, test } from "vitest";

import { commands } from "../commands.ts";
import { emptyHome, jsonLines, mull } from "../testing/fake-io.ts";
import type { JsonShape } from "./command.ts";
import { jsonShapes } from "./json-fields.ts";

const home = emptyHome();
const answer = {
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "claude-opus-5-5",
  content: [{ type: "text", text: "Hello." }],
  stop_reason: "end_turn",
  usage: { input_tokens: 1, output_tokens: 2 },
};
const refused = {
  model: "claude-opus-5-5",
  max_tokens: 1000,
  thinking: { type: "enabled", budget_tokens: 2000 },
  messages: [{ role: "user", content: "hi" }],
};

beforeAll(async () => {
  writeFileSync(join(home, "answer.json"), JSON.stringify(answer));
  writeFileSync(join(home, "request.json"), JSON.stringify(refused));
  await mull(["record", "tape.jsonl", "What is 2 + 2?"], { home });
});

const anthropic = ["--wire", "anthropic-messages"] as const;

/** A call for every form that is described, in the order of the table. */
const calls: Readonly<Record<string, readonly (readonly string[])[]>> = {
  ask: [
    ["--json", "hi"],
    ["--jsonl", "hi"],
    ["--plan", "--json", "hi"],
  ],
  plan: [["plan", "gpt-6-sol/high", "--json"]],
  models: [["models", "--filter", "gpt-6-sol", "--json"]],
  decode: [
    ["decode", ...anthropic, "answer.json", "--json"],
    ["decode", ...anthropic, "--status", "529", "answer.json", "--json"],
  ],
  lint: [["lint", ...anthropic, "--fix", "request.json", "--json"]],
  send: [
    ["send", "--fix", "request.json", "--json"],
    ["send", "request.json", "--json"],
  ],
  handoff: [
    ["handoff", "--from-reply", "answer.json", ...anthropic, "--from", "claude-opus-5-5"].concat([
      "--to",
      "gpt-6-sol/low",
      "--follow-up",
      "Go on.",
      "--json",
    ]),
  ],
  encode: [["encode", "gpt-6-sol/low", "--json"]],
  matrix: [["matrix", "--filter", "gpt-6-sol,claude-opus-5-5", "--json"]],
  map: [["map", "gpt-6-sol", "--json"]],
  sweep: [["sweep", "hi", "--levels", "low", "--json"]],
  conversations: [["conversations", "--json"]],
  cost: [["cost", "--json"]],
  cache: [["cache", "--json"]],
  keys: [["keys", "--json"]],
  doctor: [["doctor", "--json"]],
  vcr: [
    ["vcr", "scan", "tape.jsonl", "--json"],
    ["vcr", "show", "tape.jsonl", "--bodies", "--json"],
  ],
};

const fieldsOf = (shape: JsonShape | undefined): readonly string[] =>
  Object.keys(shape?.fields ?? {});

/** Lines of events are described by their type, everything else by its fields. */
const named = (value: object): readonly string[] =>
  "type" in value && "step" in value ? [String(value.type)] : Object.keys(value);

const forms = Object.entries(calls).flatMap(([name, argvs]) =>
  argvs.map((argv, form) => [argv.join(" "), name, form, argv] as const),
);

describe("newcomer task 8: the fields of --json are told, and are the ones printed", () => {
  test("every command with --json has its fields", () => {
    const printing = commands.filter(({ options }) => "json" in options).map(({ name }) => name);
    expect(printing.filter((name) => jsonShapes[name] === undefined)).toEqual([]);
    const shown = Object.entries(jsonShapes).filter(([name]) => !/^re(cord|play)$/.test(name));
    expect(shown.map(([name, { length }]) => [name, length])).toEqual(
      Object.entries(calls).map(([name, { length }]) => [name, length]),
    );
  });

  test.each(forms)("mull %s", async (_, name, form, argv) => {
    const fields = fieldsOf(jsonShapes[name]?.at(form));
    const stdin = name === "encode" ? "Hello." : undefined;
    const { out } = await mull(argv, { home, stdin });
    const lines: readonly object[] = jsonLines(out).flat();
    expect(lines).not.toEqual([]);
    const events = lines.filter((line) => "step" in line);
    const printed = new Set((events.length > 0 ? events : lines).flatMap(named));
    expect(printed.size).toBeGreaterThan(1);
    const described = name === "models" ? printed : new Set(fields);
    expect([...printed].filter((field) => !described.has(field))).toEqual([]);
  });

  test("--help has them too", async () => {
    for (const [name, shapes] of Object.entries(jsonShapes)) {
      const { out } = await mull(["help", name]);
      for (const field of fieldsOf(shapes.at(0))) expect(out).toContain(`  ${field} `);
    }
  });
});

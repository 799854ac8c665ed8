import { readFileSync } from "node:fs";
import { join } from "node:path";
import { emulate } from "@mull/emulator";
import { chat, findModel, lint, repair, MullError, type JsonObject } from "mull";
import { heal } from "mull/rules";
import { describe, expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const read = (path: string): string => readFileSync(join(root, path), "utf8");
const guide = read("docs/contributing/adding-a-rule.md");

const files = [
  "packages/mull/src/wire/anthropic-messages/rules/thinking.ts",
  "packages/mull/src/wire/anthropic-messages/testing/setting-cases.ts",
  "packages/mull/src/rules/testing/anthropic-cases.ts",
];

const rule = "anthropic/effort-unsupported";
const says = "This model does not support the effort parameter.";
const wire = "anthropic-messages";
const repaired: JsonObject = {
  model: "claude-haiku-4-5",
  max_tokens: 2000,
  messages: [{ role: "user", content: "Hi" }],
};
const body: JsonObject = { ...repaired, output_config: { effort: "low" } };

describe("R227 one entry is followed everywhere", () => {
  test("the code in the guide is the code that runs", () => {
    const blocks = [...guide.matchAll(/```ts\n([^]*?)```/g)].map(([, code]) => code!);
    expect(blocks).toHaveLength(files.length);
    blocks.forEach((code, at) => expect(read(files[at]!)).toContain(code));
  });

  test("lint finds it, and repair repairs it", () => {
    const { findings } = lint({ wire, body });
    const errors = findings.filter(({ severity }) => severity === "error");
    expect(errors).toMatchObject([{ rule, message: says }]);
    expect(repair({ wire, body })).toMatchObject({ ok: true, body: repaired, repairs: [{ rule }] });
  });

  test("the emulator refuses it in the same words, and heal repairs what was refused", async () => {
    const response = await emulate()("https://api.anthropic.com/v1/messages", {
      method: "POST",
      headers: { "x-api-key": "simulated", "anthropic-version": "2023-06-01" },
      body: JSON.stringify(body),
    });
    expect(response.status).toBe(400);
    const { error } = (await response.json()) as { error: { message: string } };
    expect(error.message).toBe(says);
    const healed = heal({
      wire,
      model: findModel("claude-haiku-4-5"),
      body,
      error: new MullError(error.message, { category: "invalid_argument" }),
    });
    expect(healed).toMatchObject({ body: repaired, repair: { rule, error: says } });
  });

  test("it runs before every request", async () => {
    const { receipt } = await chat(
      "claude-haiku-4-5",
      {
        messages: [{ role: "user", parts: [{ type: "text", text: "2 + 2?" }] }],
        extra: { output_config: { effort: "low" } },
      },
      { fetch: emulate(), apiKey: "simulated" },
    );
    expect(receipt.repairs).toMatchObject([{ rule }]);
  });
});

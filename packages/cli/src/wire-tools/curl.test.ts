import { describe, expect, test } from "vitest";

import { mull } from "../testing/fake-io.ts";
import type { LintView } from "./lint-request.ts";

const findingsOf = async (command: string): Promise<readonly string[]> => {
  const { out } = await mull(["lint"], { stdin: command });
  return (JSON.parse(out) as LintView).findings.map(({ rule }) => rule);
};

describe("lint reads a curl command (issue 6.3)", () => {
  test("as the page copies it, with the address in a variable and quotes in the text", async () => {
    const body = { model: "claude-opus-5-5", max_tokens: 1000, messages: [], system: "It's" };
    const command = [
      'curl "${ANTHROPIC_BASE_URL:-https://api.anthropic.com}/v1/messages" \\',
      "  -H 'content-type: application/json' \\",
      '  -H "x-api-key: $ANTHROPIC_API_KEY" \\',
      "  -H 'anthropic-version: 2023-06-01' \\",
      `  -d '${JSON.stringify(body).replaceAll("'", String.raw`'\''`)}'`,
    ].join("\n");
    expect(await findingsOf(command)).toEqual(["anthropic/messages"]);
  });

  test("as manuals have it: the model of Gemini is in its address", async () => {
    const command = `$ curl -s -X POST \\
      "https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-pro:generateContent?key=$KEY" \\
      --header "Content-Type: application/json" --data '{
        "contents": [{ "role": "user", "parts": [{ "text": "hi" }] }],
        "generationConfig": { "thinkingConfig": { "thinkingBudget": 0 } }
      }'`;
    expect(await findingsOf(command)).toEqual(["google/budget-range"]);
  });

  test("as browsers copy it, with escapes, and in double quotes", async () => {
    const ansi = String.raw`curl 'https://api.openai.com/v1/responses' -H'authorization: Bearer x' --data-raw $'{"model":"gpt-5","input":"it\'s \u0021","reasoning":{"effort":"xhigh"}}' --compressed`;
    expect(await findingsOf(ansi)).toEqual(["openai/effort-supported"]);
    const double = String.raw`curl https://api.openai.com/v1/responses -d "{\"model\":\"gpt-5\",\"input\":\"hi\",\"reasoning\":{\"effort\":\"xhigh\"}}"`;
    expect(await findingsOf(double)).toEqual(["openai/effort-supported"]);
  });

  test("who is asked decides whose rules hold", async () => {
    const body = `-d '{"model":"deepseek-v4-flash","messages":[{"role":"user","content":"hi"}]}'`;
    expect(await findingsOf(`curl https://api.deepseek.com/chat/completions ${body}`)).toEqual([]);
  });

  test.each([
    ["curl https://x/v1/messages -d '{", "✗ The curl command has a quote that is not closed."],
    [
      "curl https://x/v1/messages -H 'a: b'",
      "✗ The curl command has no body: -d '{…}' is missing.",
    ],
    ["curl https://x/v1/messages -d @a.json", "  It is in a file: mull lint a.json"],
    ["curl https://x/v1/messages -d @-", "  Pipe in the body alone."],
    ["curl https://x/v1/messages -d no", "✗ The body of the curl command is not JSON"],
  ])("%s gets one clear sentence", async (command, expected) => {
    const { code, err } = await mull(["lint"], { stdin: command });
    expect(code).toBe(2);
    expect(err).toContain(expected);
  });
});

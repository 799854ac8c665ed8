import { describe, expect, test } from "vitest";

import { mull } from "../testing/fake-io.ts";

const body = (fields: object): string =>
  JSON.stringify({
    model: "claude-opus-5-5",
    max_tokens: 100,
    messages: [{ role: "user", content: "hi" }],
    ...fields,
  });

const entry = (text: string | undefined, status: number): object => ({
  request: {
    method: "POST",
    url: "https://api.anthropic.com/v1/messages?beta=true",
    headers: [{ name: "Anthropic-Version", value: "2023-06-01" }],
    ...(text !== undefined && { postData: { mimeType: "application/json", text } }),
  },
  response: { status },
});

const har = (...entries: readonly object[]): string =>
  JSON.stringify({ log: { version: "1.2", entries } });

const lint = (text: string) => mull(["lint"], { stdin: text });

describe("lint reads what browsers and proxies record", () => {
  test("the last request that was refused is judged, and named", async () => {
    const recorded = har(
      entry(undefined, 200),
      entry(body({ temperature: 3 }), 400),
      entry(body({}), 200),
    );
    const { code, out, err } = await lint(recorded);
    expect(err).toBe("request 2 of 3: https://api.anthropic.com/v1/messages, answered 400\n");
    expect(code).toBe(1);
    expect(out).toContain("anthropic/sampling");
  });

  test("where none was refused the last one is", async () => {
    const { code, err } = await lint(har(entry(body({ temperature: 3 }), 200), entry(body({}), 0)));
    expect(err).toBe("request 2 of 2: https://api.anthropic.com/v1/messages\n");
    expect(code).toBe(0);
  });

  test("a recording without bodies says what to do", async () => {
    const { code, err } = await lint(har(entry(undefined, 400)));
    expect(code).toBe(2);
    expect(err).toContain("None of the 1 requests in this HAR file goes to a language model.");
    expect(err).toContain("Export it with contents");
  });
});

describe("lint says what to do with what is not JSON", () => {
  test.each([
    ["{'model': 'claude-opus-5-5', 'stream': True}", "json.dumps(body)"],
    ["import anthropic\nclient.messages.create()", "mull emulate"],
    ["await client.messages.create({ max_tokens: 1 });", "mull emulate"],
    ['{\n  // why\n  "model": "m"\n}', "no comments"],
    ['{"model": "m",}', "no comma before a closing bracket"],
    ["POST /v1/messages HTTP/1.1\n\n{}", "--path and --header"],
    ["model, please", "a HAR file or an envelope"],
  ])("%j", async (text, advice) => {
    const { code, err } = await lint(text);
    expect(code).toBe(2);
    expect(err).toContain(advice);
  });

  test("the fault is where an editor finds it", async () => {
    const { err } = await lint('{\n  "model": "m",\n  max: 1\n}');
    expect(err).toMatch(/at line 3, column 3\n/);
    expect(err).not.toContain("position");
  });
});

describe("lint without a model", () => {
  const gemini = '{"contents":[{"role":"user","parts":[{"text":"hi"}]}]}';

  test("R36: says that most rules were not asked, also where a program reads it", async () => {
    const { out, err } = await lint(gemini);
    expect(JSON.parse(out)).toEqual({ ok: true, findings: [] });
    expect(err).toMatch(/^⚠ No model is named, .* Add --model NAME\.\n$/);
    const named = await mull(["lint", "--model", "gemini-3.8-flash"], { stdin: gemini });
    expect(named.err).toBe("");
  });
});

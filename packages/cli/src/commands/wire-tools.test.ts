import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { emptyHome, jsonLines, mull } from "../testing/fake-io.ts";

const reply = {
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "claude-sonnet-4-5",
  content: [
    { type: "thinking", thinking: "Look it up.", signature: "c2lnbmVk" },
    { type: "redacted_thinking", data: "cmVkYWN0ZWQ=" },
    { type: "text", text: "One moment." },
    { type: "tool_use", id: "toolu_1", name: "weather", input: { city: "Paris" } },
  ],
  stop_reason: "tool_use",
  usage: { input_tokens: 10, output_tokens: 20 },
};
const stream = [
  'event: message_start\ndata: {"type":"message_start","message":{"id":"msg_2","type":"message","role":"assistant","model":"m","content":[],"usage":{"input_tokens":1,"output_tokens":1}}}',
  'event: content_block_start\ndata: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}',
  'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Half"}}',
  "",
].join("\n\n");

const badHistory = {
  model: "claude-sonnet-4-5",
  max_tokens: 4096,
  thinking: { type: "enabled", budget_tokens: 2048 },
  messages: [
    { role: "user", content: "Weather?" },
    {
      role: "assistant",
      content: [{ type: "tool_use", id: "toolu_1", name: "weather", input: {} }],
    },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_1", content: "20" }] },
  ],
  tools: [{ name: "weather", input_schema: { type: "object" } }],
};

const decode = async (argv: readonly string[], stdin: string) => {
  const { code, out } = await mull(["decode", ...argv], { stdin });
  return { code, view: JSON.parse(out) };
};

describe("decode (issue 6.3)", () => {
  test.each(["anthropic", "anthropic-messages"])(
    "--wire %s: every field of the shape",
    async (wire) => {
      const { code, view } = await decode(["--wire", wire], JSON.stringify(reply));
      expect(code).toBe(0);
      expect(view).toMatchObject({
        thinking: "Look it up.",
        text: "One moment.",
        toolCalls: [{ id: "toolu_1", name: "weather", input: { city: "Paris" } }],
        seals: [
          { part: 0, kind: "signature", value: "c2lnbmVk" },
          { part: 1, kind: "redacted", value: "cmVkYWN0ZWQ=" },
        ],
        finish: { reason: "tool-calls", raw: "tool_use" },
        usage: { input: 10 },
        model: "claude-sonnet-4-5",
        id: "msg_1",
      });
    },
  );

  test("F-N4 a cut stream is the error form with what arrived, exit 7", async () => {
    const { code, view } = await decode(["--wire", "anthropic", "--stream"], stream);
    expect(code).toBe(7);
    expect(view.error).toMatchObject({ category: "protocol", code: "truncated" });
    expect(view.partial.text).toBe("Half");
  });

  test.each([
    [401, "authentication_error", "auth", 3],
    [429, "rate_limit_error", "rate_limit", 4],
    [400, "invalid_request_error", "invalid_argument", 5],
    [529, "overloaded_error", "overloaded", 4],
    [500, "api_error", "server", 7],
  ])("F-G10 --status %i is %s, exit by its category", async (status, type, category, exit) => {
    const body = JSON.stringify({ type: "error", error: { type, message: "No." } });
    const { code, view } = await decode(["--wire", "anthropic", "--status", String(status)], body);
    expect(code).toBe(exit);
    expect(view.error).toMatchObject({
      category,
      status,
      message: expect.stringContaining("No."),
      code: type,
    });
    expect(view.error).toHaveProperty("retryAfterMs");
    expect(view.partial).toBeNull();
  });

  test("an error body without a status is an error too", async () => {
    const body = JSON.stringify({
      type: "error",
      error: { type: "overloaded_error", message: "Busy" },
    });
    const { code, view } = await decode(["--wire", "anthropic"], body);
    expect(code).toBe(4);
    expect(view.error.category).toBe("overloaded");
  });

  test("an envelope brings wire, status and headers along", async () => {
    const envelope = {
      wire: "openai-chat",
      status: 429,
      headers: { "Retry-After": "7" },
      body: { error: { message: "Slow down", type: "requests" } },
    };
    const { view } = await decode([], JSON.stringify(envelope));
    expect(view.error).toMatchObject({ category: "rate_limit", retryAfterMs: 7000 });
  });

  test("a batch answers every line in order, bad ones included", async () => {
    const lines = [
      JSON.stringify({ id: "a", wire: "anthropic", body: reply }),
      "{ no json",
      JSON.stringify({ id: "c", wire: "morse", body: {} }),
      JSON.stringify({ id: "d", wire: "anthropic", body_text: stream }),
      "",
      "[]",
      JSON.stringify({ id: "f", wire: "google", body: { candidates: [] } }),
    ];
    const { code, out } = await mull(["decode", "--batch", "-"], { stdin: lines.join("\n") });
    const answers = jsonLines(out);
    expect(code).toBe(0);
    expect(answers.map(({ id }) => id)).toEqual(["a", 2, "c", "d", 6, "f"]);
    expect(answers[0]).toMatchObject({ text: "One moment.", replyId: "msg_1" });
    expect(answers[1]).toMatchObject({
      error: { code: "bad_line", message: "Line 2 is not JSON." },
    });
    expect(answers[2]).toMatchObject({
      error: { message: expect.stringContaining("Unknown wire") },
    });
    expect(answers[3]).toMatchObject({ error: { code: "truncated" }, partial: { text: "Half" } });
  });

  test("logs that keep request and response apart are read as they are", async () => {
    const line = {
      id: 1,
      api: "anthropic",
      request: { url_path: "/v1/messages", body: badHistory },
      response: { status: "200", body_text: JSON.stringify(reply) },
    };
    const stdin = JSON.stringify(line);
    const [read] = jsonLines((await mull(["decode", "--batch", "-"], { stdin })).out);
    expect(read).toMatchObject({ id: 1, text: "One moment." });
    const [judged] = jsonLines((await mull(["lint", "--batch", "-"], { stdin })).out);
    expect(judged).toMatchObject({ id: 1, ok: false });
  });

  test("a batch reads no line before the one before it is answered", async () => {
    const line = `${JSON.stringify({ wire: "anthropic", body: reply })}\n`;
    let read = 0;
    let written = 0;
    let ahead = 0;
    const source = async function* (): AsyncGenerator<string> {
      for (; read < 2000; read++) yield line;
    };
    const out = (): Promise<void> => {
      written++;
      ahead = Math.max(ahead, read - written);
      return Promise.resolve();
    };
    const { code } = await mull(["decode", "--batch", "-"], { stdin: source(), out });
    expect({ code, written }).toEqual({ code: 0, written: 2000 });
    expect(ahead).toBeLessThanOrEqual(1);
  });
});

describe("lint (issue 6.3)", () => {
  test("finds the rule, the place, the service's words and the fix; exit 1", async () => {
    const { code, out } = await mull(["lint", "--wire", "anthropic"], {
      stdin: JSON.stringify(badHistory),
    });
    const view = JSON.parse(out);
    expect(code).toBe(1);
    expect(view.ok).toBe(false);
    const found = view.findings.find(
      ({ rule }: { rule: string }) => rule === "anthropic/leading-thinking",
    );
    expect(found).toMatchObject({
      severity: "error",
      path: expect.stringMatching(/^messages\.1\.content\.0/),
      message: expect.stringContaining("Expected `thinking` or `redacted_thinking`"),
      fix: expect.any(String),
    });
  });

  test("--body prints the repaired body alone, ready to be sent", async () => {
    const words = ["lint", "--wire", "anthropic"];
    const repaired = await mull([...words, "--body"], { stdin: JSON.stringify(badHistory) });
    expect(repaired.code).toBe(0);
    expect(JSON.parse(repaired.out)).toHaveProperty("messages");
    expect((await mull(words, { stdin: repaired.out })).out).toContain(`"ok":true`);
  });

  test("--fix repairs it, and what it repaired passes", async () => {
    const fixed = await mull(["lint", "--wire", "anthropic", "--fix"], {
      stdin: JSON.stringify(badHistory),
    });
    const view = JSON.parse(fixed.out);
    expect(fixed.code).toBe(0);
    expect(view).toMatchObject({ ok: false, left: [] });
    const again = await mull(["lint", "--wire", "anthropic"], {
      stdin: JSON.stringify(view.fixed),
    });
    expect(again.code).toBe(0);
    expect(JSON.parse(again.out).ok).toBe(true);
  });

  test("Gemini's model comes by flag, path or envelope", async () => {
    const body = {
      contents: [{ role: "user", parts: [{ text: "Hi" }] }],
      generationConfig: { thinkingConfig: { thinkingBudget: 1024, thinkingLevel: "LOW" } },
    };
    const byFlag = await mull(["lint", "--wire", "google", "--model", "gemini-3.8-flash"], {
      stdin: JSON.stringify(body),
    });
    const path = "/v1beta/models/gemini-3.8-flash:generateContent";
    const byEnvelope = await mull(["lint"], {
      stdin: JSON.stringify({ wire: "google-generate", path, body }),
    });
    expect(byFlag.code).toBe(1);
    expect(JSON.parse(byEnvelope.out).findings[0].rule).toBe(
      JSON.parse(byFlag.out).findings[0].rule,
    );
  });

  test("--header is judged: a whole set of headers without the version is refused", async () => {
    const body = {
      model: "claude-opus-5-5",
      max_tokens: 9,
      messages: [{ role: "user", content: "Hi" }],
    };
    const argv = ["lint", "--wire", "anthropic", "--header", "X-Api-Key: k"];
    const { code, out } = await mull(argv, { stdin: JSON.stringify(body) });
    expect(code).toBe(1);
    expect(JSON.parse(out).findings[0]).toMatchObject({ rule: "anthropic/api-version" });
    const given = await mull([...argv, "--header", "anthropic-version: 2023-06-01"], {
      stdin: JSON.stringify(body),
    });
    expect(given.code).toBe(0);
  });

  test("on a terminal people read lines, not JSON", async () => {
    const { out } = await mull(["lint", "--wire", "anthropic"], {
      stdin: JSON.stringify(badHistory),
      terminal: { stdout: true },
    });
    expect(out).toMatch(/✗ messages\.1\.content\.0\S*  anthropic\/leading-thinking\n/);
    expect(out).toMatch(
      /1 error · \d+ warnings? · anthropic-messages · claude-sonnet-4-5\n  --body prints/,
    );
  });
});

describe("handoff, encode, plan, models, matrix (issue 6.3)", () => {
  test("a Claude tool loop goes on at Gemini with results found by name", async () => {
    const home = emptyHome();
    writeFileSync(join(home, "reply.json"), JSON.stringify(reply));
    writeFileSync(join(home, "results.json"), JSON.stringify({ weather: { celsius: 20 } }));
    writeFileSync(
      join(home, "tools.json"),
      JSON.stringify([{ name: "weather", input_schema: { type: "object", properties: {} } }]),
    );
    const argv = "handoff --from-reply reply.json --wire anthropic --from claude-sonnet-4-5";
    const { code, out } = await mull(
      [
        ...argv.split(" "),
        "--to",
        "gemini-3.8-flash/high",
        "--user",
        "Weather in Paris?",
        "--tools",
        "tools.json",
        "--results",
        "results.json",
        "--system",
        "Be brief.",
      ],
      { home },
    );
    const view = JSON.parse(out);
    expect(code).toBe(0);
    expect(view.lint).toEqual({ ok: true, findings: [] });
    expect(view.request.path).toContain("gemini-3.8-flash");
    const body = JSON.stringify(view.request.body);
    expect(body).toMatch(/Weather in Paris\?[^]*functionCall[^]*functionResponse[^]*celsius/);
    expect(body).not.toMatch(/c2lnbmVk|cmVkYWN0ZWQ|Look it up/);
    expect(view.receipt.withheld).toHaveLength(2);
    expect(view.receipt.plan).toMatchObject({ asked: "high", model: "gemini-3.8-flash" });
  });

  test("a follow-up to the same model keeps its seals", async () => {
    const argv = "handoff --wire anthropic --from claude-sonnet-4-5 --to claude-sonnet-4-5/low";
    const { out } = await mull([...argv.split(" "), "--follow-up", "Go on."], {
      stdin: JSON.stringify({
        ...reply,
        content: reply.content.slice(0, 3),
        stop_reason: "end_turn",
      }),
    });
    expect(JSON.stringify(JSON.parse(out).request.body)).toMatch(/c2lnbmVk[^]*cmVkYWN0ZWQ=/);
  });

  test("batch lines take the names of the flags in every spelling", async () => {
    const common = { wire: "anthropic", from: "claude-sonnet-4-5", to: "gpt-6-sol/low" };
    const lines = [
      { id: 1, ...common, reply, results: ["20 °C"] },
      { id: 2, ...common, "from-reply": JSON.stringify(reply), "follow-up": "Never mind." },
      { id: 3, ...common, body: reply, follow_up: "Never mind." },
      { id: 4, ...common, to: "gpt-6-sol/lou", body: reply },
      { id: 5, ...common, from: "some-model-of-ours", body: reply },
    ];
    const stdin = lines.map((line) => JSON.stringify(line)).join("\n");
    const answers = jsonLines((await mull(["handoff", "--batch", "-"], { stdin })).out);
    expect(answers.map((one) => (one["lint"] as { ok: boolean } | undefined)?.ok)).toEqual([
      true,
      true,
      true,
      undefined,
      true,
    ]);
    expect(answers[3]).toMatchObject({ error: { message: expect.stringContaining("lou") } });
  });

  test("encode: a list of messages becomes a request with its receipt", async () => {
    const messages = [{ role: "user", parts: [{ type: "text", text: "Hi" }] }];
    const { code, out } = await mull(["encode", "gpt-6-sol/high", "--max-output", "1,000"], {
      stdin: JSON.stringify(messages),
    });
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      wire: "openai-responses",
      request: {
        method: "POST",
        url: "https://api.openai.com/v1/responses",
        body: { store: false },
      },
      receipt: { sent: { reasoning: { effort: "high" } } },
    });
  });

  test("plan: one word becomes three requests", async () => {
    const refs = ["gpt-6-sol/high", "claude-opus-5-5/high", "gemini-3.8-flash/high"];
    const views = JSON.parse((await mull(["plan", ...refs, "--json"])).out);
    expect(views.map(({ ref }: { ref: string }) => ref)).toEqual(refs);
    expect(views.map(({ sent }: { sent: object }) => JSON.stringify(sent))).toEqual([
      expect.stringContaining('"effort":"high"'),
      expect.stringContaining('"adaptive"'),
      expect.stringContaining('"thinkingLevel":"HIGH"'),
    ]);
    const { out } = await mull(["plan", "gemini-3-pro/none"]);
    expect(out).toMatch(/⚠ This model does not support disabling thinking\n  Thinking: LOW level/);
  });

  test("models are filtered; map gives the table", async () => {
    const rows = JSON.parse((await mull(["models", "--filter", "claude-opus", "--json"])).out);
    expect(rows.length).toBeGreaterThan(1);
    const [map] = JSON.parse((await mull(["map", "claude-sonnet-4-5", "--json"])).out);
    expect(map.map.med).toEqual({ kind: "budget", tokens: 43_008 });
  });
});

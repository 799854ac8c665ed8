import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { listen } from "@mull/emulator/node";
import { lint, type JsonObject } from "mull";
import agentRoute from "../examples/edge/agent.ts";
import gatewayRoute from "../examples/edge/gateway.ts";

/** What each example must print: that it ran is not enough. */
const says: ReadonlyMap<string, readonly (string | RegExp)[]> = new Map([
  ["answer-use-chat.ts", [/"type":"reasoning-delta"/, "1,081", "data: [DONE]"]],
  ["anthropic-budget.ts", [/\d+ characters of thinking/]],
  ["approve-in-use-chat.ts", ["tool-approval-request", "tool-output-denied", "I left it"]],
  ["ask-a-person.ts", ["approval: pay", "I left it unpaid."]],
  [
    "compare-providers.ts",
    [/claude-opus-5-5\/high: .*16,288/, /gpt-6-sol\/high: .*16,288/, /tokens of thinking/],
  ],
  [
    "count-before-sending.ts",
    [
      /claude-opus-5-5\/high: \d+ tokens \(service: exact\)/,
      /deepseek.*\(estimate: DeepSeek doesn't count/,
    ],
  ],
  ["fall-back.ts", [/^gpt-6-sol: .*1,081/m, "not claude-opus-5-5: outage"]],
  ["from-ai-sdk.ts", ["162.15", "0 thoughts withheld"]],
  ["from-langchain.ts", [/1,081.* 0 changes were needed/]],
  ["from-official-sdk.ts", [/162\.15.* 0 thoughts withheld/, /216\.2.* 2 thoughts withheld/]],
  ["lint-a-request.ts", ["anthropic/leading-thinking", /^true \[/m]],
  ["many-questions.ts", ["500 of 500 answered", "within budget"]],
  [
    "repairing-fetch.ts",
    [/^AI_APICallError: .*but found `text`/m, "anthropic/leading-thinking: ", "Oslo: 4 °C"],
  ],
  [
    "mull-in-ai-sdk.ts",
    ["step 0: gpt-6-sol", "step 1: claude-opus-5-5", "stocks are up", "thought of gpt-6-sol: "],
  ],
  [
    "observe-a-turn.ts",
    [/turn-start[^]*composed[^]*sent[^]*first-byte[^]*end \d+ tokens[^]*turn-end/],
  ],
  ["openai-primes.ts", ["[summary]", "2, 3, 5, 7, 11, 13, 17, 19, 23", /\d+ thinking tokens/]],
  ["quick-start.ts", ["1,081", "162.15", "high"]],
  ["record-with-official-sdk.ts", [/^true /m]],
  ["refuse-in-a-test.ts", ["400", /^4 \[/m]],
  ["resume-from-database.ts", ["162.15", "thought of claude-opus-5-5"]],
  ["send-a-file.ts", ["file-omitted: this model does not take it"]],
  ["shorten-a-conversation.ts", ["4 messages became a summary", "2 + 2 = **4**"]],
  ["small-bundle.ts", ["1,081"]],
  ["stop-and-go-on.ts", [/^stopped after: The first/m, "23, 29**", "'user', 'assistant'"]],
  ["structured-output.ts", ["{ sum: 1081 }"]],
  [
    "stream-thinking.ts",
    ["[thinking]", "[answer]", "1,081", /\d+ characters of thinking, \d+ of answer/],
  ],
  ["switch-mid-loop.ts", ["step 0: gpt-6-sol", "step 1: claude-haiku-4-5", "note: "]],
  ["tools-from-mcp.ts", ["[FILE] switch.ts", "There are short programs."]],
  [
    "trace-with-opentelemetry.ts",
    [/^chat claude-opus-5-5 \d+ tokens of thinking/m, "invoke_agent"],
  ],
  [
    "why-the-cache-missed.ts",
    [/low: \d+ tokens read, as predicted/, "high: 0 tokens read, missed: level"],
  ],
  ["whole-answer.ts", ["[thinking]", "[answer]", "13"]],
]);

/** No key, no home: nothing of this machine may help or hinder. */
const run = (file: string): Promise<{ readonly code: number | null; readonly text: string }> =>
  new Promise((resolve) => {
    const child = spawn(
      process.execPath,
      ["--conditions=@mull/source", "--import", "tsx", `examples/${file}`],
      { env: { PATH: process.env["PATH"] ?? "", TMPDIR: process.env["TMPDIR"] ?? "/tmp" } },
    );
    let text = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk: Buffer) => {
        text += chunk.toString();
      });
    }
    child.on("close", (code) => resolve({ code, text }));
  });

describe("R228 to R232, every file of examples/ runs against the emulator", () => {
  const files = readdirSync("examples").filter((name) => name.endsWith(".ts"));

  test("each one says what must come out of it", () => {
    expect(files).toEqual([...says.keys()].toSorted());
  });

  test.each(files)(
    "%s",
    async (file) => {
      const { code, text } = await run(file);
      const missing = (says.get(file) ?? []).filter((part) =>
        typeof part === "string" ? !text.includes(part) : !part.test(text),
      );
      expect({ code, missing, text }).toEqual({ code: 0, missing: [], text });
    },
    150_000,
  );
});

test("request.json is refused with the words the README begins with", () => {
  const body = JSON.parse(readFileSync("examples/request.json", "utf8")) as JsonObject;
  const { findings } = lint({ wire: "anthropic-messages", body });
  expect(findings.map(({ rule }) => rule)).toEqual(["anthropic/leading-thinking"]);
  const words = /Expected `thinking` or `redacted_thinking`, but found `text`/;
  expect(findings[0]?.message).toMatch(words);
  expect(readFileSync("README.md", "utf8")).toMatch(words);
});

/** What a route answers whose keys lead to the emulator. */
const askRoute = async (route: typeof agentRoute, path: string, body: string): Promise<string> => {
  const service = await listen();
  const env = {
    ANTHROPIC_BASE_URL: service.url,
    ANTHROPIC_API_KEY: "test",
    OPENAI_BASE_URL: `${service.url}/v1`,
    OPENAI_API_KEY: "test",
    MULL_GATEWAY_SECRET: "sixteen characters or more",
  };
  const headers = { "content-type": "application/json" };
  const request = new Request(`http://127.0.0.1${path}`, { method: "POST", headers, body });
  try {
    return await (await route.fetch(request, env)).text();
  } finally {
    await service.close();
  }
};

describe("the routes of examples/edge answer, with the keys they are passed", () => {
  test("edge/agent.ts answers a question", async () => {
    expect(await askRoute(agentRoute, "/", "What is 23 * 47?")).toContain("1,081");
  });

  test("edge/gateway.ts answers a client of Anthropic's with an OpenAI model", async () => {
    const body = {
      model: "claude-opus-5-5",
      max_tokens: 4096,
      messages: [{ role: "user", content: "What is 23 * 47?" }],
    };
    expect(await askRoute(gatewayRoute, "/v1/messages", JSON.stringify(body))).toContain("1,081");
  });
});

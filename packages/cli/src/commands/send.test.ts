import { writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

import { fails, says, script } from "@mull/emulator";
import { listen, type Listening } from "@mull/emulator/node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { emptyHome, mull, type FakeIo, type Ran } from "../testing/fake-io.ts";

const question = { role: "user", content: "What is 15% of 240?" };
const claude = { model: "claude-opus-5-5", max_tokens: 2000, messages: [question] };
const weather = {
  name: "weather",
  input_schema: { type: "object", properties: { city: { type: "string" } } },
};
/** Claude refuses a turn with tools that does not begin with its thought. */
const broken = {
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
  tools: [weather],
};

let service: Listening;
beforeAll(async () => {
  service = await listen();
});
afterAll(() => service.close());

/** `mull send request.json` with this body, at the emulator unless told otherwise. */
const send = (body: object | string, argv: readonly string[] = [], fake: FakeIo = {}) => {
  const cwd = emptyHome();
  const text = typeof body === "string" ? body : JSON.stringify(body);
  writeFileSync(join(cwd, "request.json"), text);
  const to = argv.includes("--to") ? [] : ["--to", service.url];
  return mull(["send", "request.json", ...to, ...argv], { cwd, ...fake });
};

const lastAsked = () => service.emulator.journal().at(-1);

describe("a request is sent", () => {
  test.each([
    ["anthropic-messages", claude, [], "/v1/messages"],
    ["openai-responses", { model: "gpt-6-sol", input: "What is 15% of 240?" }, [], "/responses"],
    ["openai-chat", { model: "gpt-4.1", messages: [question] }, [], "/chat/completions"],
    [
      "google-generate",
      { contents: [{ role: "user", parts: [{ text: "What is 15% of 240?" }] }] },
      ["--model", "gemini-3.8-flash"],
      "/v1beta/models/gemini-3.8-flash:streamGenerateContent",
    ],
  ])("on %s, which its fields name", async (wire, body, argv, path) => {
    const { code, out, err } = await send(body, argv);
    expect(code).toBe(0);
    expect(out).toContain("15% of 240 is **36**.");
    expect(err).toContain(`→ ${wire} · `);
    expect(err).toContain(`POST ${service.url}${path}`);
    expect(err).toMatch(/200 · stop · in \d+/);
  });

  test("byte for byte, also one that mull would write in another way", async () => {
    const written = `{ "messages": [${JSON.stringify(question)}],\n  "max_tokens":2000, "model" :"claude-opus-5-5" }`;
    const heard = await listening();
    await send(written, ["--to", heard.url]);
    expect(heard.body()).toBe(written);
    await heard.close();
  });

  test("from a pipe, as a stream that is shown as it comes", async () => {
    const stdin = JSON.stringify({ ...claude, stream: true });
    const { code, out } = await mull(["send", "-", "--to", service.url], { stdin });
    expect(code).toBe(0);
    expect(out).toContain("**36**");
  });

  test("written as a curl command, to the address in it", async () => {
    const command = `curl ${service.url}/v1/messages -H "x-api-key: $ANTHROPIC_API_KEY" -d '${JSON.stringify(claude)}'`;
    const { code, err } = await mull(["send"], { stdin: command });
    expect(code).toBe(0);
    expect(err).toContain(`POST ${service.url}/v1/messages`);
  });

  test("and thinking that nobody may read has no heading", async () => {
    const thinking = { type: "adaptive", display: "omitted" };
    const terminal = { stdout: true, stderr: true };
    const { err } = await send({ ...claude, stream: true, thinking }, [], { terminal });
    expect(err).toMatch(/· thinking \d+ ·/);
    expect(err).not.toContain("∴ thinking");
  });

  test("and its calls are the answer", async () => {
    const asked = { ...claude, messages: [{ role: "user", content: "Weather in Oslo?" }] };
    const { out } = await send({ ...asked, tools: [weather] });
    expect(out).toBe('▸ weather {"city":"Oslo"}\n');
  });

  test("--json prints what decode prints", async () => {
    const { out } = await send(claude, ["--json"]);
    expect(JSON.parse(out)).toMatchObject({
      text: expect.stringContaining("36"),
      finish: { reason: "stop", raw: "end_turn" },
      model: "claude-opus-5-5",
    });
  });

  test("--raw prints the body of the answer, of a refusal too", async () => {
    const streamed = await send({ ...claude, stream: true }, ["--raw"]);
    expect(streamed.out).toMatch(/^event: message_start\ndata: \{/);
    expect(streamed.out).toContain("event: message_stop");
    const refused = await send(broken, ["--raw"]);
    expect(JSON.parse(refused.out)).toMatchObject({ type: "error" });
    expect(refused.code).toBe(5);
  });
});

describe("a request that is refused", () => {
  test("says so, names the way out, exit 5", async () => {
    const { code, out, err } = await send(broken);
    expect(code).toBe(5);
    expect(out).toBe("");
    expect(err).toContain("Expected `thinking` or `redacted_thinking`");
    expect(err).toContain("Add --fix: it repairs the request first. mull lint request.json");
  });

  test("--fix repairs it first and says what it did", async () => {
    const { code, out, err } = await send(broken, ["--fix"]);
    expect(code).toBe(0);
    expect(out).toContain("weather: 20");
    expect(err).toContain("✓ repaired anthropic/leading-thinking");
    expect(lastAsked()?.status).toBe(200);
  });

  test("--fix heals once what only the service knew", async () => {
    const message = "This model does not support the effort parameter.";
    const when = { model: "claude-opus-4-6" };
    service.emulator.load(script(when, [fails({ status: 400, message })], [says("Healed")]));
    const asked = { ...claude, ...when, output_config: { effort: "low" } };
    const { code, out, err } = await send(asked, ["--fix"]);
    expect(err).toContain(message);
    expect(err).toContain("✓ repaired");
    expect([code, out]).toEqual([0, "Healed"]);
  });

  test("--json has the error, with its status", async () => {
    const { out } = await send(broken, ["--json"]);
    expect(JSON.parse(out)).toMatchObject({ error: { status: 400, category: "invalid_argument" } });
  });
});

/** A server that hears everything and answers nothing useful. */
const heardBy = async (run: (url: string) => Promise<Ran>) => {
  const server = await listening();
  const ran = await run(server.url);
  const headers = server.headers();
  await server.close();
  return { ...ran, headers };
};

const theirs = (url: string) =>
  `curl ${url}/v1/messages -H 'x-api-key: sk-ant-theirs' -d '${JSON.stringify(claude)}'`;

describe("a key", () => {
  const env = { ANTHROPIC_API_KEY: "sk-ant-mine" };

  test("goes to this machine", async () => {
    const { headers } = await heardBy((url) => send(claude, ["--to", url], { env }));
    expect(headers).toMatchObject({ "x-api-key": "sk-ant-mine" });
    expect(headers["anthropic-version"]).toBeDefined();
  });

  test("that stands in the file goes where the file says, and nowhere else", async () => {
    const own = await heardBy((url) => mull(["send"], { stdin: theirs(url), env }));
    expect(own.headers["x-api-key"]).toBe("sk-ant-theirs");
    const elsewhere = await heardBy((url) =>
      mull(["send", "--to", url], { stdin: theirs("https://api.anthropic.com"), env }),
    );
    expect(elsewhere.headers["x-api-key"]).toBe("sk-ant-mine");
  });

  test("named by --header wins", async () => {
    const { headers } = await heardBy((url) =>
      send(claude, ["--to", url, "--header", "x-api-key: sk-ant-named"], { env }),
    );
    expect(headers["x-api-key"]).toBe("sk-ant-named");
  });

  test("that is missing while others are there: nothing is sent, exit 3", async () => {
    const { code, err } = await mull(["send"], {
      stdin: JSON.stringify(claude),
      env: { OPENAI_API_KEY: "sk-mine" },
    });
    expect(code).toBe(3);
    expect(err).toContain("No key for Anthropic.");
  });

  test("that nobody has: the emulator answers, and says so", async () => {
    const { code, out, err } = await mull(["send"], { stdin: JSON.stringify(claude) });
    expect(code).toBe(0);
    expect(out).toContain("**36**");
    expect(err).toContain("simulated: no API key found");
  });
});

describe("what cannot be sent is said", () => {
  test.each([
    [["--to", "gro"], "Did you mean groq?"],
    [["--to", "groq"], "Groq takes openai-chat here"],
    [["--raw", "--json"], "can't be used together"],
    [["--header", "x"], "is not of the form"],
  ])("%s", async (argv, said) => {
    const { code, err } = await send(claude, argv);
    expect(code).toBe(2);
    expect(err).toContain(said);
  });

  test("Google's body without a model", async () => {
    const { code, err } = await mull(["send"], { stdin: '{"contents":[]}' });
    expect(code).toBe(2);
    expect(err).toContain("Add --model NAME");
  });

  test("an address where nobody listens, exit 7", async () => {
    const gone = await listening();
    await gone.close();
    const { code, err } = await send(claude, ["--to", gone.url]);
    expect(code).toBe(7);
    expect(err).toContain("ECONNREFUSED");
    expect(err).toContain(`Check the address: --to ${gone.url}`);
  });
});

interface Heard {
  readonly url: string;
  readonly body: () => string;
  readonly headers: () => Readonly<Record<string, unknown>>;
  readonly close: () => Promise<void>;
}

/** Keeps what it was asked last. */
async function listening(): Promise<Heard> {
  let body = "";
  let headers: Readonly<Record<string, unknown>> = {};
  const server: Server = createServer((request, response) => {
    headers = request.headers;
    body = "";
    request.setEncoding("utf8");
    request.on("data", (text: string) => {
      body += text;
    });
    request.on("end", () => response.writeHead(500).end("{}"));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    body: () => body,
    headers: () => headers,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

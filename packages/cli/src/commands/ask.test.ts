import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

import { cuts, fails, says, type Action } from "@mull/emulator";
import { describe, expect, test } from "vitest";

import { emptyHome, jsonLines, mull, type Ran } from "../testing/fake-io.ts";
import { useServices } from "../testing/use-services.ts";
import type { TurnOutcome } from "../ask/outcome.ts";

const question = "What is 23 * 47?";
const outcomeOf = ({ out }: Ran): TurnOutcome => JSON.parse(out);

const { open, service } = useServices();

describe("--json, --jsonl, --plan", () => {
  test("--json is one object with everything", async () => {
    const ran = await mull(["--json", "-m", "claude-opus-5-5/none", question]);
    expect(outcomeOf(ran)).toMatchObject({
      v: 1,
      text: expect.stringContaining("1,081"),
      thinking: expect.any(String),
      model: "claude-opus-5-5",
      finish: { reason: "stop" },
      conversation: expect.stringMatching(/^[a-z]+-[a-z]+/),
      receipt: { simulated: true, plan: { asked: "none", applied: "low" } },
      usage: { thinkingSource: "reported" },
      cost: { total: expect.any(Number) },
    });
    expect(ran.out.trimEnd()).not.toContain("\n");
  });

  test("--json on failure has the error and the exit code", async () => {
    const env = await service(fails({ status: 400, message: "max_tokens: too large" }));
    const ran = await mull(["--json", "--fail", question], { env });
    expect(ran.code).toBe(5);
    expect(outcomeOf(ran).error).toMatchObject({ category: "invalid_argument", status: 400 });
  });

  test("--jsonl: one event a line, the object last", async () => {
    const { out } = await mull(["--jsonl", question]);
    const lines = jsonLines(out);
    const joined = lines.map((line) => (line["type"] === "text" ? line["delta"] : "")).join("");
    expect(joined).toContain("1,081");
    expect(lines[0]).toMatchObject({ type: "start" });
    expect(lines.at(-1)).toMatchObject({ type: "result", v: 1, text: joined });
  });

  test("--plan sends nothing and keeps nothing", async () => {
    const home = emptyHome();
    const env = {
      ANTHROPIC_API_KEY: "k",
      ANTHROPIC_BASE_URL: "http://ada:pass@127.0.0.1:9/v1?key=k",
    };
    const { code, out } = await mull(["--plan", "-l", "high", question], { home, env });
    expect(code).toBe(0);
    expect(out).toMatch(
      /claude-opus-5-5\/high[^]*POST http:\/\/127\.0\.0\.1:9\/v1\/messages\n[^]*"effort": "high"/,
    );
    expect(existsSync(join(home, ".local"))).toBe(false);
  });
});

describe("exit codes", () => {
  const retry = { form: "ms", ms: 1 } as const;
  test.each<readonly [string, number, readonly Action[]]>([
    ["refused", 5, [fails({ status: 400, message: "no" })]],
    ["not found", 5, [fails(404)]],
    ["rate limit", 4, [fails({ status: 429, retry })]],
    ["overloaded", 4, [fails({ status: 529, retry })]],
    ["permission", 3, [fails(403)]],
    ["a cut stream", 7, [says("Half of an answer"), cuts()]],
  ])("%s is %i", async (_, expected, actions) => {
    const env = await service(...actions);
    const { code, err } = await mull(["--fail", question], { env });
    expect(code).toBe(expected);
    expect(err).toMatch(/✗ .{5}/);
  });

  test("what was printed before a cut stays printed", async () => {
    const env = await service(says("Half of an answer that is long enough to be cut."), cuts());
    const { out, err } = await mull(["--fail", question], { env });
    expect(out).toMatch(/^Half/);
    expect(err).toMatch(/the connection was lost.* · network · req_\w+\n/);
  });

  test("a wrong key is 3, and the key is in no output", async () => {
    const server = await open();
    const key = ["sk", "invalid", "topsecret"].join("-");
    const env = { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: key };
    const ran = await mull(["--json", question], { env });
    expect(ran.code).toBe(3);
    expect(ran.out + ran.err).not.toContain("topsecret");
    const advice =
      "export ANTHROPIC_API_KEY=…   or   unset ANTHROPIC_API_KEY; mull keys set anthropic";
    expect(outcomeOf(ran).error?.fix).toBe(advice);
    expect(ran.err).toContain(`  fix   ${advice}\n`);
  });

  test("newcomer task 7: a kept key that is wrong is 3, and the command that repairs it is named", async () => {
    const server = await open();
    const home = emptyHome();
    const env = { ANTHROPIC_BASE_URL: server.url };
    await mull(["keys", "set", "anthropic"], { home, stdin: "an-invalid-key" });
    const asked = await mull([question], { home, env });
    expect(asked).toMatchObject({ code: 3, out: "" });
    expect(asked.err).toMatch(/401 auth[^]*\n  fix   mull keys set anthropic\n$/);
    const swept = await mull(["sweep", "--levels", "low,high", question], { home, env });
    expect(swept.code).toBe(3);
    expect(swept.err).toBe("  fix   mull keys set anthropic\n");
  });

  test("a key for one vendor only: another vendor's model is 3, with the command to run", async () => {
    const env = { OPENAI_API_KEY: "k" };
    const { code, err } = await mull(["-m", "claude-opus-5-5", question], { env });
    expect(code).toBe(3);
    expect(err).toMatch(/No key for Anthropic[^]*export ANTHROPIC_API_KEY/);
  });

  test("network is 7", async () => {
    const env = { ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: "http://127.0.0.1:9" };
    expect((await mull([question], { env })).code).toBe(7);
  });

  test("an answer cut by the output limit is 8", async () => {
    const env = await service(says("word ".repeat(400)));
    const { code } = await mull(["--max-output", "16", "-m", "claude-haiku-4-5/none", question], {
      env,
    });
    expect(code).toBe(8);
  });

  test("F-C3 Ctrl-C is 130 and keeps a conversation that can be continued", async () => {
    const home = emptyHome();
    const stop = new AbortController();
    const env = await service(says("one two three ".repeat(50)));
    const out = (): Promise<void> => {
      stop.abort();
      return Promise.resolve();
    };
    const { code } = await mull([question], { env, home, signal: stop.signal, out });
    expect(code).toBe(130);
    expect((await mull(["-c", "Go on."], { home })).code).toBe(0);
  });
});

const folder = (home: string): string => join(home, ".local", "share", "mull", "conversations");

describe("conversations", () => {
  test("-c goes on with the last one, -r NAME with that one, seals included", async () => {
    const home = emptyHome();
    const { conversation } = outcomeOf(await mull(["--json", question], { home }));
    const again = outcomeOf(
      await mull(["--json", "-r", conversation ?? "", "And 3 * 3?"], { home }),
    );
    expect(again.conversation).toBe(conversation);
    const last = await mull(["-c", "--plan", "--json", "And 4 * 4?"], { home });
    const { messages } = JSON.parse(last.out).request.body;
    expect(messages).toHaveLength(5);
    expect(JSON.stringify(messages)).toContain('"signature"');
  });

  test("--plan counts the thoughts that another model is not sent", async () => {
    const home = emptyHome();
    await mull([question], { home });
    const plan = async (model: string): Promise<string> =>
      (await mull(["-c", "--plan", "-m", model, "And 4 * 4?"], { home })).out;
    expect(await plan("gpt-6-sol")).toMatch(/\n {2}1 sealed thought withheld: [^\n]*\nPOST http/);
    expect(await plan("claude-opus-5-5")).not.toContain("withheld");
  });

  test("F-C5 files are 0600 in 0700", async () => {
    const home = emptyHome();
    await mull([question], { home });
    const [name = ""] = readdirSync(folder(home));
    expect(statSync(folder(home)).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder(home), name)).mode & 0o777).toBe(0o600);
  });

  test("--no-save keeps nothing", async () => {
    const home = emptyHome();
    expect(
      outcomeOf(await mull(["--json", "--no-save", question], { home })).conversation,
    ).toBeNull();
    expect(existsSync(folder(home))).toBe(false);
  });

  test("a home that cannot be written to: the answer comes, a warning says it is not kept", async () => {
    const home = emptyHome();
    // A file where the folder should be stops root too.
    mkdirSync(join(home, ".local"));
    writeFileSync(join(home, ".local", "share"), "");
    const { code, out, err } = await mull([question], { home });
    expect(code).toBe(0);
    expect(out).toContain("1,081");
    expect(err).toMatch(/not saved: /);
  });

  test("an unknown name: the names there are, and the nearest", async () => {
    const home = emptyHome();
    expect(await mull(["-c", question], { home })).toMatchObject({
      code: 2,
      err: expect.stringContaining("no conversation yet"),
    });
    const { conversation } = outcomeOf(await mull(["--json", question], { home }));
    const { code, err } = await mull(["-r", `${conversation}x`, question], { home });
    expect(code).toBe(2);
    expect(err).toContain(`Did you mean ${conversation}?`);
  });

  test("list, show, export, remove and cost tell of what was kept", async () => {
    const home = emptyHome();
    const name = outcomeOf(await mull(["--json", question], { home })).conversation ?? "";
    const [row] = JSON.parse((await mull(["conversations", "--json"], { home })).out);
    expect(row).toMatchObject({ name, title: question, messages: 2, model: "claude-opus-5-5" });
    expect((await mull(["conversations", "show", name], { home })).out).toMatch(
      /^you: What is 23[^]*answer: 23/,
    );
    const exported = (await mull(["conversations", "export", name], { home })).out;
    const encoded = await mull(["encode", "gpt-6-sol/low"], { home, stdin: exported });
    expect(encoded.code).toBe(0);
    const cost = JSON.parse((await mull(["cost", "--json"], { home })).out);
    expect(cost.total).toMatchObject({
      turns: 1,
      simulated: 1,
      cost: { total: expect.any(Number) },
    });
    expect((await mull(["conversations", "remove", name], { home })).code).toBe(0);
    expect(JSON.parse((await mull(["conversations", "--json"], { home })).out)).toEqual([]);
  });
});

describe("tools and files", () => {
  test("-t lets the model use a tool", async () => {
    const { out } = await mull(["--jsonl", "-t", "calculator", "Use the calculator for 23 * 47."]);
    const output = '{"expression":"23 * 47","result":1081}';
    expect(jsonLines(out)).toContainEqual(expect.objectContaining({ type: "tool-result", output }));
    expect(jsonLines(out).at(-1)?.["text"]).toContain("23 * 47 = **1,081**.");
    expect(jsonLines(out).at(-1)).toMatchObject({ type: "result", finish: { reason: "stop" } });
  });

  test("how long a tool ran is said while it is watched, and when it is shown again", async () => {
    const home = emptyHome();
    const argv = ["-t", "calculator", "Use the calculator for 23 * 47."];
    const watched = { home, terminal: { stderr: true }, env: { NO_COLOR: "1" } };
    expect((await mull(argv, watched)).err).toMatch(/\n▸ calculator ✓ \d+\.\d s\n/);
    const { out } = await mull(["conversations", "show"], { home });
    expect(out).toMatch(/\ntool: calculator ✓ \d+\.\d s\n/);
  });

  test("-f puts text and images before the question", async () => {
    const home = emptyHome();
    writeFileSync(join(home, "note.txt"), "remember the milk");
    writeFileSync(join(home, "dot.png"), Buffer.from("iVBORw0KGgo=", "base64"));
    const argv = ["--plan", "--json", "-f", "note.txt", "-f", "dot.png", "What is it?"];
    const { out } = await mull(argv, { home });
    const body = JSON.stringify(JSON.parse(out).request.body);
    expect(body).toMatch(/remember the milk[^]*image\/png[^]*What is it\?/);
  });
});

describe("keys (F-C5)", () => {
  test("a key from credentials.json is used, warned about, never printed", async () => {
    const home = emptyHome();
    const file = join(home, "credentials.json");
    writeFileSync(file, JSON.stringify({ anthropic: "loopback-top-secret" }));
    chmodSync(file, 0o644);
    const { ANTHROPIC_BASE_URL = "" } = await service(says("Hello."));
    const ran = await mull([question], { home, env: { ANTHROPIC_BASE_URL } });
    expect(ran).toMatchObject({ code: 0, out: "Hello." });
    expect(ran.err).toMatch(/can be read by others[^]*chmod 600/);
    expect(ran.err).not.toContain("top-secret");
    const listed = await mull(["keys"], { home });
    expect(listed.out).toContain(file);
    expect(listed.out + listed.err).not.toContain("top-secret");
  });

  test("keys set reads stdin, writes 0600 and prints nothing of it; remove takes it away", async () => {
    const home = emptyHome();
    const file = join(home, ".config", "mull", "credentials.json");
    const set = await mull(["keys", "set", "openai"], { home, stdin: "open-sesame\n" });
    expect(set.code).toBe(0);
    expect(set.out).not.toContain("sesame");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ OPENAI_API_KEY: "open-sesame" });
    const removed = await mull(["keys", "remove", "openai"], { home });
    expect(removed.out).toBe(`✓ OpenAI key removed from ${file}\n`);
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({});
  });

  test("keys set says when a variable wins over the key that was kept", async () => {
    const env = { OPENAI_API_KEY: "from-the-shell" };
    const set = await mull(["keys", "set", "openai"], { stdin: "open-sesame\n", env });
    expect(set).toMatchObject({
      code: 0,
      err: "⚠ OPENAI_API_KEY also has a key, which is used instead\n",
    });
  });
});

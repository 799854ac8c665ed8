import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { levels } from "mull";
import { describe, expect, test } from "vitest";

import { askOptions } from "./ask/ask-options.ts";
import { commands } from "./commands.ts";
import { levels as namedLevels } from "./frame/levels.ts";
import { version } from "./frame/version.ts";
import { toolNames } from "./frame/tool-names.ts";
import { wireNames } from "./frame/wire-names.ts";
import { emptyHome, mull } from "./testing/fake-io.ts";
import { builtInTools } from "./tools/tools.ts";
import { wireWords } from "./wire-tools/wire-words.ts";

describe("bad input: one sentence, a suggestion, exit 2", () => {
  test.each<readonly [string, readonly string[], RegExp]>([
    ["command", ["plna"], /Unknown command "plna"[^]*Did you mean plan\?/],
    ["command before a model", ["pln", "gpt-6-sol/high"], /Did you mean plan\?/],
    ["command before a file", ["snd", "request.json"], /Did you mean send\?/],
    ["long command, two letters off", ["modlse"], /Did you mean models\?/],
    ["help of nothing", ["help", "lnt"], /Did you mean lint\?/],
    ["flag", ["--modle", "x", "hi"], /Unknown option --modle[^]*Did you mean --model\?/],
    [
      "flag of a command",
      ["lint", "--wier", "x"],
      /Unknown option --wier[^]*Did you mean --wire\?/,
    ],
    [
      "flag of other programs",
      ["-p", "hi"],
      /Unknown option -p\.[^]*\n {2}A question needs no option: mull "question"\n/,
    ],
    ["flag without its value", ["-m"], /-m needs a value: -m REF/],
    ["level", ["-l", "extreme", "hi"], /Unknown level "extreme"\. Levels: auto none/],
    ["short words that only look alike", ["--foo", "hi"], /^✗ Unknown option --foo\..*\n$/],
    ["level, nearly", ["-l", "hgh", "hi"], /Levels: auto[^]*Did you mean high\?/],
    ["level in a ref", ["-m", "gpt-6-sol/hihg", "hi"], /Unknown level "hihg"[^]*gpt-6-sol\/high\?/],
    [
      "model",
      ["plan", "cluade-opus-5-5"],
      /No provider is known[^]*Did you mean claude-opus-5-5\?/,
    ],
    [
      "file",
      ["decode", "--wire", "google", "nowhere.json"],
      /Cannot read nowhere\.json: there is no/,
    ],
    ["file of a question", ["-f", "nowhere.txt", "hi"], /Cannot read nowhere\.txt: there is no/],
    ["batch file", ["lint", "--batch", "nowhere.jsonl"], /Cannot read nowhere\.jsonl: there is no/],
    ["wire", ["decode", "--wire", "gogle", "x"], /Cannot read x|Unknown wire/],
    ["tool", ["-t", "calculater", "hi"], /Unknown tool[^]*Did you mean calculator\?/],
    ["number", ["--max-output", "many", "hi"], /--max-output: "many" is not allowed/],
    ["no room", ["--max-output", "0", "hi"], /^✗ --max-output: "0" .* from 1 on\n/],
    [
      "cassette",
      ["replay", "tape.json", "hi"],
      /Cassette files must end in \.jsonl; "tape\.json" does not/,
    ],
    ["folder of cassettes", ["replay", ".", "hi"], /^✗ \. is a folder\. Name one of the cassettes/],
    [
      "port",
      ["emulate", "--port", "99999"],
      /--port: "99999" is not allowed\. Allowed: 0 to 65535/,
    ],
    ["port of the server", ["serve", "--port", "abc"], /--port: "abc" is not allowed/],
    [
      "host that is not here",
      ["emulate", "--host", "192.0.2.1", "--allow-remote"],
      /Cannot listen there: .*192\.0\.2\.1/,
    ],
    ["header", ["lint", "--header", "nonsense"], /not of the form 'name: value'/],
    [
      "second file",
      ["lint", "a.json", "b.json"],
      /mull lint takes one word, not 2\.\n {2}mull lint \[--wire/,
    ],
    ["word nobody reads", ["doctor", "keys"], /mull doctor takes no words, not 1/],
    ["key as a word", ["keys", "set", "openai", "abc"], /^(?![^]*abc)[^]*takes 2 words at most/],
    ["nothing to ask", ["-q", "--plan"], /nothing to ask/],
    ["no model", ["encode"], /Which model\?/],
    ["shell", ["completion", "bsh"], /Did you mean bash\?/],
    ["word", ["conversations", "shwo"], /Did you mean show\?/],
    ["provider", ["keys", "set", "antropic"], /Did you mean anthropic\?/],
  ])("%s", async (_, argv, expected) => {
    const { code, out, err } = await mull(argv);
    expect(code).toBe(2);
    expect(out).toBe("");
    expect(err).toMatch(expected);
    expect(err).not.toMatch(/ {4}at /);
  });

  test.each(["plants", "cash", "lines", "pln b", "cots in 2026", "chat about dogs"])(
    "%s is a question",
    async (words) => {
      const { code, out } = await mull([...words.split(" "), "--no-save"], { stdin: "" });
      expect([code, out]).toEqual([0, expect.stringContaining(`You said: "${words}"`)]);
    },
  );

  test.each([[["version"]], [["hi", "-V"]], [["-q", "--version"]]])(
    "%s prints the version and asks nobody",
    async (argv) => {
      const { code, out } = await mull(argv);
      expect([code, out]).toEqual([0, `${version()}\n`]);
    },
  );

  test.each([[["plna"]], [["-m", "nobody", "hi"]], [["keys"]], [["keys", "set"]]])(
    "without UTF-8 %j says it in ASCII",
    async (argv) => {
      const { out, err } = await mull(argv, { env: { LC_ALL: "C" }, stdin: "" });
      // oxlint-disable-next-line no-control-regex -- all of ASCII
      expect(out + err).toMatch(/^[\u0000-\u007f]+$/);
    },
  );

  test("--json keeps its promise when nothing could be asked", async () => {
    const { code, out } = await mull(["--json", "-m", "gpt-6-sol/hihg", "hi"]);
    expect(code).toBe(2);
    expect(JSON.parse(out)).toMatchObject({
      v: 1,
      text: "",
      model: null,
      error: { category: "invalid_argument", fix: "Did you mean gpt-6-sol/high?" },
    });
  });

  test("JSON that is none says where it breaks", async () => {
    const { code, err } = await mull(["lint", "--wire", "anthropic"], { stdin: '{"a": }' });
    expect(code).toBe(2);
    expect(err).toMatch(/^✗ What was piped in is not JSON: /);
    const home = emptyHome();
    writeFileSync(join(home, "request.json"), "{");
    const named = await mull(["lint", "--wire", "google", "request.json"], { home });
    expect(named.err).toMatch(/^✗ request\.json is not JSON: /);
  });

  test("a model the service does not have is answered with the one that was meant", async () => {
    const { code, err } = await mull(["-m", "gpt-6-slo/high", "hi"], { stdin: "" });
    expect(code).toBe(5);
    expect(err).toMatch(/400 not_found[^]*\n {2}fix {3}Did you mean gpt-6-sol\?\n$/);
  });

  test("`ask` in front says that a question follows, also one that is a command's name", async () => {
    const asked = await mull(["ask", "-q", "plan"], { stdin: "" });
    expect(asked.code).toBe(0);
    expect(asked.out).toContain('You said: "plan"');
  });

  test("a wire is asked for by name", async () => {
    const { code, err } = await mull(["decode"], { stdin: "{}" });
    expect(code).toBe(2);
    expect(err).toMatch(/Add --wire, one of: anthropic-messages/);
  });

  test("a word behind -- is a question, whatever it looks like", async () => {
    expect((await mull(["--no-save", "--", "plna"])).code).toBe(0);
  });
});

const levelOf = async (home: string, argv: readonly string[], env = {}): Promise<string> => {
  const { out } = await mull(["--plan", "--json", ...argv, "hi"], { home, env });
  return JSON.parse(out).receipt.plan.asked;
};

describe("settings: flags, then environment, then mull.json, then the user's file", () => {
  test("each wins over the next", async () => {
    const home = emptyHome();
    expect(await levelOf(home, [])).toBe("med");
    const user = join(home, "xdg");
    const env = { XDG_CONFIG_HOME: user };
    mkdirSync(join(user, "mull"), { recursive: true });
    writeFileSync(join(user, "mull", "config.json"), '{"level": "min"}');
    expect(await levelOf(home, [], env)).toBe("min");
    writeFileSync(join(home, "mull.json"), '{"level": "low"}');
    expect(await levelOf(home, [], env)).toBe("low");
    expect(await levelOf(home, [], { ...env, MULL_LEVEL: "high" })).toBe("high");
    expect(await levelOf(home, ["-l", "max"], { ...env, MULL_LEVEL: "high" })).toBe("max");
  });

  test("F-C3 a home that isn't a folder has no settings", async () => {
    const { code, err } = await mull(["--no-save", "hi"], { home: "/dev/null", cwd: "/" });
    expect([code, err]).toEqual([0, expect.stringMatching(/^⚠ simulated/)]);
  });

  test("D22 a level in the environment may be any word of the dial, and a wrong one is named", async () => {
    const home = emptyHome();
    expect(await levelOf(home, [], { MULL_LEVEL: "medium" })).toBe("med");
    const { code, err } = await mull(["hi"], { env: { MULL_LEVEL: "extreme" } });
    expect([code, err]).toEqual([2, expect.stringMatching(/^✗ MULL_LEVEL: "extreme" is not/)]);
  });

  test("a variable that isn't a number is quoted as it was written", async () => {
    const { code, err } = await mull(["hi"], { env: { MULL_MAX_OUTPUT: "much" } });
    expect([code, err]).toEqual([2, '✗ MULL_MAX_OUTPUT: "much" is not allowed. Allowed: number\n']);
  });

  test.each([
    ['{"levle": "low"}', /unknown setting "levle"[^]*Did you mean level\?/],
    ['{"maxOutput": "much"}', /maxOutput: "much" is not allowed\. Allowed: number/],
    ['{"plain": "yes"}', /mull\.json: plain: "yes" is not allowed\. Allowed: true or false/],
    ['{"level": "extreme"}', /mull\.json: level: "extreme" is not allowed\. Allowed: auto none/],
    ["{", /mull\.json is not JSON: .* at line 1, column 2\n {2}Repair or remove it/],
    ["[]", /not a JSON object of settings/],
  ])("a broken file %s is named with its fault", async (text, expected) => {
    const home = emptyHome();
    writeFileSync(join(home, "mull.json"), text);
    const { code, err } = await mull(["hi"], { home });
    expect(code).toBe(2);
    expect(err).toMatch(expected);
  });
});

describe("one table makes help, completion and pages", () => {
  test("help names every command and option; each command has its own page", async () => {
    const all = await mull(["--help"]);
    // With the prompt behind it, all of it is seen in the smallest usual window.
    expect(all.out.trimEnd().split("\n").length).toBeLessThan(24);
    for (const { name } of commands)
      expect(all.out.match(new RegExp(`^  (?:\\w+ )*${name}(?: \\w+)*  `, "gm"))).toHaveLength(1);
    const asking = await mull(["help", "ask"]);
    expect(await mull(["hello", "--help"])).toEqual(asking);
    expect(await mull(["help", "--help"])).toEqual(all);
    for (const name of Object.keys(askOptions)) expect(asking.out).toContain(`--${name}`);
    const pages = await Promise.all(commands.map(({ name }) => mull([name, "--help"])));
    expect(pages.map(({ code }) => code)).toEqual(commands.map(() => 0));
    const unfolded = pages.map(({ out }) => out.replaceAll(/\n {4}(?=\S)/g, " "));
    expect(unfolded.every((out, index) => out.startsWith(commands[index]?.usage ?? "?"))).toBe(
      true,
    );
    const lines = [all, asking, ...pages].flatMap(({ out }) => out.split("\n"));
    expect(lines.filter((line) => line.length > 80 && !line.startsWith("  $ "))).toEqual([]);
  });

  test("what a command says of itself fills its rows, whatever lines it was written in", async () => {
    const { out } = await mull(["lint", "--help"]);
    expect(out).toContain(
      "  FILE is a request body, a curl command, an envelope {wire, model, provider,\n  path, headers, body}, or a HAR file. From a HAR file",
    );
  });

  test("every command loads", async () => {
    const loaded = await Promise.all(commands.map(({ load }) => load()));
    expect(loaded.every(({ run }) => typeof run === "function")).toBe(true);
  });

  test("completion scripts and suggestions", async () => {
    expect((await mull(["completion", "bash"])).out).toContain("bash completion for mull");
    expect((await mull(["complete", "--", "pl"])).out).toMatch(/^plan\t/);
    expect((await mull(["complete", "--", "lint", "--wire", "go"])).out).toContain(
      "google-generate",
    );
    expect((await mull(["complete", "--", "-m", "claude-opus"])).out).toContain(
      "claude-opus-5-5\t",
    );
  });

  test("the lists written out for help are the library's", () => {
    expect(namedLevels).toEqual(levels);
    expect(wireNames).toEqual([...wireWords.keys()]);
    expect(toolNames).toEqual(builtInTools().map(({ spec }) => spec.name));
  });
});

test("F-C3 a server that cannot keep anything says so once, without a status, and what to set", async () => {
  const { code, err } = await mull(["serve", "--port", "0", "--data", "/proc/nowhere"]);
  expect(code).toBe(7);
  expect(err).toMatch(
    /✗ Cannot make a folder at \/proc\/nowhere: [^·\n]+\n {2}fix {3}set --data,[^\n]+\n$/,
  );
});

test("doctor looks at everything and finds nothing wrong in an empty home", async () => {
  const { code, out } = await mull(["doctor", "--json"]);
  const states = JSON.parse(out).map(({ state }: { state: string }) => state);
  expect(code).toBe(0);
  expect(states).not.toContain("error");
});

test("sweep compares levels; zero, unknown and estimated stay apart", async () => {
  const argv = ["sweep", "What is 23 * 47?", "--models", "claude-opus-5-5,gpt-6-sol"];
  const rows = JSON.parse((await mull([...argv, "--levels", "none,max", "--json"])).out);
  expect(rows).toHaveLength(4);
  expect(rows[2]).toMatchObject({ model: "gpt-6-sol", level: "none", thinkingTokens: 0 });
  expect(rows[3].thinkingTokens).toBeGreaterThan(0);
  const csv = await mull([...argv, "--levels", "none", "--csv"]);
  expect(csv.out.split("\n")[0]).toMatch(/^model,level,applied/);
});

test("F-V1 record puts an exchange on a cassette, replay answers from it, vcr shows and scans it", async () => {
  const home = emptyHome();
  const asked = ["tape.jsonl", "What is 23 * 47?", "--no-save"];
  const recorded = await mull(["record", ...asked], { home });
  const replayed = await mull(["replay", ...asked], { home });
  expect(replayed).toEqual({ code: 0, out: recorded.out, err: "" });
  expect((await mull(["vcr", "show", "tape.jsonl"], { home })).out).toContain("/v1/messages");
  expect(await mull(["vcr", "scan", "."], { home })).toMatchObject({ code: 0, out: "clean\n" });
  const other = await mull(["replay", "tape.jsonl", "Other", "--no-save"], { home });
  expect(other).toMatchObject({ code: 2, err: expect.stringContaining("differs in") });
});

test("a tool that is a stand-in says so before anybody counts on it", () => {
  const search = builtInTools().find(({ spec }) => spec.name === "searchWeb");
  expect(search?.spec.description).toContain("looks nothing up");
});

import { execSync } from "node:child_process";
import {
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";

import { findModel } from "mull";
import { describe, expect, test } from "vitest";

import { UsageError } from "../frame/usage-error.ts";
import { emptyHome } from "../testing/fake-io.ts";
import { prepareProgram } from "./prepare-program.ts";
import { findProgram, programs } from "./programs.ts";

const model = findModel("gpt-6-sol");
const place = { url: "http://127.0.0.1:4100", key: "mull-key", model };

/** Settings of a user of Claude Code. */
const mine = {
  permissions: { allow: ["Read"] },
  apiKeyHelper: "theirs",
  env: { EDITOR: "vi", ANTHROPIC_BASE_URL: "http://elsewhere" },
};

const prepare = (line: readonly [string, ...string[]], env: Record<string, string> = {}) => {
  const home = emptyHome();
  return { home, ...prepareProgram(line, place, { home, cwd: home, env: { HOME: home, ...env } }) };
};

describe("the program that a command line starts", () => {
  test.each([
    ["claude -p hi", "Claude Code", 1],
    ["/usr/local/bin/claude", "Claude Code", 1],
    ["npx @anthropic-ai/claude-code@latest -p hi", "Claude Code", 2],
    ["npx -y @openai/codex exec hi", "Codex", 3],
    ["env A=1 node /opt/gemini.js -p hi", "gemini-cli", 4],
    ["opencode run hi", "opencode", 1],
    ["pi.cmd -p hi", "pi", 1],
    ["node /x/node_modules/@earendil-works/pi-coding-agent/dist/cli.js -p hi", "pi", 2],
  ])("%s", (line, title, wordsFrom) => {
    const found = findProgram(line.split(" "));
    expect(found?.program.title).toBe(title);
    expect(found?.wordsFrom).toBe(wordsFrom);
  });

  test.each(["python claude.txt", "grep claude notes", "sh -c claude"])(
    "%s is none of them",
    (line) => {
      expect(findProgram(line.split(" "))).toBeUndefined();
    },
  );

  test("has names that no other has", () => {
    const names = programs.flatMap((program) => program.names);
    expect(new Set(names).size).toBe(names.length);
  });
});

describe("a program behind the gateway", () => {
  test("P-G5 gets every vendor's address and key, and nothing of the user's is lost", () => {
    const { command, args, env } = prepare(["python", "ask.py"], {
      OPENAI_API_KEY: "the user's",
      LANG: "C",
    });
    expect([command, ...args]).toEqual(["python", "ask.py"]);
    expect(env).toMatchObject({
      LANG: "C",
      ANTHROPIC_BASE_URL: "http://127.0.0.1:4100",
      OPENAI_BASE_URL: "http://127.0.0.1:4100/v1",
      GOOGLE_GEMINI_BASE_URL: "http://127.0.0.1:4100",
    });
    // The user's own keys stay with the gateway.
    for (const name of ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY"])
      expect(env[name]).toBe("mull-key");
  });

  test("F-N6 a proxy is not asked for this machine", () => {
    const { env } = prepare(["claude"], { HTTPS_PROXY: "http://proxy:1", NO_PROXY: "corp.test" });
    expect(env["NO_PROXY"]).toBe("corp.test,127.0.0.1");
    expect(env["no_proxy"]).toBe("127.0.0.1");
    expect(prepare(["claude"]).env["NO_PROXY"]).toBeUndefined();
  });

  test("Claude Code gets a token, the model's name and its window", () => {
    const { env } = prepare(["claude"], { CLAUDE_CODE_USE_BEDROCK: "1" });
    expect(env["ANTHROPIC_AUTH_TOKEN"]).toBe("mull-key");
    expect(env["ANTHROPIC_API_KEY"]).toBeUndefined();
    expect(env["CLAUDE_CODE_USE_BEDROCK"]).toBeUndefined();
    expect(env["ANTHROPIC_MODEL"]).toBe("gpt-6-sol");
    expect(env["CLAUDE_CODE_MAX_CONTEXT_TOKENS"]).toBe(String(model.window));
  });

  test("Claude Code's own settings may name another address: ours win, and hold no key", () => {
    const { args, env } = prepare(["claude", "-p", "hi"]);
    expect(args.slice(2)).toEqual(["-p", "hi"]);
    const settings = JSON.parse(args[1] ?? "") as {
      readonly apiKeyHelper: string;
      readonly env: Record<string, string>;
    };
    expect(args[1]).not.toContain("mull-key");
    expect(settings.env).toMatchObject({
      ANTHROPIC_BASE_URL: place.url,
      ANTHROPIC_AUTH_TOKEN: "",
      ANTHROPIC_MODEL: "gpt-6-sol",
      CLAUDE_CODE_USE_BEDROCK: "",
    });
    expect(execSync(settings.apiKeyHelper, { env }).toString().trim()).toBe("mull-key");
  });

  test.each([
    ["as a file", (file: string) => ["--settings", file]],
    ["in one word", (file: string) => [`--settings=${file}`]],
    ["as JSON", () => ["--settings", JSON.stringify(mine)]],
  ])("P-G5 --settings of the user %s are joined with ours, which win", (_, given) => {
    const home = emptyHome();
    const file = join(home, "mine.json");
    writeFileSync(file, JSON.stringify(mine));
    const { args, cleanUp } = prepare(["claude", "-p", ...given(file), "hi", "--", "--settings"]);
    expect(args).toEqual(["--settings", expect.any(String), "-p", "hi", "--", "--settings"]);
    const read = JSON.parse(readFileSync(args[1] ?? "", "utf8")) as Record<string, unknown>;
    expect(read).toMatchObject({
      permissions: { allow: ["Read"] },
      apiKeyHelper: expect.stringContaining("MULL_GATEWAY_KEY"),
      env: { EDITOR: "vi", ANTHROPIC_BASE_URL: place.url },
    });
    cleanUp();
    expect(existsSync(args[1] ?? "")).toBe(false);
  });

  test.each([["--settings", "gone.json"], ["--settings", "[]"], ["--settings={"], ["--settings"]])(
    "P-G5 settings of the user that can't be read are refused: %s %s",
    (...given) => {
      expect(() => prepare(["claude", ...given])).toThrow(UsageError);
    },
  );

  test("Codex gets a provider of its own before the user's words, and its key by a variable", () => {
    const { args, env } = prepare(["codex", "exec", "hi"]);
    expect(args.slice(-2)).toEqual(["exec", "hi"]);
    expect(args).toContain('model_provider="mull"');
    expect(args).toContain('model="gpt-6-sol"');
    expect(args.join(" ")).not.toContain("mull-key");
    expect(env["MULL_GATEWAY_KEY"]).toBe("mull-key");
  });

  test("F-C5 gemini-cli sees the user's folder with one setting changed, and the file stays", () => {
    const home = emptyHome();
    const own = join(home, ".gemini");
    mkdirSync(own);
    const settings = { theme: "dark", security: { auth: { selectedType: "oauth-personal" } } };
    writeFileSync(join(own, "settings.json"), JSON.stringify(settings));
    writeFileSync(join(own, "GEMINI.md"), "be brief");
    const { env, cleanUp } = prepareProgram(["gemini"], place, { home, cwd: home, env: {} });
    const seen = join(env["GEMINI_CLI_HOME"] ?? "", ".gemini");
    expect(JSON.parse(readFileSync(join(seen, "settings.json"), "utf8"))).toEqual({
      theme: "dark",
      security: { auth: { selectedType: "gemini-api-key" } },
    });
    expect(readFileSync(join(seen, "GEMINI.md"), "utf8")).toBe("be brief");
    cleanUp();
    expect(readFileSync(join(own, "GEMINI.md"), "utf8")).toBe("be brief");
    expect(JSON.parse(readFileSync(join(own, "settings.json"), "utf8"))).toEqual(settings);
  });

  test("gemini-cli finds its folder where it was: it tells the model the path", () => {
    const home = emptyHome();
    const homes = [1, 2].map(() => {
      const run = prepareProgram(["gemini"], place, { home, cwd: home, env: {} });
      run.cleanUp();
      return run.env["GEMINI_CLI_HOME"];
    });
    expect(homes[1]).toBe(homes[0]);
    const other = prepareProgram(["gemini"], place, {
      home,
      cwd: home,
      env: { GEMINI_CLI_HOME: join(home, "other") },
    });
    expect(other.env["GEMINI_CLI_HOME"]).not.toBe(homes[0]);
  });

  test("F-C3 what gemini-cli wrote in a run that was killed is kept by the next", () => {
    const home = emptyHome();
    const own = join(home, ".gemini");
    const io = { home, cwd: home, env: {} };
    const seen = join(
      prepareProgram(["gemini"], place, io).env["GEMINI_CLI_HOME"] ?? "",
      ".gemini",
    );
    mkdirSync(join(seen, "tmp"));
    writeFileSync(join(seen, "tmp", "chat.json"), "a conversation");
    writeFileSync(join(seen, "state.json"), "of the killed run");
    mkdirSync(own, { recursive: true });
    writeFileSync(join(own, "state.json"), "newer");
    utimesSync(join(seen, "state.json"), 1, 1);
    prepareProgram(["gemini"], place, io);
    expect(readFileSync(join(own, "tmp", "chat.json"), "utf8")).toBe("a conversation");
    expect(readFileSync(join(own, "state.json"), "utf8")).toBe("newer");
    for (const name of ["tmp", "state.json"])
      expect(lstatSync(join(seen, name)).isSymbolicLink()).toBe(true);
  });

  test("a file that gemini-cli still writes when another run ends loses nothing", () => {
    const home = emptyHome();
    const own = join(home, ".gemini", "tmp");
    const io = { home, cwd: home, env: {} };
    const { env, cleanUp } = prepareProgram(["gemini"], place, io);
    const seen = join(env["GEMINI_CLI_HOME"] ?? "", ".gemini", "tmp");
    mkdirSync(seen);
    const file = openSync(join(seen, "chat.json"), "w");
    // The user's own gemini-cli made the same folder meanwhile.
    mkdirSync(own, { recursive: true });
    writeFileSync(join(own, "other.json"), "another conversation");
    cleanUp();
    writeSync(file, "said after that");
    closeSync(file);
    expect(readFileSync(join(own, "chat.json"), "utf8")).toBe("said after that");
    expect(readFileSync(join(own, "other.json"), "utf8")).toBe("another conversation");
    expect(lstatSync(seen).isSymbolicLink()).toBe(true);
  });

  test("two runs of gemini-cli at once share their files, and the end of one harms nothing", () => {
    const home = emptyHome();
    const io = { home, cwd: home, env: {} };
    const first = prepareProgram(["gemini"], place, io);
    const second = prepareProgram(["gemini"], place, io);
    const seen = join(first.env["GEMINI_CLI_HOME"] ?? "", ".gemini");
    writeFileSync(join(seen, "first.json"), "1");
    first.cleanUp();
    expect(readFileSync(join(seen, "first.json"), "utf8")).toBe("1");
    writeFileSync(join(seen, "first.json"), "2");
    second.cleanUp();
    expect(readFileSync(join(home, ".gemini", "first.json"), "utf8")).toBe("2");
  });

  test("F-C5 what gemini-cli makes for the first time, or anew, is kept", () => {
    const home = emptyHome();
    const own = join(home, ".gemini");
    mkdirSync(own);
    writeFileSync(join(own, "state.json"), "old");
    const { env, cleanUp } = prepareProgram(["gemini"], place, { home, cwd: home, env: {} });
    const seen = join(env["GEMINI_CLI_HOME"] ?? "", ".gemini");
    mkdirSync(join(seen, "tmp", "project", "chats"), { recursive: true });
    writeFileSync(join(seen, "tmp", "project", "chats", "one.json"), "a conversation");
    writeFileSync(join(seen, "state.json.new"), "new");
    renameSync(join(seen, "state.json.new"), join(seen, "state.json"));
    cleanUp();
    const kept = readFileSync(join(own, "tmp", "project", "chats", "one.json"), "utf8");
    expect(kept).toBe("a conversation");
    expect(readFileSync(join(own, "state.json"), "utf8")).toBe("new");
    expect(existsSync(join(own, "settings.json"))).toBe(false);
  });

  test("gemini-cli's settings may have comments", () => {
    const home = emptyHome();
    mkdirSync(join(home, ".gemini"));
    const own = '// mine\n{ "proxy": "http://a//b/*c*/", /* \n dark */ "theme": "\\"//" }\n';
    writeFileSync(join(home, ".gemini", "settings.json"), own);
    const { env } = prepareProgram(["gemini"], place, { home, cwd: home, env: {} });
    const seen = join(env["GEMINI_CLI_HOME"] ?? "", ".gemini", "settings.json");
    expect(JSON.parse(readFileSync(seen, "utf8"))).toMatchObject({
      proxy: "http://a//b/*c*/",
      theme: '"//',
    });
  });

  test("gemini-cli's settings that aren't JSON are named, and nothing is left behind", () => {
    const home = emptyHome();
    mkdirSync(join(home, ".gemini"));
    writeFileSync(join(home, ".gemini", "settings.json"), "{broken");
    expect(() => prepareProgram(["gemini"], place, { home, cwd: home, env: {} })).toThrow(
      "is not JSON",
    );
  });

  test("opencode gets a provider by its variable", () => {
    const { env } = prepare(["opencode", "run", "hi"]);
    expect(JSON.parse(env["OPENCODE_CONFIG_CONTENT"] ?? "")).toMatchObject({
      model: "mull/gpt-6-sol",
      provider: { mull: { options: { baseURL: "http://127.0.0.1:4100/v1", apiKey: "mull-key" } } },
    });
  });

  test("pi gets a provider for this run, and no file with a key in it", () => {
    const { args, env } = prepare(["pi", "-p", "hi"]);
    const code = readFileSync(args[args.indexOf("--extension") + 1] ?? "", "utf8");
    expect(code).toContain("pi.registerProvider");
    expect(code).not.toContain("mull-key");
    expect(JSON.parse(env["MULL_PI_PROVIDERS"] ?? "")).toMatchObject({
      mull: { baseUrl: "http://127.0.0.1:4100", models: [{ id: "gpt-6-sol" }] },
    });
    expect(args.slice(-2)).toEqual(["-p", "hi"]);
  });

  test.each(programs.map(({ names }) => names[0] ?? ""))(
    "%s keeps its own models without a ref",
    (name) => {
      const home = emptyHome();
      const { args, env, cleanUp } = prepareProgram(
        [name],
        { ...place, model: undefined },
        { home, cwd: home, env: {} },
      );
      const said = [...args, ...Object.values(env)].join(" ");
      expect(said).toContain("http://127.0.0.1:4100");
      expect(said).not.toContain("gpt-6-sol");
      cleanUp();
    },
  );
});

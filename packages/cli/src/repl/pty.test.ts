import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { says, script } from "@mull/emulator";
import { listen } from "@mull/emulator/node";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { leaveOut } from "../../../../test/left-out.ts";
import { emptyHome } from "../testing/fake-io.ts";
import { ptyChat } from "./testing/pty-chat.ts";

const hasScript = spawnSync("script", ["--version"]).status === 0;
if (!hasScript) leaveOut("terminal");

const everything = join(
  dirname(
    createRequire(import.meta.url).resolve("@modelcontextprotocol/server-everything/package.json"),
  ),
  "dist/index.js",
);

const home = (): Readonly<Record<string, string>> => {
  const folder = emptyHome();
  return {
    HOME: folder,
    XDG_DATA_HOME: join(folder, "data"),
    XDG_CONFIG_HOME: join(folder, "config"),
  };
};

describe.runIf(hasScript)("behind a real pseudo-terminal", { timeout: 60_000 }, () => {
  test("no key: the emulator answers, Ctrl-D leaves with 0 and says how to come back", async () => {
    const chat = ptyChat([], home());
    await chat.sees("? for keys");
    await chat.sees("(simulated)");
    chat.type("What is 23 * 47?\r");
    await chat.sees("1,081");
    await chat.sees(/\$0\.\d{4}/);
    chat.type("\u0004");
    expect(await chat.ended).toBe(0);
    expect(await chat.sees(/mull -r [a-z]+-[a-z]+/)).toBeTruthy();
    expect(chat.raw()).not.toContain("\u001b[2J");
    expect(chat.raw()).not.toContain("\u001b[3J");
  });

  test("kill -9 in the middle of an answer: the next chat goes on with what was finished", async () => {
    const env = home();
    const chat = ptyChat([], env);
    await chat.sees("? for keys");
    chat.type("What is 23 * 47?\r");
    await chat.sees(/1,081[\s\S]*\? for keys$/);
    chat.type(
      "Compare the weather in Rome and Oslo, please, and then tell me about markets today\r",
    );
    await chat.sees(/thinking… |▸ searchWeb/);
    process.kill(await chat.pid(), "SIGKILL");
    await chat.ended;
    const again = ptyChat(["-c"], env);
    await again.sees("2 questions so far");
    await again.sees("/retry asks again");
    again.type("/retry\r");
    await again.sees(/▸ searchWeb .*✓[\s\S]*Source: [\s\S]*\? for keys$/);
    again.type("\u0004");
    expect(await again.ended).toBe(0);
  });

  test("F-C5: no key in arguments, files or what is shown", async () => {
    const env = home();
    const secret = ["sk", "ant", "not", "a", "real", "key", "0123456789"].join("-");
    const chat = ptyChat(["--simulate"], { ...env, ANTHROPIC_API_KEY: secret });
    await chat.sees("? for keys");
    chat.type("What is 2 * 3?\r");
    await chat.sees(/2 \* 3 = 6\.[\s\S]*\? for keys$/);
    const pid = await chat.pid();
    expect(readFileSync(`/proc/${pid}/cmdline`, "utf8")).not.toContain(secret);
    chat.type("/keys\r");
    await chat.sees("anthropic");
    chat.type("\u0004");
    await chat.ended;
    expect(chat.raw()).not.toContain(secret);
    expect(spawnSync("grep", ["-r", secret, env["HOME"] ?? ""]).status).toBe(1);
  });

  test("Ctrl-Z where no shell could continue it: the chat goes on", async () => {
    const chat = ptyChat([], home());
    await chat.sees("(simulated)");
    chat.type("\u001a");
    // The keyboard is the chat's again when it asks for pasted text in brackets once more.
    await vi.waitUntil(() => chat.raw().split("\u001b[?2004h").length === 3, { timeout: 30_000 });
    chat.type("What is 2 * 3?\r");
    await chat.sees(/2 \* 3 = 6/);
    await chat.sees(/2 \* 3 = 6\.[\s\S]*\? for keys$/);
    chat.type("\u0004");
    expect(await chat.ended).toBe(0);
  });

  test.each([
    ["the chat", {}],
    ["labelled lines", { MULL_PLAIN: "1" }],
  ])("F-C5: in %s a key that is typed in is kept, and goes nowhere else", async (_, more) => {
    const env = home();
    const secret = ["hush", "hush", "0123456789"].join("-");
    const chat = ptyChat([], { ...env, ...more });
    await chat.sees(/\? for keys|you:/);
    chat.type("/keys set groq\r");
    await chat.sees("Groq API key (not shown)");
    chat.type(`${secret}\r`);
    await chat.sees("key stored in");
    chat.type("What is 2 * 3?\r");
    await chat.sees(/2 \* 3 = \**6[\s\S]*(?:\? for keys|you:)\s*$/);
    chat.type("/exit\r");
    expect(await chat.ended).toBe(0);
    expect(chat.raw()).not.toContain(secret);
    const { stdout } = spawnSync("grep", ["-rl", secret, env["HOME"] ?? ""], { encoding: "utf8" });
    expect(stdout).toMatch(/^\S+credentials\.json\n$/);
  });

  test("a wrong key in the environment gives way to the one set in the chat, and /retry works", async () => {
    const server = await listen({ scripts: [script({ text: "hello" }, [says("Hello there.")])] });
    onTestFinished(() => server.close());
    const chat = ptyChat([], {
      ...home(),
      ANTHROPIC_BASE_URL: server.url,
      ANTHROPIC_API_KEY: "an-invalid-key",
    });
    await chat.sees("? for keys");
    chat.type("hello\r");
    await chat.sees("Your message is back in the editor.");
    await chat.sees("/keys set anthropic");
    chat.type("/keys set anthropic\r");
    await chat.sees("Anthropic API key (not shown)");
    chat.type("a-good-key\r");
    await chat.sees("This chat uses the new key from now on. /retry asks again.");
    await chat.sees("ANTHROPIC_API_KEY comes first");
    chat.type("/retry\r");
    await chat.sees(/Hello there\.[\s\S]*\? for keys$/);
    chat.type("/keys\r");
    expect(await chat.sees(/anthropic +✓ +\S+credentials\.json/)).not.toContain("wins over");
    chat.type("/exit\r");
    expect(await chat.ended).toBe(0);
  });

  test("F-C5: a key that is pasted together with the command is not asked as a question", async () => {
    const env = home();
    const secret = ["hush", "hush", "0123456789"].join("-");
    const chat = ptyChat([], env);
    await chat.sees("(simulated)");
    chat.type(`/keys set groq\r${secret}\r`);
    await chat.sees("Groq API key (not shown)");
    chat.type("\u0003");
    await chat.sees(/Nothing was changed|key stored in/);
    chat.type("/exit\r");
    expect(await chat.ended).toBe(0);
    expect(chat.raw()).not.toContain(secret);
    const { stdout } = spawnSync("grep", ["-rl", secret, env["HOME"] ?? ""], { encoding: "utf8" });
    expect(stdout).toMatch(/^(?:\S+credentials\.json\n)?$/);
  });

  test("R524: a question asks about a call in typed words: a stray Enter runs nothing, Ctrl-C stops", async () => {
    const words = ["--mcp", `"all='${process.execPath}' '${everything}' stdio"`, "--simulate"];
    const chat = ptyChat([...words, '"Use all_toggle-simulated-logging to begin"'], home());
    await chat.sees(/all_toggle-simulated-logging waits for you[^]*y ⏎ yes/);
    chat.type("\r");
    await chat.sees("y, n or a");
    chat.type("\u0003");
    expect(await chat.ended).toBe(130);
    expect(await chat.sees("■ stopped")).not.toContain("▸ all_toggle");
  });

  test("an MCP server that is slow to start is waited for in words, and Ctrl-C leaves", async () => {
    // It never answers and doesn't notice the end of its input.
    const folder = emptyHome();
    const program = join(folder, "slow.cjs");
    const note = join(folder, "pid");
    const keep = `require("fs").writeFileSync(${JSON.stringify(note)}, String(process.pid))`;
    writeFileSync(program, `${keep}; setInterval(() => {}, 1000);`);
    const chat = ptyChat(["--mcp", `"slow='${process.execPath}' '${program}'"`], home());
    await chat.sees("… starting the MCP servers");
    chat.type("hello\r");
    await chat.sees("▸ queued: hello");
    chat.type("\u0003");
    await chat.sees("Ctrl-C again to leave");
    chat.type("\u0003");
    expect(await chat.ended).toBe(0);
    const pid = Number(readFileSync(note, "utf8"));
    expect(() => process.kill(pid, 0)).toThrow("ESRCH");
  });

  test("MULL_PLAIN: labelled lines, nothing redrawn", async () => {
    const chat = ptyChat([], { ...home(), MULL_PLAIN: "1" });
    await chat.sees("you:");
    chat.type("What is 23 * 47?\r");
    await chat.sees(/answer: .*1,081/);
    await chat.sees(/thinking: thought \d/);
    chat.type("/exit\r");
    expect(await chat.ended).toBe(0);
    // oxlint-disable-next-line no-control-regex -- no escape sequence at all
    expect(chat.raw()).not.toMatch(/\u001b/);
  });
});

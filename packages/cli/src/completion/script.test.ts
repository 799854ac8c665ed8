import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { leaveOut } from "../../../../test/left-out.ts";
import { emptyHome, mull } from "../testing/fake-io.ts";

const isThere = (shell: "bash" | "zsh" | "fish"): boolean => {
  const isFound = spawnSync(shell, ["--version"]).status === 0;
  if (!isFound) leaveOut(shell);
  return isFound;
};

interface Shown {
  /** Where the command was asked. */
  readonly folder: string;
  readonly out: string;
  readonly err: string;
  /** What the command was asked with. */
  readonly asked: readonly string[];
}

interface Trial {
  readonly shell: string;
  /** Runs the script and says what it offers. */
  readonly lines: readonly string[];
  /** What the command answers. */
  readonly answer: string;
}

/** Runs a shell beside the script for it, with a command that notes what it was asked with. */
async function tryIn({ shell, lines, answer }: Trial): Promise<Shown> {
  const folder = emptyHome();
  writeFileSync(join(folder, "completion"), (await mull(["completion", shell])).out);
  writeFileSync(join(folder, "answer"), answer);
  writeFileSync(join(folder, "some file"), "");
  writeFileSync(join(folder, "mull"), `#!/bin/sh\nprintf '[%s]\\n' "$@" >asked\ncat answer\n`);
  chmodSync(join(folder, "mull"), 0o755);
  const { stdout, stderr } = spawnSync(shell, ["-c", lines.join("\n")], {
    cwd: folder,
    env: { PATH: `${folder}:${process.env["PATH"] ?? ""}`, HOME: folder, LC_ALL: "C.UTF-8" },
    encoding: "utf8",
  });
  const asked = spawnSync("cat", ["asked"], { cwd: folder, encoding: "utf8" }).stdout;
  return { folder, out: stdout, err: stderr, asked: asked.split("\n").slice(0, -1) };
}

/** `pieces` are the words as readline cuts them. */
const completeInBash = (pieces: readonly string[], line: string, answer: string): Promise<Shown> =>
  tryIn({
    shell: "bash",
    answer,
    lines: [
      "source ./completion; source ./completion",
      "compopt() { :; }",
      `COMP_WORDS=(${pieces.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${pieces.length - 1}`,
      `COMP_LINE='${line}'; COMP_POINT=\${#COMP_LINE}`,
      `__mull_complete; printf '%s\\n' "\${COMPREPLY[@]}"`,
    ],
  });

describe.runIf(isThere("bash"))("completion in bash", () => {
  test("may be sourced twice and needs no helpers", async () => {
    const { out, err, asked } = await completeInBash(["mull", "pl"], "mull pl", "plan\tsays\n:4\n");
    expect([out, err]).toEqual(["plan\n", ""]);
    expect(asked).toEqual(["[complete]", "[--]", "[pl]"]);
  });

  test("lets the shell offer files where none of ours fits", async () => {
    const { out } = await mull(["completion", "bash"]);
    expect(out).toMatch(/^complete -o default -F __mull_complete mull$/m);
  });

  test("F-C1 hands over what is being typed and runs nothing of it", async () => {
    const { folder, out, err, asked } = await completeInBash(
      ["mull", "$(touch ran)", ""],
      "mull $(touch ran) ",
      "`touch ran`\n:4\n",
    );
    expect(existsSync(join(folder, "ran"))).toBe(false);
    expect([out, err]).toEqual(["\\`touch\\ ran\\`\n", ""]);
    expect(asked).toEqual(["[complete]", "[--]", "[$(touch ran)]", "[]"]);
  });

  test("puts words together that readline cut, and answers with the last piece", async () => {
    const colon = await completeInBash(
      ["mull", "-m", "openai", ":", "gp"],
      "mull -m openai:gp",
      "openai:gpt-6-sol\n:4\n",
    );
    expect(colon.asked).toEqual(["[complete]", "[--]", "[-m]", "[openai:gp]"]);
    expect(colon.out).toBe("gpt-6-sol\n");
    const sign = await completeInBash(
      ["mull", "a", ":", "b", "--level", "="],
      "mull a : b --level=",
      "--level=min\n--level=max\n:4\n",
    );
    expect(sign.asked).toEqual(["[complete]", "[--]", "[a]", "[:]", "[b]", "[--level=]"]);
    expect(sign.out).toBe("min\nmax\n");
  });

  test("understands quotes, and writes what needs them so that it stays one word", async () => {
    const { out, asked } = await completeInBash(
      ["mull", '"a b"', "cost", "my\\ t"],
      'mull "a b" cost my\\ t',
      "my talk\nmy,tale\n:4\n",
    );
    expect(asked).toEqual(["[complete]", "[--]", "[a b]", "[cost]", "[my t]"]);
    expect(out).toBe("my\\ talk\nmy,tale\n");
  });
});

const completeInZsh = (words: string, prefix: string, answer: string): Promise<Shown> =>
  tryIn({
    shell: "zsh",
    answer,
    lines: [
      "compdef() { :; }; compset() { :; }",
      "_files() { print files; }",
      '_describe() { print -r -- $1; print -rl -- "${(@P)3}"; shift 3; print -r -- "rest:${(j:|:)@}" $#; }',
      "source ./completion; source ./completion",
      `words=(mull ${words} '${prefix}'); CURRENT=$#words; PREFIX='${prefix}'; _mull`,
    ],
  });

describe.runIf(isThere("zsh"))("completion in zsh", () => {
  test("keeps words with spaces whole, and shows what is said about a value", async () => {
    const { out, err, asked } = await completeInZsh(
      `'"what is this"' 'my\\ talk'`,
      "-m",
      "openai:gpt-6-sol\tOpenAI: no key\nplain\n:4\n",
    );
    expect(asked).toEqual(["[complete]", "[--]", "[what is this]", "[my talk]", "[-m]"]);
    expect(out).toBe("-V\nopenai\\:gpt-6-sol:OpenAI: no key\nplain\nrest: 0\n");
    expect(err).toBe("");
  });

  test("asks with an empty word behind the command, and puts no space behind a provider", async () => {
    const { out, asked } = await completeInZsh("", "", "ollama:\n:6\n");
    expect(asked).toEqual(["[complete]", "[--]", "[]"]);
    expect(out).toBe("-V\nollama\\:\nrest:-S| 2\n");
  });

  test("offers files where they belong", async () => {
    expect((await completeInZsh("lint", "", ":0\n")).out).toBe("files\n");
  });

  test("starts the completion of a shell that has none yet", async () => {
    const { out, err } = await tryIn({
      shell: "zsh",
      answer: "",
      lines: [
        "autoload() { print loads $@; }",
        "compinit() { compdef() { print knows $@; }; }",
        "source ./completion",
      ],
    });
    expect([out, err]).toEqual(["loads -Uz compinit\nknows _mull mull\n", ""]);
  });
});

const completeInFish = (line: string, answer: string): Promise<Shown> =>
  tryIn({
    shell: "fish",
    answer,
    lines: ["source ./completion", `complete -C ${JSON.stringify(line)}`],
  });

describe.runIf(isThere("fish"))("completion in fish", () => {
  test("keeps words with spaces whole and the order it was given", async () => {
    const { out, err, asked } = await completeInFish(
      "mull 'what is this' -l m",
      "min\nmed\tx\nmax\n:4\n",
    );
    expect(asked).toEqual(["[complete]", "[--]", "[what is this]", "[-l]", "[m]"]);
    expect([out, err]).toEqual(["min\nmed\tx\nmax\n", ""]);
  });

  test("completes the value behind a sign, and does not name the option twice", async () => {
    const { out } = await completeInFish("mull --level=h", "--level=high\n:4\n");
    expect(out).toBe("--level=high\n");
  });

  test("offers files where they belong, and none where they do not", async () => {
    expect((await completeInFish("mull lint some", ":0\n")).out).toContain("some file");
    expect((await completeInFish("mull --file=some", ":0\n")).out).toContain("--file=some file");
    expect((await completeInFish("mull what some", ":4\n")).out).toBe("");
  });
});

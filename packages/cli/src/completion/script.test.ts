import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { emptyHome, mull } from "../testing/fake-io.ts";

const hasBash = spawnSync("bash", ["--version"]).status === 0;
if (!hasBash) console.warn("bash is absent: its completion is not tried");

/** Sources the script twice in a bare bash, completes the words, and prints what it offers. */
async function completeInBash(
  words: readonly string[],
): Promise<{ readonly folder: string; readonly out: string; readonly err: string }> {
  const folder = emptyHome();
  writeFileSync(join(folder, "completion"), (await mull(["completion", "bash"])).out);
  // Stands for the command: says what it was asked with.
  writeFileSync(
    join(folder, "mull"),
    `#!/bin/sh\nprintf '%s\\n' "$#|$*" >asked\necho "plan\tsays"\n`,
  );
  chmodSync(join(folder, "mull"), 0o755);
  const lines = [
    "source ./completion; source ./completion",
    "compopt() { :; }",
    `COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length - 1}`,
    '__mull_complete; echo "${COMPREPLY[@]}"; cat asked',
  ];
  const { stdout, stderr } = spawnSync("bash", ["--norc", "-c", lines.join("\n")], {
    cwd: folder,
    env: { PATH: `${folder}:${process.env["PATH"] ?? ""}` },
    encoding: "utf8",
  });
  return { folder, out: stdout, err: stderr };
}

describe.runIf(hasBash)("completion in bash", () => {
  test("may be sourced twice and needs no helpers", async () => {
    const { out, err } = await completeInBash(["mull", "pl"]);
    expect(err).toBe("");
    expect(out).toBe("plan\n3|complete -- pl\n");
  });

  test("lets the shell offer files where none of ours fits", async () => {
    const { out } = await mull(["completion", "bash"]);
    expect(out).toMatch(/^complete -o default -F __mull_complete mull$/m);
  });

  test("C1 hands over what is being typed and runs nothing of it", async () => {
    const { folder, out, err } = await completeInBash(["mull", "$(touch ran)", ""]);
    expect(existsSync(join(folder, "ran"))).toBe(false);
    expect([out, err]).toEqual(["plan\n4|complete -- $(touch ran) \n", ""]);
  });
});

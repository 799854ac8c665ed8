import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent, textOf } from "mull";
import { describe, expect, onTestFinished, test } from "vitest";
import { crashSeed, report, roundsOf } from "../crash-rounds.ts";
import { filesIn } from "./three-steps.ts";

const vendors = ["claude-opus-5-5/low", "gpt-6-sol/low", "gemini-3.8-flash/low"];

/** Plays on in a process of its own, which kills itself after the event with this number. */
const program = (folder: string): string => `
  import { filesIn, playOn, threeSteps } from ${JSON.stringify(join(import.meta.dirname, "three-steps.ts"))};
  const [model, killAfter] = process.argv.slice(2);
  const fetch = threeSteps();
  const onEvent = (count) => {
    if (count === Number(killAfter)) process.kill(process.pid, "SIGKILL");
  };
  await playOn(model, filesIn(${JSON.stringify(folder)}), fetch, { onEvent });
  process.exitCode = fetch.journal().every(({ verdict }) => verdict !== "refused") ? 0 : 3;
`;

const play = (folder: string, model: string, killAfter: number): Promise<string> => {
  const file = join(folder, "program.mts");
  writeFileSync(file, program(folder));
  const running = spawn(
    process.execPath,
    [
      "--conditions=@mull/source",
      "--import",
      import.meta.resolve("tsx"),
      file,
      model,
      String(killAfter),
    ],
    { stdio: ["ignore", "inherit", "inherit"] },
  );
  return new Promise((resolve, reject) => {
    running.once("error", reject);
    running.once("exit", (code, signal) => resolve(signal ?? String(code)));
  });
};

describe.each(vendors)("R438 kill -9 in a three-step loop of %s", (model) => {
  const rounds = roundsOf("kill of an agent");
  test("the turn is completed, and every tool ran as often as its flag allows", async () => {
    let killed = 0;
    for (let round = 0; round < rounds; round++) {
      const folder = mkdtempSync(join(tmpdir(), "mull-kill-"));
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
      // All of them in the full number; else some that the seed chooses.
      const killAfter = 1 + ((round * 7 + crashSeed() * 3) % 40);
      const ends = [await play(folder, model, killAfter), await play(folder, model, 3)];
      if (ends.at(-1) === "SIGKILL") ends.push(await play(folder, model, 0));
      expect({ killAfter, end: ends.at(-1) }).toEqual({ killAfter, end: "0" });
      killed += ends.filter((end) => end === "SIGKILL").length;
      const files = filesIn(folder);
      const runs = files.runs();
      expect({ killAfter, charges: runs.filter((name) => name === "charge").length }).toEqual({
        killAfter,
        charges: 1,
      });
      expect(new Set(runs)).toEqual(new Set(["read", "charge", "note"]));
      const { messages } = Agent.restore(files.saved()!).history;
      expect(textOf(messages.at(-1))).toBe("All is done.");
    }
    expect(killed).toBeGreaterThan(0);
    report("kill of an agent", rounds, `${model}, ${killed} kills`);
  }, 600_000);
});

import { expect, test } from "vitest";

import { mull } from "../testing/fake-io.ts";
import { createProgress } from "./progress.ts";

test("says how much is done and how long the rest takes, on one row", () => {
  const drawn: string[] = [];
  let ms = 0;
  const progress = createProgress(
    { redraw: (line) => drawn.push(line), now: () => ms, columns: 40 },
    4,
  );
  progress.begin("a");
  ms = 6000;
  progress.done();
  progress.begin("b");
  ms = 300_000;
  progress.done();
  progress.begin("a model with a name that is wider than the row has room for");
  progress.end();
  expect(drawn).toEqual([
    "0 of 4 done · a",
    "",
    "1 of 4 done · about 18 s left · b",
    "",
    "2 of 4 done · about 5 min 0 s left · a ",
    "",
  ]);
});

test.each([
  [["sweep", "2 + 2", "--levels", "none,max"], /^0 of 2 done · claude-opus-5-5\/none$/],
  [["matrix", "--filter", "gpt-6-sol,claude-opus-5-5"], /^0 of 2 done · claude-opus-5-5$/],
])("%s shows it on a terminal, and nothing elsewhere", async (argv, first) => {
  const drawn: string[] = [];
  const redraw = (line: string): void => {
    drawn.push(line);
  };
  const piped = await mull(argv);
  expect(piped.err).not.toContain(" of 2 done");
  await mull(argv, { redraw, terminal: { stderr: true } });
  expect(drawn[0]).toMatch(first);
  expect(drawn).toContainEqual(expect.stringMatching(/^1 of 2 done · about \d+ s left · /));
  expect(drawn.at(-1)).toBe("");
});

test("F-C3 Ctrl-C in a sweep shows what has come so far, and says so once", async () => {
  const stop = new AbortController();
  const redraw = (line: string): void => {
    if (line.startsWith("1 of 2")) stop.abort();
  };
  const argv = ["sweep", "2 + 2", "-m", "claude-opus-5-5", "--levels", "low,max"];
  const { code, out, err } = await mull(argv, { redraw, signal: stop.signal });
  expect(code).toBe(130);
  expect(out).toMatch(/^model.*\nclaude-opus-5-5 +low .*\n$/);
  expect(err).toMatch(/■ stopped: 1 of 2  answers arrived\n$/);
  const early = await mull([...argv, "--json"], { signal: AbortSignal.abort() });
  expect([early.code, early.out, early.err]).toEqual([
    130,
    "",
    "■ stopped: 0 of 2  answers arrived\n",
  ]);
});

import { writeFileSync } from "node:fs";
import { get } from "node:http";
import { join } from "node:path";
import { expect, test } from "vitest";

import { emptyHome, mull } from "../testing/fake-io.ts";

/** Runs the emulator until `use` is done with it. */
async function emulating(
  words: readonly string[],
  home: string,
  use: (env: Record<string, string>) => Promise<void>,
): Promise<number> {
  const end = new AbortController();
  let ready: (lines: string) => void;
  const lines = new Promise<string>((resolve) => {
    ready = resolve;
  });
  const out = (text: string): Promise<void> => {
    ready(text);
    return Promise.resolve();
  };
  const ran = mull(["emulate", ...words], { home, out, signal: end.signal });
  const [, url = ""] = /ANTHROPIC_BASE_URL=(\S+)/.exec(await lines) ?? [];
  await use({ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: "loopback" });
  end.abort();
  return (await ran).code;
}

test("issue 6.3: emulate answers by script and fails as told", async () => {
  const home = emptyHome();
  const scripts = [{ when: { text: "weather" }, turns: [[{ says: "Sunny." }]] }];
  writeFileSync(join(home, "scripts.json"), JSON.stringify(scripts));
  const code = await emulating(["--scripts", "scripts.json"], home, async (env) => {
    expect((await mull(["the weather?"], { env })).out).toBe("Sunny.");
  });
  expect(code).toBe(0);
  await emulating(["--faults", "status=400"], home, async (env) => {
    expect((await mull(["--fail", "hi"], { env })).code).toBe(5);
  });
});

test("F-W21: emulate answers for the names it is given, and for no other", async () => {
  await emulating(["--host-name", "box", "--host-name", "emulator"], emptyHome(), async (env) => {
    const statusFor = (host: string): Promise<number> =>
      new Promise((resolve, reject) => {
        get(`${env["ANTHROPIC_BASE_URL"]}/__mull/health`, { headers: { host } }, (response) => {
          response.resume();
          resolve(response.statusCode ?? 0);
        }).on("error", reject);
      });
    expect(await Promise.all(["box:8787", "emulator", "other"].map(statusFor))).toEqual([
      200, 200, 421,
    ]);
  });
});

test.each([
  [["--faults", "sometimes"], /fault: "sometimes" is not understood\. Known: latency/],
  [["--scripts", "nowhere.json"], /Cannot read nowhere\.json/],
  [["--scripts", "wrong.json"], /✗ .{10}/],
  [["--host", "0.0.0.0"], /--host: "0\.0\.0\.0" is not loopback[^]*add --allow-remote/],
])("bad input: emulate %j is one sentence and 2", async (words, expected) => {
  const home = emptyHome();
  writeFileSync(join(home, "wrong.json"), '[{"turns": 1}]');
  const { code, out, err } = await mull(["emulate", ...words], { home });
  expect(code).toBe(2);
  expect(out).toBe("");
  expect(err).toMatch(expected);
});

import { mkdtempSync, rmSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, describe, expect, test } from "vitest";

import type { Fetch, Mode } from "./fetch.ts";
import { readCassette } from "./read-cassette.ts";
import { scanForSecrets } from "./scan.ts";
import { showCassette } from "./show.ts";
import { makeDirectory } from "./testing/loopback.ts";
import { chooseMode, vcr } from "./vcr.ts";
import { useCassette } from "./vitest.ts";

const url = "https://api.example.test/v1";

const countingFetch = (): { readonly fetch: Fetch; readonly count: () => number } => {
  let calls = 0;
  return {
    count: () => calls,
    fetch: async (_, init) => {
      calls += 1;
      return new Response(`answer ${calls} to ${await new Response(init?.body ?? "").text()}`);
    },
  };
};

const ask = async (fetch: Fetch, body: string): Promise<string> =>
  (await fetch(url, { method: "POST", body })).text();

const line = (content: string, more: object = {}): string =>
  `${JSON.stringify({ _chunk: content, ...more })}\n`;

describe("modes", () => {
  test.each([
    [{}, "replay"],
    [{ VCR_RECORD: "" }, "replay"],
    [{ VCR_RECORD: "0" }, "replay"],
    [{ VCR_RECORD: "1" }, "record"],
    [{ VCR_MODE: "refresh", VCR_RECORD: "1" }, "refresh"],
    [{ VCR_MODE: "passthrough" }, "passthrough"],
  ])("R268 R269 %j chooses %s", (env, mode) => {
    expect(chooseMode(env)).toBe(mode);
  });

  test("an unknown mode is refused with the allowed ones", () => {
    expect(() => chooseMode({ VCR_MODE: "live" })).toThrow(
      "VCR_MODE: live is not allowed. Allowed: replay record refresh passthrough",
    );
    expect(() => vcr("any", { mode: "live" as Mode })).toThrow("mode: live is not allowed.");
  });

  test("R268 R269 record, replay, refresh and passthrough by name", async () => {
    const directory = await makeDirectory();
    const { fetch, count } = countingFetch();
    const open = (env: Readonly<Record<string, string>>): ReturnType<typeof vcr> =>
      vcr("vendor/turns", { directory, fetch, env });

    const recording = open({ VCR_RECORD: "1" });
    expect(await ask(recording, "a")).toBe("answer 1 to a");
    expect(await ask(recording, "b")).toBe("answer 2 to b");
    await recording.done();

    const replay = open({});
    expect(await ask(replay, "b")).toBe("answer 2 to b");
    expect(await ask(replay, "a")).toBe("answer 1 to a");
    await replay.done();
    expect(count()).toBe(2);

    const refreshing = open({ VCR_MODE: "refresh" });
    expect(await ask(refreshing, "c")).toBe("answer 3 to c");
    expect(await ask(refreshing, "b")).toBe("answer 2 to b");
    await refreshing.done();
    const { exchanges } = readCassette(join(directory, "vendor", "turns.jsonl"));
    expect(exchanges.map(({ request }) => request.text)).toEqual(["c", "b"]);

    const before = await readFile(join(directory, "vendor", "turns.jsonl"), "utf8");
    const through = open({ VCR_MODE: "passthrough" });
    expect(await ask(through, "a")).toBe("answer 4 to a");
    await through.done();
    expect(await readFile(join(directory, "vendor", "turns.jsonl"), "utf8")).toBe(before);
  });

  test("F-V1 keys in the environment are hidden by value", async () => {
    const directory = await makeDirectory();
    const env = { SOME_VENDOR_API_KEY: "plain-looking-words", VCR_RECORD: "1" };
    const { fetch } = countingFetch();
    const recording = vcr("env", { directory, env, fetch });
    await ask(recording, "say plain-looking-words");
    await recording.done();
    expect(await readFile(join(directory, "env.jsonl"), "utf8")).not.toContain("plain-looking");
  });

  test("`await using` ends a cassette", async () => {
    const directory = await makeDirectory();
    const cassette = join(directory, "using.jsonl");
    {
      await using recording = vcr(cassette, { mode: "record", fetch: countingFetch().fetch });
      await ask(recording, "a");
    }
    expect(readCassette(cassette).exchanges).toHaveLength(1);
  });
});

describe("useCassette", () => {
  const directory = mkdtempSync(join(tmpdir(), "mull-vcr-"));
  afterAll(() => {
    readCassette(join(directory, "shared.jsonl"));
    rmSync(directory, { recursive: true });
  });
  const shared = useCassette(join(directory, "shared.jsonl"), {
    mode: "record",
    fetch: countingFetch().fetch,
  });

  test("one line for a whole suite", async () => {
    expect(await ask(shared, "a")).toBe("answer 1 to a");
  });

  test("one line in a test", async () => {
    const file = join(await makeDirectory(), "own.jsonl");
    const fetch = useCassette(file, { mode: "record", fetch: countingFetch().fetch });
    expect(await ask(fetch, "a")).toBe("answer 1 to a");
  });
});

describe("R380 F-X2 scan", () => {
  const key = ["AI", "za", "Sy", "0123456789".repeat(3), "abcde"].join("");

  test("a planted secret is found with file and line, and not printed", async () => {
    const directory = await makeDirectory();
    await mkdir(join(directory, "deep"));
    await writeFile(join(directory, "clean.jsonl"), '{"fine":true}\n');
    await writeFile(join(directory, "deep", "bad.txt"), `one\ntwo ${key}\n`);
    const findings = await scanForSecrets([directory]);
    expect(findings).toEqual([
      {
        file: join(directory, "deep", "bad.txt"),
        line: 2,
        kind: "Google key",
        hint: `AIza… (${key.length} characters)`,
      },
    ]);
    expect(JSON.stringify(findings)).not.toContain(key);
  });

  test("a secret over two deliveries, or in base64, is found too", async () => {
    const directory = await makeDirectory();
    const base64 = Buffer.from(`x ${key} \u00ff`, "latin1").toString("base64");
    await writeFile(
      join(directory, "spread.jsonl"),
      `{}\n${line(`x ${key.slice(0, 9)}`)}${line(key.slice(9))}{"_end":{}}\n${line(base64, { encoding: "base64" })}`,
    );
    const findings = await scanForSecrets([join(directory, "spread.jsonl")]);
    expect(findings.map(({ line: at, kind }) => [at, kind])).toEqual([
      [2, "Google key"],
      [5, "Google key"],
    ]);
  });

  test("values can be given, and a path that is not there is an error", async () => {
    const directory = await makeDirectory();
    await writeFile(join(directory, "a.txt"), "open sesame!");
    const findings = await scanForSecrets([directory], { secrets: ["open sesame!"] });
    expect(findings.map(({ kind }) => kind)).toEqual(["known secret"]);
    await expect(scanForSecrets([join(directory, "none")])).rejects.toMatchObject({
      code: "bad-option",
    });
  });
});

describe("show", () => {
  test("lists exchanges, bodies on request, control characters made visible", async () => {
    const file = join(await makeDirectory(), "show.jsonl");
    const recording = vcr(file, {
      mode: "record",
      now: () => 0,
      date: () => new Date(0),
      fetch: async () =>
        new Response("\u001B[2Jhello", { headers: { "content-type": "text/plain" } }),
    });
    await ask(recording, '{"a":1}');
    await recording.done();
    expect(showCassette(file)).toBe(
      `${file}: 1 exchange, recorded 1970-01-01T00:00:00.000Z
1. line 2: POST ${url} -> 200 text/plain, 1 delivery, 9 bytes, 0 ms`,
    );
    expect(showCassette(file, { bodies: true })).toContain(
      '   > {\n   >   "a": 1\n   > }\n   < \\u001b[2Jhello',
    );
  });
});

import { spawn } from "node:child_process";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

import { describe, expect, test } from "vitest";

import { readCassette } from "./read-cassette.ts";
import { record } from "./record.ts";
import { makeDirectory } from "./testing/loopback.ts";

const child = (cassette: string): string => `
  import { record } from ${JSON.stringify(new URL("record.ts", import.meta.url).href)};
  const fetch = async () => new Response(new ReadableStream({
    pull: (controller) => controller.enqueue(new Uint8Array(64 * 1024).fill(120)),
  }));
  const live = record({ fetch, cassette: ${JSON.stringify(cassette)} });
  const reader = (await live("https://api.example.test/v1")).body.getReader();
  for (let count = 0; ; count += 1) {
    await reader.read();
    if (count === 32) process.stdout.write("recording");
  }
`;

const killWhileRecording = async (script: string): Promise<string | null> => {
  const tsx = pathToFileURL(
    fileURLToPath(new URL("../../../node_modules/tsx/dist/loader.mjs", import.meta.url)),
  ).href;
  const running = spawn(process.execPath, ["--import", tsx, script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  running.stdout.once("data", () => running.kill("SIGKILL"));
  return new Promise((resolve, reject) => {
    running.once("error", reject);
    running.once("exit", (_, signal) => resolve(signal));
  });
};

describe("F-V6 a process killed while recording", () => {
  test("leaves the old cassette whole, and no half one under its name", async () => {
    const directory = await makeDirectory();
    const cassette = join(directory, "kept.jsonl");
    const live = record({ cassette, fetch: async () => new Response("old") });
    await live("https://api.example.test/v1");
    await live.done();
    const before = await readFile(cassette, "utf8");

    const script = join(directory, "child.mts");
    await writeFile(script, child(cassette));
    expect(await killWhileRecording(script)).toBe("SIGKILL");
    expect(await readFile(cassette, "utf8")).toBe(before);
    expect(readCassette(cassette).exchanges).toHaveLength(1);
    const cassettes = (await readdir(directory)).filter((name) => name.endsWith(".jsonl"));
    expect(cassettes).toEqual(["kept.jsonl"]);
  });

  test("leaves nothing under the name where there was none", async () => {
    const directory = await makeDirectory();
    const script = join(directory, "child.mts");
    await writeFile(script, child(join(directory, "new.jsonl")));
    expect(await killWhileRecording(script)).toBe("SIGKILL");
    expect(await readdir(directory)).not.toContain("new.jsonl");
  });
});

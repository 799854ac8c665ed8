import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { emptyHome, mull } from "../testing/fake-io.ts";

describe("a cassette that refuses is the whole story", () => {
  test("F-V4: replay names what differs, once, and does not try again", async () => {
    const home = emptyHome();
    const cassette = join(home, "sums", "one.jsonl");
    expect(await mull(["record", cassette, "What is 2 + 2?"], { home })).toMatchObject({ code: 0 });
    const { code, out, err } = await mull(["replay", cassette, "What is 3 + 3?"], { home });
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(/^✗ No recorded exchange answers POST [^]*What is 3 \+ 3\?/);
    expect(err.match(/✗/g)).toHaveLength(1);
    const same = await mull(["replay", cassette, "What is 2 + 2?"], { home });
    expect(same).toMatchObject({ code: 0, out: expect.stringContaining("4") });
  });

  test("what sends nothing needs no key: replay and --plan, beside the key of another vendor", async () => {
    const home = emptyHome();
    const cassette = join(home, "one.jsonl");
    const question = ["-m", "claude-opus-5-5", "What is 2 + 2?"];
    await mull(["record", cassette, ...question], { home });
    const env = { OPENAI_API_KEY: "open-sesame" };
    expect(await mull(question, { home, env })).toMatchObject({ code: 3 });
    const replayed = await mull(["replay", cassette, ...question], { home, env });
    expect(replayed).toMatchObject({ code: 0, out: expect.stringContaining("4") });
    const planned = await mull(["--plan", ...question], { home, env });
    expect(planned).toMatchObject({ code: 0, out: expect.stringContaining("output_config") });
  });

  test("record: a place that takes no file is named at once, and nothing is left behind", async () => {
    const home = emptyHome();
    writeFileSync(join(home, "file"), "");
    const places = [join(home, "file", "one.jsonl")];
    // A folder that calls every new entry missing: Node's own recursive mkdir never returns there.
    if (existsSync("/proc/self")) places.push("/proc/mull/one.jsonl");
    for (const place of places) {
      const { code, out, err } = await mull(["record", place, "What is 2 + 2?"], { home });
      expect({ code, out }).toEqual({ code: 2, out: "" });
      expect(err).toContain(`✗ ${place}: no cassette can be written there (`);
      expect(err).not.toContain("connection");
    }
    expect(readdirSync(home).filter((name) => name.includes("recording"))).toEqual([]);
  });
});

describe("F-V1: a key that is kept is as secret as one in a variable", () => {
  const key = "kept-and-secret-0815";

  test("record hides it where a service repeats it, and vcr scan finds it", async () => {
    const server = createServer((_request, response) => {
      response.writeHead(401, { "content-type": "application/json" });
      response.end(JSON.stringify({ error: { message: `Incorrect API key: ${key}.` } }));
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const home = emptyHome();
    const env = { OPENAI_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
    await mull(["keys", "set", "openai"], { home, stdin: key });
    const cassette = join(home, "one.jsonl");
    const { code } = await mull(["record", cassette, "-m", "gpt-6-sol", "hi"], { home, env });
    await new Promise((done) => server.close(done));
    expect(code).toBe(3);
    expect(readFileSync(cassette, "utf8")).toContain("Incorrect API key");
    expect(readFileSync(cassette, "utf8")).not.toContain(key);
    expect((await mull(["vcr", "scan", cassette], { home })).out).toBe("clean\n");
    writeFileSync(join(home, "log.txt"), `sent ${key}`);
    expect((await mull(["vcr", "scan", "log.txt"], { home })).code).toBe(1);
  });

  test("a cassette that is not there says which command makes it", async () => {
    const { code, err } = await mull(["replay", "none.jsonl", "hi"]);
    expect(code).toBe(2);
    expect(err).toContain("this cassette does not exist yet. Record it with mull record.");
  });

  test("completion puts its models first", async () => {
    const home = emptyHome();
    await mull(["keys", "set", "openai"], { home, stdin: key });
    const { out } = await mull(["complete", "--", "-m", "gpt-6-s"], { home });
    expect(out).toMatch(/^gpt-6-sol\tOpenAI\n/);
  });
});

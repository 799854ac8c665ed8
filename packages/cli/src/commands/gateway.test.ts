import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { hashKey } from "@mull/gateway";
import { describe, expect, test } from "vitest";

import { emptyHome, jsonLines, mull } from "../testing/fake-io.ts";
import { askClaude, serveGateway, type ServedGateway } from "../testing/serve-gateway.ts";

/** With the emulator behind it. */
const serve = (
  argv: readonly string[] = [],
  env: Record<string, string> = {},
  home?: string,
): Promise<ServedGateway> => serveGateway(["--simulate", ...argv], env, home);

describe("mull gateway", () => {
  test("lets another vendor's model answer under the name that was asked for", async () => {
    const { url, stop } = await serve(["--model", "gpt-6-sol/high"]);
    const answer = await askClaude(url, "claude-opus-5-5");
    const body = (await answer.json()) as { model: string };
    expect(body.model).toBe("claude-opus-5-5");
    expect(JSON.stringify(body)).toContain("1,081");
    const { code, err } = await stop();
    expect(code).toBe(0);
    expect(err).toMatch(/200 claude-opus-5-5 → gpt-6-sol\/high · .* in, .* out · \$/);
  });

  test("an address for other machines has the name that they use, or says that it needs one", async () => {
    const keys = { MULL_GATEWAY_KEYS: "a key" };
    const anywhere = ["--host", "0.0.0.0"];
    const named = await serve([...anywhere, "--host-name", "mill.example"], keys);
    expect(named.url).toMatch(/^http:\/\/mill\.example:\d+$/);
    expect((await named.stop()).err).not.toContain("--host-name");
    const unnamed = await serve(anywhere, keys);
    expect((await unnamed.stop()).err).toContain("name this one: --host-name NAME");
  });

  test("maps names, from options and from a file, and options win", async () => {
    const home = emptyHome();
    const config = join(home, "gateway.json");
    const map = { "claude-haiku-*": "gemini-3.8-flash/low", "claude-*": "gpt-6-sol" };
    writeFileSync(config, JSON.stringify({ model: "claude-opus-5-5", map }));
    const own = ["claude-opus-*=gemini-3.8-flash/high", "claude-haiku-*=gemini-3.8-flash/high"];
    const options = ["--config", config, ...own.flatMap((pair) => ["--map", pair])];
    const { url, stop } = await serve(options, {}, home);
    for (const name of ["claude-haiku-4-5", "claude-sonnet-5-5", "claude-opus-5-5"])
      await (await askClaude(url, name)).text();
    const { err } = await stop();
    expect(err).toContain("claude-haiku-4-5 → gemini-3.8-flash/high");
    expect(err).toContain("claude-sonnet-5-5 → gpt-6-sol");
    expect(err).toContain("claude-opus-5-5 → gemini-3.8-flash/high");
  });

  test("F-C5 keeps receipts as JSON lines without what was said, and exchanges without keys", async () => {
    const home = emptyHome();
    const options = ["--model", "gpt-6-sol", "--log", join(home, "log.jsonl"), "--record", "tapes"];
    const { url, stop } = await serve(options, {}, home);
    await (await askClaude(url, "any", { "x-api-key": "a-client's-very-own-key" })).text();
    await stop();
    const log = readFileSync(join(home, "log.jsonl"), "utf8");
    expect(jsonLines(log)).toMatchObject([{ asked: "any", model: "gpt-6-sol", status: 200 }]);
    expect(log).not.toContain("23 * 47");
    expect(statSync(join(home, "log.jsonl")).mode & 0o077).toBe(0);
    const [tape = ""] = readdirSync(join(home, "tapes"));
    expect(statSync(join(home, "tapes", tape)).mode & 0o077).toBe(0);
    const shown = await mull(["vcr", "show", join(home, "tapes", tape), "--bodies"], { home });
    expect(shown.out).toContain("23 * 47");
    expect(shown.out).not.toContain("very-own-key");
  });

  test("mull replay answers from the cassette that it wrote", async () => {
    const home = emptyHome();
    const { url, stop } = await serve(["--model", "gpt-6-sol/high", "--record", "tapes"], {}, home);
    const asked = await fetch(`${url}/v1/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        model: "any",
        messages: [{ role: "user", content: "What is 23 * 47?" }],
      }),
    });
    expect(await asked.text()).toContain("1,081");
    await stop();
    const [tape = ""] = readdirSync(join(home, "tapes"));
    const line = ["replay", join(home, "tapes", tape), "-m", "gpt-6-sol/high"];
    const played = await mull([...line, "What is 23 * 47?"], { home });
    expect({ ...played, out: played.out.includes("1,081") }).toMatchObject({ code: 0, out: true });
    const other = await mull([...line, "What is 24 * 47?"], { home });
    expect(other.code).toBe(2);
    expect(other.err).toContain("No recorded exchange");
  });

  test("asks for one of MULL_GATEWAY_KEYS, plain or hashed, where they are set", async () => {
    const keys = `first-key, ${await hashKey("second-key")}`;
    const { url, stop } = await serve([], { MULL_GATEWAY_KEYS: keys });
    const statuses = await Promise.all(
      ["first-key", "second-key", "third-key"].map(async (key) => {
        const answer = await askClaude(url, "claude-opus-5-5", { "x-api-key": key });
        await answer.text();
        return answer.status;
      }),
    );
    expect(statuses).toEqual([200, 200, 401]);
    expect((await stop()).err).not.toContain("first-key");
  });

  test("counts for Prometheus", async () => {
    const { url, stop } = await serve();
    await (await askClaude(url, "claude-opus-5-5")).text();
    expect(await (await fetch(`${url}/metrics`)).text()).toMatch(
      /^mull_gateway_requests_total\{.*\} 1$/m,
    );
    await stop();
  });

  test("a log that can no longer be written is told once, and answers go on", async () => {
    const home = emptyHome();
    const log = join(home, "logs", "log.jsonl");
    const { url, stop } = await serve(["--model", "gpt-6-sol", "--log", log], {}, home);
    rmSync(log);
    mkdirSync(log);
    for (const _ of [1, 2]) expect((await askClaude(url, "any")).status).toBe(200);
    const { err } = await stop();
    expect(err.split("--log: cannot write")).toHaveLength(2);
    expect(err).toContain("log.jsonl: it is a folder");
  });

  test.each([
    [["--host", "0.0.0.0"], "is not loopback"],
    [["--port", "70000"], "Allowed: 0 to 65535"],
    [["--model", "gpt-6-sol/loud"], "level"],
    [["--map", "claude-opus"], "Allowed: NAME=REF"],
    [["--config", "nowhere.json"], "there is no such file"],
    [["--fallback", "claude-opus-5-5/"], ""],
  ])("refuses %j before it listens", async (options, message) => {
    const { code, err, out } = await mull(["gateway", "--simulate", ...options]);
    expect(code).toBe(2);
    expect(err).toContain(message);
    expect(out).toBe("");
  });

  test.each([
    ["[]", "not a JSON object of settings"],
    ['{"modle": "x"}', "Did you mean model?"],
    ['{"fallback": "claude-opus-5-5"}', "Allowed: a list of model refs"],
    [
      '{"map": {"a": 1}}',
      'map: {"a":1} is not allowed. Allowed: an object of names and model refs',
    ],
  ])("refuses the file %s", async (text, message) => {
    const home = emptyHome();
    writeFileSync(join(home, "own.json"), text);
    const { code, err } = await mull(["gateway", "--simulate", "--config", "own.json"], { home });
    expect(code).toBe(2);
    expect(err).toContain(message);
  });
});

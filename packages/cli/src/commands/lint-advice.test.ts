import { describe, expect, test } from "vitest";

import { mull } from "../testing/fake-io.ts";

describe("lint gives advice", () => {
  const advised = JSON.stringify({
    model: "claude-opus-4-6",
    max_tokens: 8000,
    thinking: { type: "enabled", budget_tokens: 2048 },
    messages: [{ role: "user", content: "Hi" }],
  });
  const argv = ["lint", "--wire", "anthropic"];

  test("advice is printed, and the exit code is 0", async () => {
    const json = await mull(argv, { stdin: advised });
    expect(json.code).toBe(0);
    expect(JSON.parse(json.out)).toMatchObject({
      ok: true,
      findings: [{ rule: "anthropic/advice-budget", severity: "advice" }],
    });
    const lines = await mull(argv, {
      stdin: advised,
      terminal: { stdout: true },
      env: { NO_COLOR: "1" },
    });
    expect(lines.code).toBe(0);
    expect(lines.out).toMatch(/^advice thinking  anthropic\/advice-budget\n/);
    expect(lines.out).toContain("0 errors · 0 warnings · 1 advice · ");
    expect(lines.out).toContain("--body --advice prints the repaired request");
  });

  test("on a terminal its words are not cut, and a repaired body is whole", async () => {
    const { out } = await mull([...argv, "--fix", "--advice"], {
      stdin: advised,
      terminal: { stdout: true },
      columns: 40,
      env: { NO_COLOR: "1" },
    });
    const [words = "", body] = out.split(/(?=^\{)/m);
    for (const line of words.split("\n"))
      expect(line.length <= 40 || !line.trim().includes(" ")).toBe(true);
    expect(JSON.parse(body ?? "")).toMatchObject({ thinking: { type: "adaptive" } });
  });

  test("--body follows it only with --advice", async () => {
    const kept = await mull([...argv, "--body"], { stdin: advised });
    expect(JSON.parse(kept.out)).toEqual(JSON.parse(advised));
    const followed = await mull([...argv, "--body", "--advice"], { stdin: advised });
    expect(JSON.parse(followed.out).thinking).toEqual({ type: "adaptive" });
    expect([kept.code, followed.code]).toEqual([0, 0]);
  });
});

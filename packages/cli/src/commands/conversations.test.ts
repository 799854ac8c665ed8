import { appendFileSync, mkdirSync, readdirSync, utimesSync } from "node:fs";
import { join } from "node:path";

import { jsonlConversation } from "@mull/store/jsonl";
import { afterEach, expect, test, vi } from "vitest";

import { emptyHome, mull } from "../testing/fake-io.ts";

afterEach(() => {
  vi.unstubAllEnvs();
});

test("the list has the reader's own time, JSON that of Greenwich, and no half characters", async () => {
  vi.stubEnv("TZ", "Asia/Tokyo");
  const home = emptyHome();
  await mull([`${"x".repeat(59)}👍 and more`], { home });
  const folder = join(home, ".local/share/mull/conversations");
  const file = readdirSync(folder).find((name) => name.endsWith(".jsonl")) ?? "";
  const changed = new Date("2026-11-15T22:31:00Z");
  utimesSync(join(folder, file), changed, changed);
  const { out } = await mull(["conversations"], { home });
  expect(out).toMatch(/ 2026-11-16 07:31 .* x{59}👍\n$/u);
  const [row] = JSON.parse((await mull(["conversations", "--json"], { home })).out);
  expect(row.changedAt).toBe("2026-11-15T22:31:00.000Z");
});

test("a folder that is called like a conversation is none, and hides none", async () => {
  const home = emptyHome();
  await mull(["hello"], { home });
  mkdirSync(join(home, ".local/share/mull/conversations/folder.jsonl"));
  const { code, out } = await mull(["conversations"], { home });
  expect(code).toBe(0);
  expect(out.trim().split("\n")).toHaveLength(2);
  expect((await mull(["-c", "hello again"], { home })).code).toBe(0);
});

test.each([[[]], [["--no-save"]]])(
  "F-D9: going on with a damaged file says so %j",
  async (more) => {
    const home = emptyHome();
    await mull(["hello"], { home });
    const folder = join(home, ".local/share/mull/conversations");
    const file = readdirSync(folder).find((name) => name.endsWith(".jsonl")) ?? "";
    appendFileSync(join(folder, file), "no JSON\n");
    const { code, err } = await mull(["-c", ...more, "What is 2 + 2?"], { home });
    expect(code).toBe(0);
    expect(err).toContain("⚠ 1 line of the file could not be read; the rest is sent.\n");
  },
);

test("show prints questions, tools and answers, and refuses --json instead of passing it over", async () => {
  const home = emptyHome();
  await mull(["-t", "searchWeb", "--simulate", "What about the markets today?"], { home });
  const { out } = await mull(["conversations", "show"], { home });
  expect(out).toMatch(/^you: What about the markets today\?\n(?:tool: searchWeb ✓.*\n)+answer: \S/);
  for (const verb of ["show", "remove"]) {
    const { code, err } = await mull(["conversations", verb, "x", "--json"], { home });
    expect(code).toBe(2);
    expect(err).toContain("mull conversations export NAME");
  }
});

test("a conversation that is open in a chat is not removed; a damaged one is", async () => {
  const home = emptyHome();
  await mull(["hello"], { home });
  const folder = join(home, ".local/share/mull/conversations");
  const file = readdirSync(folder).find((name) => name.endsWith(".jsonl")) ?? "";
  const open = await jsonlConversation(join(folder, file));
  const name = file.replace(".jsonl", "");
  expect(await mull(["conversations", "remove", name], { home })).toMatchObject({
    code: 2,
    err: `✗ ${name} is open in another chat.\n  Close it there first.\n`,
  });
  await open.close();
  appendFileSync(join(folder, file), "no JSON\n");
  expect((await mull(["conversations", "remove", name], { home })).code).toBe(0);
  expect(readdirSync(folder).filter((each) => each.startsWith(name))).toEqual([]);
});

import { mkdtemp, readdir, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { calls, says, script } from "@mull/emulator";
import { mcpTools, type McpTools } from "@mull/mcp";
import { tool } from "mull";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ask, keepPicture, openStage, scan, waitForAnswers, type Stage } from "./harness.ts";
import { inChromium } from "./in-chromium.ts";

const paid: number[] = [];
const pay = tool<{ readonly sum: number }>({
  name: "pay",
  input: { type: "object", properties: { sum: { type: "number" } }, required: ["sum"] },
  needsApproval: true,
  run: ({ sum }) => {
    paid.push(sum);
    return `${sum} paid`;
  },
});

const focusedLabel = (page: Page): Promise<string | null | undefined> =>
  page.evaluate(() => document.activeElement?.getAttribute("aria-label"));

describe.runIf(inChromium)("a tool call that waits for a person", { timeout: 90_000 }, () => {
  let stage: Stage;
  beforeAll(async () => {
    const both = [
      calls("pay", { sum: 5 }, { id: "five" }),
      calls("pay", { sum: 7 }, { id: "seven" }),
    ];
    stage = await openStage({ tools: [pay], scripts: [script({}, both, [says("Settled.")])] });
  }, 60_000);
  afterAll(() => stage?.close());

  it("R528: the page asks, also when it is opened again, and goes on in the same answer", async () => {
    const { page, complaints } = await stage.visit();
    await ask(page, "Pay both bills.");
    const cards = page.getByRole("form", { name: "May pay run?" });
    await cards.nth(1).waitFor();
    expect(await cards.allTextContents()).toEqual([
      expect.stringContaining('"sum": 5'),
      expect.stringContaining('"sum": 7'),
    ]);
    await page.reload();
    await cards.nth(1).waitFor();
    await cards.first().getByRole("button", { name: "Yes, run it" }).click();
    await cards.nth(1).waitFor({ state: "detached" });
    expect(paid).toEqual([]);
    await page.getByText("pay will run once you have decided about the rest.").waitFor();
    expect(await focusedLabel(page)).toBe("Yes, run it");
    await page.reload();
    await cards.first().getByText('"sum": 7').waitFor();
    expect(await cards.count()).toBe(1);
    await cards.first().getByLabel("Why not").fill("too dear");
    await cards.first().getByRole("button", { name: "No" }).click();
    await page.locator(".answer").getByText("Settled.").waitFor();
    await waitForAnswers(page, 1);
    expect(paid).toEqual([5]);
    expect(await cards.count()).toBe(0);
    const states = page.locator(".tool .status");
    expect(await states.allTextContents()).toEqual([
      expect.stringContaining("✓"),
      expect.stringContaining("refused"),
    ]);
    expect(JSON.stringify(stage.journal().at(-1)?.body)).toContain("too dear");
    expect(complaints).toEqual([]);
  });
});

describe.runIf(inChromium)("a tool of an MCP server", { timeout: 90_000 }, () => {
  let stage: Stage;
  let mcp: McpTools;
  let folder = "";
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "mull-approval-"));
    const find = createRequire(import.meta.url);
    const program = find.resolve("@modelcontextprotocol/server-filesystem/dist/index.js");
    mcp = await mcpTools(
      { files: { command: process.execPath, args: [program, folder] } },
      { approval: "writes", startMs: 60_000 },
    );
    const write = (name: string): ReturnType<typeof calls> =>
      calls("files_write_file", { path: join(folder, name), content: name }, { id: name });
    stage = await openStage({
      tools: mcp.tools,
      scripts: [
        script({ text: "one" }, [write("one.txt")], [says("One is written.")]),
        script({ text: "two" }, [write("two.txt")], [says("Then not.")]),
        script({ text: "pair" }, [write("three.txt"), write("four.txt")], [says("Half is done.")]),
        script({ text: "drop" }, [write("five.txt")], [says("Unreachable.")]),
        script({ text: "weather" }, [says("Sunny.")]),
      ],
    });
  }, 60_000);
  afterAll(async () => {
    await stage?.close();
    await mcp?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it("R528: writes when it may, and only then; says so to eyes and ears", async () => {
    const { page, complaints, context } = await stage.visit({ theme: "dark" });
    const cards = page.getByRole("form", { name: "May files_write_file run?" });
    const yes = cards.first().getByRole("button", { name: "Yes, run it" });
    const said = page.locator(".answer");
    const heard = page.locator('.spoken[role="status"]').last();
    await ask(page, "Write one");
    await yes.waitFor();
    expect(await readdir(folder)).toEqual([]);
    await expect.poll(() => heard.innerText()).toContain("May files_write_file run?");
    expect(await heard.innerText()).not.toContain("Done");
    expect(await scan(page)).toEqual([]);
    await keepPicture(page, "approval-mcp-dark");
    await yes.click();
    await said.getByText("One is written.").waitFor();
    expect(await readdir(folder)).toEqual(["one.txt"]);

    await ask(page, "Write two");
    await cards.first().getByLabel("Why not").fill("Not today.");
    await page.keyboard.press("Enter");
    await said.getByText("Then not.").waitFor();

    await ask(page, "Write a pair");
    await cards.nth(1).waitFor();
    await yes.click();
    await cards.nth(1).waitFor({ state: "detached" });
    await page.reload();
    await cards.first().getByText("four.txt").waitFor();
    await cards.first().getByRole("button", { name: "No" }).click();
    await said.getByText("Half is done.").waitFor();

    await ask(page, "Write and drop");
    await yes.waitFor();
    await ask(page, "How is the weather?");
    await page.getByText("You asked something else instead, so the call was not run.").waitFor();
    await waitForAnswers(page, 5);
    expect((await readdir(folder)).toSorted()).toEqual(["one.txt", "three.txt"]);
    expect(complaints).toEqual([]);
    await context.close();
  });
});

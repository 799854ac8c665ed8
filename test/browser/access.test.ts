import { fails, omits, redacts, says, script, thinks } from "@mull/emulator";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import {
  ask,
  keepPicture,
  openBlocks,
  openPage,
  openStage,
  scan,
  waitForAnswers,
  type Stage,
} from "./harness.ts";
import { inChromium } from "./in-chromium.ts";

const markdown = [
  "## A heading\n\nWith **bold**, `code`, [a link](https://example.com/page) and a list:",
  "1. first\n2. second\n   - nested",
  "| a | b |\n| - | -: |\n| 1 | 2 |",
  "> a quote",
  "```ts\nconst answer: number = 42; // why\nconsole.log(`it is ${answer}`);\n```",
].join("\n\n");

describe.runIf(inChromium)("the page for everybody", { timeout: 90_000 }, () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage({
      scripts: [
        {
          when: { text: "markdown" },
          turns: [[thinks("**Plan**\n\nShow it all."), says(markdown)]],
          repeat: true,
        },
        // So long that nobody misses it who looks twenty times a second.
        {
          when: { text: "slowly" },
          turns: [[thinks("One more thought. ".repeat(60)), says("It is done.\n\nAll of it.")]],
          repeat: true,
        },
        {
          when: { text: "عربي" },
          turns: [[thinks("فكرة."), says("- العنصر\n- آخر\n\n> اقتباس")]],
          repeat: true,
        },
        { when: { text: "redacted" }, turns: [[redacts(), says("Done.")]], repeat: true },
        { when: { text: "withheld" }, turns: [[omits("Not shown."), says("Done.")]], repeat: true },
        { when: { text: "refused" }, turns: [[fails({ status: 400 })]], repeat: true },
        script({ text: "never" }, [says("-")]),
      ],
    });
  }, 60_000);
  afterEach(() => stage.answers.open());
  afterAll(() => stage?.close());

  for (const theme of ["light", "dark"] as const) {
    it(`has no violation in any state (${theme})`, async () => {
      const bare = await openPage(stage.browser, { theme });
      await bare.page.goto(stage.url);
      await bare.page.getByRole("button", { name: "Sign in" }).waitFor();
      expect(await scan(bare.page)).toEqual([]);
      await keepPicture(bare.page, `sign-in-${theme}`);
      await bare.context.close();
      const { page, context } = await stage.visit({ theme });
      expect(await scan(page)).toEqual([]);
      await keepPicture(page, `empty-${theme}`);
      await ask(page, "Show markdown");
      await waitForAnswers(page, 1);
      await page.locator(".hl-keyword").first().waitFor();
      await page.locator(".work summary").click();
      expect(await scan(page)).toEqual([]);
      await keepPicture(page, `markdown-${theme}`);
      await ask(page, "Be redacted");
      await waitForAnswers(page, 2);
      await ask(page, "Be withheld");
      await waitForAnswers(page, 3);
      await ask(page, "okay - what's going on in the markets today?");
      await waitForAnswers(page, 4);
      await openBlocks(page);
      expect(await scan(page)).toEqual([]);
      await keepPicture(page, `states-${theme}`);
      await page.locator(".answer").last().getByRole("button", { name: "Receipt" }).click();
      await page.getByRole("complementary", { name: "Receipt · answer 4" }).waitFor();
      expect(await scan(page)).toEqual([]);
      await page.getByRole("button", { name: "Inspect", exact: true }).click();
      await page.getByText("Request body").waitFor();
      expect(await scan(page)).toEqual([]);
      await keepPicture(page, `inspector-${theme}`);
      await page.keyboard.press("Escape");
      await page.keyboard.press("Control+Shift+M");
      await page.getByLabel("Search models").waitFor();
      expect(await scan(page)).toEqual([]);
      await keepPicture(page, `models-${theme}`);
      await page.keyboard.press("Escape");
      await page.keyboard.press("Control+/");
      await page.getByRole("dialog", { name: "Keyboard" }).waitFor();
      expect(await scan(page)).toEqual([]);
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: "Settings" }).click();
      await page.getByRole("dialog", { name: "Settings" }).waitFor();
      expect(await scan(page)).toEqual([]);
      await page.keyboard.press("Escape");
      await ask(page, "Be refused");
      await page.locator(".failure").waitFor();
      expect(await scan(page)).toEqual([]);
      await keepPicture(page, `refused-${theme}`);
      await context.close();
    });
  }

  for (const theme of ["light", "dark"] as const) {
    it(`axe finds nothing while it runs, loads, is handed over, offline and in Arabic (${theme})`, async () => {
      const { page, context } = await stage.visit({ theme });
      stage.answers.close();
      await ask(page, "Do it slowly");
      await page.locator(".peek").getByText("One more thought.").first().waitFor();
      expect(await scan(page)).toEqual([]);
      await page.getByRole("button", { name: /^claude-opus-5-5/ }).click();
      await page.getByLabel("Search models").fill("gpt-6-sol");
      await page.getByLabel("Search models").press("Enter");
      await page
        .getByText("claude-opus-5-5 is finishing this step, then gpt-6-sol.")
        .first()
        .waitFor();
      expect(await scan(page)).toEqual([]);
      await keepPicture(page, `handover-${theme}`);
      stage.answers.open();
      await waitForAnswers(page, 1);
      await ask(page, "تكلم عربي");
      await waitForAnswers(page, 2);
      expect(await scan(page)).toEqual([]);
      await keepPicture(page, `arabic-${theme}`);
      await context.setOffline(true);
      await page.getByText("You are offline.").waitFor();
      expect(await scan(page)).toEqual([]);
      await context.setOffline(false);
      await page.getByText("Connected again.").waitFor();
      await page.route("**/messages", () => undefined);
      await page.reload();
      await page.getByRole("status", { name: "Loading the conversation" }).waitFor();
      expect(await scan(page)).toEqual([]);
      await keepPicture(page, `loading-${theme}`);
      await context.close();
    });
  }

  it("says why thinking is not visible: withheld and redacted (R199, R200)", async () => {
    const { page, context } = await stage.visit();
    await ask(page, "Be redacted");
    await waitForAnswers(page, 1);
    const label = page.locator(".work summary").last();
    expect(await label.textContent()).toMatch(/redacted by Anthropic$/);
    await ask(page, "Be withheld");
    await waitForAnswers(page, 2);
    expect(await label.textContent()).toMatch(/not shown$/);
    await label.click();
    await page.locator(".thought .reason").last().waitFor();
    await context.close();
  });

  for (const width of [320, 390]) {
    it(`works on a phone of ${width} px without scrolling sideways`, async () => {
      const { page, context } = await stage.visit({ width, height: 700, isTouch: true });
      await ask(page, "Show markdown");
      await waitForAnswers(page, 1);
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(overflow).toBe(0);
      await keepPicture(page, `phone-${width}`);
      await page.getByRole("button", { name: "Conversations" }).click();
      await page.getByRole("dialog", { name: "Conversations" }).waitFor();
      await keepPicture(page, `phone-${width}-list`);
      await page.getByRole("link", { name: "Show markdown" }).click();
      await page.getByRole("button", { name: "Receipt" }).click();
      await page.getByRole("dialog", { name: "Receipt · answer 1" }).waitFor();
      expect(await scan(page)).toEqual([]);
      await keepPicture(page, `phone-${width}-receipt`);
      const small = await page.evaluate(() =>
        [...document.querySelectorAll("button, summary")]
          .filter((each) => each.checkVisibility())
          .map((each) => ({ name: each.textContent, box: each.getBoundingClientRect() }))
          .filter(({ box }) => box.height < 35)
          .map(({ name }) => name),
      );
      expect(small).toEqual([]);
      await context.close();
    });
  }

  it("is used with the keyboard alone", async () => {
    const { page, context } = await stage.visit();
    await page.getByLabel("Message", { exact: true }).focus();
    await page.keyboard.type("What is 23 * 47?");
    await page.keyboard.press("Alt+ArrowUp");
    await page.getByRole("radio", { name: "high", checked: true }).waitFor();
    await page.keyboard.press("Enter");
    await waitForAnswers(page, 1);
    await page.keyboard.press("ArrowUp");
    await page.locator('textarea[aria-label="Edit the question"]:focus').waitFor();
    await page.keyboard.press("Escape");
    await page.locator("#composer:focus").waitFor();
    await page.locator("#thread").focus();
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    expect(await page.evaluate(() => document.activeElement?.classList.contains("answer"))).toBe(
      true,
    );
    await page.keyboard.press("t");
    await page.locator(".work details[open]").waitFor();
    await page.keyboard.press("r");
    await page.getByRole("complementary", { name: "Receipt · answer 1" }).waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("i");
    await page
      .getByRole("dialog", { name: "What would be sent" })
      .getByText("Request body")
      .waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("c");
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain("1,081");
    await page.keyboard.press("Control+Shift+O");
    await page.getByRole("heading", { level: 1, name: "New conversation" }).waitFor();
    await context.close();
  });

  it("tells a screen reader each thing once, and never every token", async () => {
    const { page, context } = await stage.visit();
    await page.locator(".spoken", { hasText: "Signed in as" }).waitFor({ state: "attached" });
    await page.evaluate(() => {
      const heard: string[] = [];
      Object.assign(globalThis, { heard });
      const region = document.querySelector('.spoken[role="status"]');
      new MutationObserver((changes) => {
        for (const change of changes) {
          for (const node of change.addedNodes) heard.push(node.textContent ?? "");
        }
      }).observe(region!, { childList: true });
    });
    await ask(page, "Do it slowly");
    await waitForAnswers(page, 1);
    await expect
      .poll(() => page.evaluate(() => Reflect.get(globalThis, "heard") as string[]))
      .toEqual([
        "Thinking",
        expect.stringMatching(/^Thought for \d+ seconds?$/),
        "Answering",
        "It is done.",
        "All of it.",
        "Done",
      ]);
    await context.close();
  });
});

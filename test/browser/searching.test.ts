import { says, thinks } from "@mull/emulator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ask, openStage, waitForAnswers, type Stage } from "./harness.ts";
import { inChromium } from "./in-chromium.ts";

const endless = Array.from({ length: 400 }, (_, n) => `Thought number ${n} of many.`).join(" ");

describe.runIf(inChromium)("searching with the keyboard", { timeout: 60_000 }, () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage({
      faults: "pace=20",
      scripts: [{ when: { text: "endlessly" }, turns: [[thinks(endless), says("Done.")]] }],
    });
  }, 60_000);
  afterAll(() => stage?.close());

  it("F-W25 types over the last search, walks into what was found, and Escape stops no answer", async () => {
    const { page, complaints } = await stage.visit();
    const field = page.getByLabel("Search conversations");
    await ask(page, "What is 23 * 47?");
    await waitForAnswers(page, 1);
    await page.keyboard.press("Control+Shift+O");
    await ask(page, "Think endlessly.");
    await page.getByText("Thought number 0").first().waitFor();
    await page.keyboard.press("Control+K");
    await page.keyboard.type("nothing of this");
    await page.getByText("Nothing found.").waitFor();
    await page.keyboard.press("Control+K");
    await page.keyboard.type("23");
    const found = page.getByRole("link", { name: "What is 23 * 47?" });
    await found.waitFor();
    await page.keyboard.press("ArrowDown");
    expect(await found.evaluate((link) => link === document.activeElement)).toBe(true);
    await field.focus();
    await page.keyboard.press("Escape");
    await expect.poll(() => field.inputValue()).toBe("");
    await page.getByRole("link", { name: "Think endlessly." }).waitFor();
    expect(await page.locator("#thread").getAttribute("aria-busy")).toBe("true");
    await page.keyboard.press("Escape");
    await page.getByText("Stopped. The partial answer is kept").first().waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});

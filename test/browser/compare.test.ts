import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ask, keepPicture, openStage, scan, waitForAnswers, type Stage } from "./harness.ts";
import { inChromium } from "./in-chromium.ts";

describe.runIf(inChromium)("comparing models", { timeout: 90_000 }, () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  }, 60_000);
  afterAll(() => stage?.close());

  it("answers side by side, survives a reload, and goes on with the one that is kept", async () => {
    const { page, context, complaints } = await stage.visit();
    await page.getByLabel("Message", { exact: true }).fill("What is 23 * 47?");
    await page.getByRole("button", { name: "Compare", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Compare models" });
    expect(await dialog.getByLabel("Question").inputValue()).toBe("What is 23 * 47?");
    await dialog.getByRole("button", { name: "Add another" }).click();
    await dialog.getByLabel("Level 3").selectOption("high");
    await dialog.getByLabel("Level 1").selectOption("none");
    expect(await scan(page)).toEqual([]);
    await keepPicture(page, "ask-several-light");
    await dialog.getByRole("button", { name: "Ask all 3" }).click();
    const columns = page.getByRole("region", { name: /^Answer of / });
    await page
      .getByRole("button", { name: /^Keep this one:/ })
      .nth(2)
      .waitFor();
    expect(await columns.count()).toBe(3);
    // What the model cannot do is not claimed.
    await page.getByRole("heading", { name: "claude-opus-5-5 · none → low" }).waitFor();
    for (const text of await columns.allInnerTexts()) {
      expect(text).toContain("1,081");
      expect(text).toMatch(/Cost\s+\$[\s\S]*Time\s+[\d.]+ s|under[\s\S]*Thinking\s+[\d,]+ tokens/);
    }
    expect(await scan(page)).toEqual([]);
    await keepPicture(page, "compare-light");
    await page.reload();
    await page
      .getByRole("button", { name: /^Keep this one:/ })
      .nth(2)
      .waitFor();
    await page.getByRole("button", { name: /^Keep this one: gpt-6-sol · med/ }).click();
    await page.getByLabel("Message", { exact: true }).waitFor();
    await waitForAnswers(page, 1);
    await ask(page, "What is 2 + 2?");
    await waitForAnswers(page, 2);
    await page.locator(".conversations a.open").first().waitFor();
    await page.waitForFunction(
      () => document.querySelectorAll(".conversations a.open").length === 1,
    );
    expect(await page.locator(".conversations a.open").innerText()).toBe("What is 23 * 47?");
    expect(complaints).toEqual([]);
    await context.close();
  });

  it("streams into every column, and each can be stopped", async () => {
    const { page, context } = await stage.visit({ theme: "dark", width: 390, height: 844 });
    stage.answers.close();
    await page.getByLabel("Message", { exact: true }).fill("Which primes lie between 80 and 120?");
    await page.getByLabel("More about this conversation").click();
    await page.getByRole("button", { name: "Compare", exact: true }).click();
    await page.getByRole("button", { name: "Ask both" }).click();
    await page
      .getByRole("button", { name: /^Stop / })
      .nth(1)
      .waitFor();
    await keepPicture(page, "compare-live-dark");
    await page
      .getByRole("button", { name: /^Stop / })
      .first()
      .click();
    await page
      .getByRole("button", { name: /^Keep this one:/ })
      .first()
      .waitFor();
    expect(await page.getByRole("button", { name: /^Stop / }).count()).toBe(1);
    stage.answers.open();
    await page
      .getByRole("button", { name: /^Keep this one:/ })
      .nth(1)
      .waitFor();
    expect(await scan(page)).toEqual([]);
    await keepPicture(page, "compare-phone-dark");
    await context.close();
  });
});

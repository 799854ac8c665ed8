import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  ask,
  importLong,
  keepPicture,
  openStage,
  scan,
  waitForAnswers,
  type Stage,
} from "./harness.ts";
import { inChromium } from "./in-chromium.ts";

const pairs = 500;

const choose = async (page: Page, level: string): Promise<void> => {
  const stop = page.getByRole("radio", { name: level, exact: true });
  await stop.click();
  expect(await stop.isChecked()).toBe(true);
};

const tokensOf = async (page: Page, nth: number): Promise<number> => {
  const line = await page.locator(".work summary").nth(nth).textContent();
  return Number(/([\d,]+) tokens/.exec(line ?? "")?.[1]?.replaceAll(",", ""));
};

describe.runIf(inChromium)("what answers took, as pictures", { timeout: 60_000 }, () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  }, 60_000);
  afterAll(() => stage?.close());

  it("R195 the dial turned in a running conversation is seen in how long it thinks", async () => {
    const { page, context } = await stage.visit();
    await choose(page, "low");
    await ask(page, "Which primes lie between 80 and 120?");
    await waitForAnswers(page, 1);
    await choose(page, "max");
    await ask(page, "Which primes lie between 80 and 120?");
    await waitForAnswers(page, 2);
    const [low, max] = [await tokensOf(page, 0), await tokensOf(page, 1)];
    expect(low).toBeGreaterThan(0);
    expect(max).toBeGreaterThan(low * 2);
    await context.close();
  });

  for (const theme of ["light", "dark"] as const) {
    it(`bars lead to their answer; context and spending are tables (${theme})`, async () => {
      const { page, complaints, context } = await stage.visit({ theme });
      for (const [index, question] of ["What is 23 * 47?", "Say more.", "And 5 * 6?"].entries()) {
        await ask(page, question);
        await waitForAnswers(page, index + 1);
      }
      const strip = page.getByRole("navigation", { name: "Answers by thinking, time and cost" });
      expect(await strip.getByRole("button").count()).toBe(3);
      await page.getByRole("button", { name: /^Usage: under 1 % of the context/ }).click();
      const panel = page.getByRole("complementary", { name: "Usage" });
      await panel.getByText("together, at list prices").waitFor();
      expect(await scan(page)).toEqual([]);
      await keepPicture(page, `usage-${theme}`);
      expect(await panel.getByRole("table").count()).toBe(3);
      await panel.getByRole("button", { name: "by level" }).click();
      await panel.getByRole("rowheader", { name: "med" }).waitFor();
      await panel.getByRole("button", { name: "Go to answer 1" }).click();
      const focused = (): Promise<boolean> =>
        page.evaluate(
          () => document.querySelectorAll(".answer").item(0) === document.activeElement,
        );
      expect(await focused()).toBe(true);
      await page.keyboard.press("Escape");
      await page.locator("#composer").focus();
      await strip.getByRole("button", { name: /^Go to answer 1: / }).click();
      await expect.poll(focused).toBe(true);
      expect(complaints).toEqual([]);
      await context.close();
    });
  }

  it("R532 a question is estimated while it is written, and counted where somebody asks", async () => {
    const { page, complaints, context } = await stage.visit();
    await page.locator(".sends").waitFor();
    expect(await page.locator(".sends").innerText()).not.toContain("tokens in");
    await page.getByLabel("Message", { exact: true }).fill("What is 23 * 47?");
    const guess = page.getByText(/about [\d,]{3,} tokens in, estimated/);
    const guessed = Number(/about ([\d,]+)/.exec(await guess.innerText())?.[1]?.replace(",", ""));
    expect(stage.journal().filter(({ path }) => path.includes("count"))).toEqual([]);
    const count = page.getByRole("button", { name: "count", exact: true });
    await count.click();
    const counted = await page.getByText(/\d+ tokens in, counted by Anthropic/).innerText();
    // Instructions and tools are most of a first question.
    expect(
      guessed / Number(/([\d,]+) tokens in, counted/.exec(counted)?.[1]?.replace(",", "")),
    ).toBeCloseTo(1, 0);
    await keepPicture(page, "counted-light");
    await page.getByLabel("Message", { exact: true }).fill("What is 23 * 48?");
    await count.waitFor();
    await page.getByLabel("Message", { exact: true }).press("Enter");
    await waitForAnswers(page, 1);
    await page.getByLabel("Message", { exact: true }).fill("And 5 * 6?");
    await page.getByText(/about [\d,]{3,} tokens in, estimated/).waitFor();
    expect(await scan(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it("a thousand messages scroll like a page that stands still", async () => {
    const { page, context } = await stage.visit();
    await importLong(page, pairs);
    const thread = page.locator("#thread");
    const built = await page.locator("#thread [data-message]").count();
    expect(built).toBeLessThanOrEqual(302);
    // What is out of sight is neither laid out nor painted.
    const laidOut = await page
      .locator("#thread [data-message] > *")
      .evaluateAll(
        (all) => all.filter((each) => each.checkVisibility({ contentVisibilityAuto: true })).length,
      );
    expect(laidOut).toBeLessThan(150);
    const changed = await thread.evaluate(async (box) => {
      let changes = 0;
      const observer = new MutationObserver((records) => {
        changes += records.length;
      });
      observer.observe(box, { childList: true, subtree: true, attributes: true });
      for (let step = 0; step < 30; step++) {
        box.scrollTop -= 400;
        await new Promise(requestAnimationFrame);
      }
      observer.disconnect();
      return changes;
    });
    expect(changed).toBe(0);
    expect(await page.getByRole("button", { name: /^Show earlier messages/ }).count()).toBe(1);
    await context.close();
  });

  it("a menu closes on a click beside it", async () => {
    const { page, context } = await stage.visit();
    await ask(page, "What is 23 * 47?");
    await waitForAnswers(page, 1);
    await page.getByLabel(/^More about/).click();
    await page.getByRole("button", { name: "Rename" }).waitFor();
    await page.locator(".answer").click();
    await page.getByRole("button", { name: "Rename" }).waitFor({ state: "hidden" });
    expect(await page.locator("details.menu[open]").count()).toBe(0);
    await context.close();
  });

  it("who asks again after a change goes on writing; what is wrong with a file is said", async () => {
    const { page, complaints, context } = await stage.visit();
    await ask(page, "What is 23 * 47?");
    await waitForAnswers(page, 1);
    await page.getByRole("button", { name: "Edit", exact: true }).click();
    await page.getByLabel("Edit the question").fill("What is 12 * 12?");
    await page.getByRole("button", { name: "Ask again" }).click();
    await page.locator("#composer:focus").waitFor();
    await waitForAnswers(page, 1);
    await page.getByRole("button", { name: "Settings" }).click();
    const file = { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("no json") };
    await page.locator('dialog input[type="file"]').setInputFiles(file);
    await page.getByText("Import takes a conversation exported here").first().waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });
});

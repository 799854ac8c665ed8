import type { Page, Route } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { says, thinks } from "@mull/emulator";
import { ask, openStage, waitForAnswers, type Stage } from "./harness.ts";
import { inChromium } from "./in-chromium.ts";

const thought = Array.from({ length: 30 }, (_, n) => `Thought number ${n} of many.`).join(" ");

/** Holds requests up until the test lets them go. */
async function hold(page: Page, url: string): Promise<{ readonly letGo: () => Promise<void> }> {
  const held: Route[] = [];
  let isOpen = false;
  await page.route(url, async (route) => {
    if (isOpen) await route.continue();
    else held.push(route);
  });
  return {
    letGo: async () => {
      isOpen = true;
      await Promise.all(held.map((route) => route.continue()));
    },
  };
}

/** Sends a question over a page that is still waiting for something, and waits for its answer. */
async function askTooEarly(page: Page, url: string, answers: number): Promise<void> {
  const held = await hold(page, url);
  await page.reload();
  await ask(page, "What is 12 * 12?");
  await page.getByText("▸ queued: What is 12 * 12?").waitFor();
  await held.letGo();
  await waitForAnswers(page, answers);
  await page.locator(".answer .text").getByText("144").waitFor();
}

describe.runIf(inChromium)("somebody in a hurry", { timeout: 60_000 }, () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage({
      scripts: [
        {
          when: { text: "slowly" },
          turns: [[thinks(thought), says("Here it is.")]],
          repeat: true,
        },
      ],
    });
  }, 60_000);
  afterEach(() => stage.answers.open());
  afterAll(() => stage?.close());

  it("R252 a double click on Send asks, and does not stop what it asked for", async () => {
    const { page, context, complaints } = await stage.visit();
    const stops: string[] = [];
    page.on("request", (request) => {
      if (request.url().endsWith("/stop")) stops.push(request.url());
    });
    stage.answers.close();
    await page.getByLabel("Message", { exact: true }).fill("Answer slowly.");
    await page.getByRole("button", { name: "Send" }).dblclick();
    await page.getByText("Thought number 0").first().waitFor();
    stage.answers.open();
    await waitForAnswers(page, 1);
    await page.locator(".answer .text").getByText("Here it is.").waitFor();
    expect(stops).toEqual([]);
    expect(await page.locator(".question").count()).toBe(1);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it("R252 a question whose answer was lost on the way is asked once, however often it is sent", async () => {
    const { page, context } = await stage.visit();
    await ask(page, "What is 23 * 47?");
    await waitForAnswers(page, 1);
    // The server takes it, and nobody hears of that.
    await page.route(
      "**/api/chat",
      async (route) => {
        await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );
    await ask(page, "What is 12 * 12?");
    const composer = page.getByLabel("Message", { exact: true });
    await expect.poll(() => composer.inputValue()).toBe("What is 12 * 12?");
    await page.getByRole("button", { name: "Send" }).click();
    await waitForAnswers(page, 2);
    await page.reload();
    await waitForAnswers(page, 2);
    expect(await page.locator(".question .said").allTextContents()).toEqual([
      "What is 23 * 47?",
      "What is 12 * 12?",
    ]);
    await context.close();
  });

  it("R252 a question sent before a slow conversation is there is asked in it", async () => {
    const { page, context, complaints } = await stage.visit();
    await ask(page, "What is 23 * 47?");
    await waitForAnswers(page, 1);
    await askTooEarly(page, "**/api/conversations/*/messages*", 2);
    expect(await page.locator(".question .said").allTextContents()).toEqual([
      "What is 23 * 47?",
      "What is 12 * 12?",
    ]);
    expect(await page.getByLabel("Message", { exact: true }).inputValue()).toBe("");
    expect(complaints).toEqual([]);
    await context.close();
  });

  it("R252 a question sent before a slow server knows who asks is asked, and stays in sight", async () => {
    const { page, context, complaints } = await stage.visit();
    await askTooEarly(page, "**/api/account", 1);
    expect(page.url()).toContain("#/c/");
    expect(complaints).toEqual([]);
    await context.close();
  });

  it("R252 a question that the server took before the page was reloaded is not in the composer again", async () => {
    const { page, context, complaints } = await stage.visit();
    await ask(page, "What is 23 * 47?");
    await waitForAnswers(page, 1);
    const taken = `${stage.url}/api/conversations/${page.url().split("/").at(-1)}/turns`;
    // The server gets it; the page never hears that it did.
    await page.route("**/api/chat", (route) => {
      route.fetch().catch(() => undefined);
    });
    await ask(page, "What is 12 * 12?");
    await expect
      .poll(async () => (await (await context.request.get(taken)).json()) as unknown)
      .toMatchObject({ turns: [{}, {}] });
    await page.reload();
    await waitForAnswers(page, 2);
    expect(await page.locator(".question .said").allTextContents()).toEqual([
      "What is 23 * 47?",
      "What is 12 * 12?",
    ]);
    expect(await page.getByLabel("Message", { exact: true }).inputValue()).toBe("");
    expect(complaints).toEqual([]);
    await context.close();
  });
});

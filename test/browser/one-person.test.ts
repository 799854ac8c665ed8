import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  ask,
  keepPicture,
  openPage,
  openStage,
  scan,
  waitForAnswers,
  type Stage,
} from "./harness.ts";
import { inChromium } from "./in-chromium.ts";

const link = "the-link-of-this-start";

describe.runIf(inChromium)("one person without an account", { timeout: 90_000 }, () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage({ entrance: { link, isForOne: true } });
  }, 60_000);
  afterAll(() => stage?.close());

  it("comes in by the link, asks, makes an account, and keeps what was said", async () => {
    const { page, context, complaints } = await openPage(stage.browser, {});
    await page.goto(stage.url);
    await page.getByText("Open the link that mull printed").waitFor();
    expect(await page.getByRole("button").count()).toBe(0);
    expect(await scan(page)).toEqual([]);
    await keepPicture(page, "need-link-light");
    await page.goto(`${stage.url}/#/link/${link}`);
    await page.getByLabel("Message", { exact: true }).waitFor();
    expect(page.url()).not.toContain(link);
    await ask(page, "What is 2 + 2?");
    await waitForAnswers(page, 1);
    await page.getByRole("button", { name: "Settings" }).click();
    await page.getByText("Make an account").click();
    expect(await scan(page)).toEqual([]);
    await keepPicture(page, "make-account-light");
    await page.getByLabel("Name or e-mail").fill("ann");
    await page.getByLabel("Password").fill("correct horse");
    await page.getByRole("button", { name: "Make account" }).click();
    await page.getByText("What is 2 + 2?").first().waitFor();
    const account = await page.evaluate(async () => (await fetch("/api/account")).json());
    expect(account).toMatchObject({ name: "ann", hasPassword: true });
    expect(complaints).toEqual([]);
    await context.close();
  });

  it("tells whoever opens a spent link what to do", async () => {
    const { page, context } = await openPage(stage.browser, {});
    await page.goto(`${stage.url}/#/link/${link}`);
    await page.getByText("This link was used before").waitFor();
    expect(page.url()).not.toContain(link);
    await context.close();
  });
});

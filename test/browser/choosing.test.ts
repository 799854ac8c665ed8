import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ask, keepPicture, openStage, scan, waitForAnswers, type Stage } from "./harness.ts";
import { inChromium } from "./in-chromium.ts";

describe.runIf(inChromium)("choosing a model and a level", { timeout: 90_000 }, () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  }, 60_000);
  afterAll(() => stage?.close());

  it("the menu begins with recent and recommended models", async () => {
    const { page, context, complaints } = await stage.visit();
    const menu = page.getByRole("dialog", { name: "Choose a model" });
    const groups = (): Promise<readonly string[]> =>
      menu.getByRole("group").evaluateAll((all) => all.map((each) => each.ariaLabel ?? ""));
    await page.keyboard.press("Control+Shift+M");
    await menu.getByRole("group", { name: "Recommended" }).waitFor();
    expect((await groups())[0]).toBe("Recommended");
    expect(await scan(page)).toEqual([]);
    await keepPicture(page, "models-light");
    await menu.getByRole("combobox").fill("sol");
    await page.keyboard.press("Enter");
    await menu.waitFor({ state: "detached" });
    await ask(page, "What is 2 + 2?");
    await waitForAnswers(page, 1);
    await page.keyboard.press("Control+Shift+M");
    const recent = menu.getByRole("group", { name: "Recent" });
    await recent.getByText("gpt-6-sol").waitFor();
    expect((await groups()).slice(0, 2)).toEqual(["Recent", "Recommended"]);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await menu.waitFor({ state: "detached" });
    expect(complaints).toEqual([]);
    await context.close();
  });

  it("on a phone the composer takes one line, and a chip opens the dial", async () => {
    const { page, context } = await stage.visit({ width: 390, height: 844, isTouch: true });
    const composer = page.getByRole("form", { name: "Ask" });
    const closed = await composer.boundingBox();
    expect(closed?.height).toBeLessThan(70);
    expect(await page.getByRole("radiogroup").count()).toBe(0);
    await keepPicture(page, "phone-composer-light");
    await page.getByRole("button", { name: /^Model and thinking: .*, med$/ }).tap();
    await page.getByRole("radio", { name: "high" }).tap();
    await page.getByRole("radio", { name: "high", checked: true }).waitFor();
    expect(await scan(page)).toEqual([]);
    await keepPicture(page, "phone-dial-light");
    await page.getByLabel("Message", { exact: true }).fill("What is 2 + 2?");
    await page.getByRole("button", { name: "Send" }).tap();
    await waitForAnswers(page, 1);
    expect(await page.getByRole("radiogroup").count()).toBe(0);
    await page.getByRole("button", { name: /^Model and thinking: .*, high$/ }).waitFor();
    await context.close();
  });

  it("? lists the keys, and is a letter in a field", async () => {
    const { page, context } = await stage.visit();
    const field = page.getByLabel("Message", { exact: true });
    await field.press("?");
    expect(await field.inputValue()).toBe("?");
    expect(await page.getByRole("dialog").count()).toBe(0);
    await page.getByRole("button", { name: "Settings" }).focus();
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keyboard" }).waitFor();
    await context.close();
  });
});

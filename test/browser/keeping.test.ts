import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ask, keepPicture, openStage, scan, waitForAnswers, type Stage } from "./harness.ts";
import { inChromium } from "./in-chromium.ts";

/** A red square of 8 by 8. */
const picture = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEklEQVR4nGP4z8CAFWEXHbQSACj/P8Fu7N9hAAAAAElFTkSuQmCC",
  "base64",
);

describe.runIf(inChromium)("what people keep in order", { timeout: 90_000 }, () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  }, 60_000);
  afterAll(() => stage?.close());

  it("a system prompt is kept by its conversation, before the first question and later", async () => {
    const { page, context, complaints } = await stage.visit();
    await page.getByLabel("Message", { exact: true }).fill("What is 2 + 2?");
    await page.getByRole("button", { name: "System prompt" }).click();
    const dialog = page.getByRole("dialog", { name: "System prompt" });
    await dialog.getByRole("textbox").fill("Answer in rhyme.");
    expect(await scan(page)).toEqual([]);
    await keepPicture(page, "system-prompt-light");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "System prompt, one is set" }).waitFor();
    const field = page.getByLabel("Message", { exact: true });
    expect(await field.inputValue()).toBe("What is 2 + 2?");
    await field.press("Enter");
    await waitForAnswers(page, 1);
    await page.reload();
    await page.getByRole("button", { name: "System prompt, one is set" }).click();
    expect(await dialog.getByRole("textbox").inputValue()).toBe("Answer in rhyme.");
    await dialog.getByRole("textbox").fill("");
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByRole("button", { name: "System prompt", exact: true }).waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  it("a pinned conversation stays at the top, on every device", async () => {
    const { page, context } = await stage.visit();
    await ask(page, "What is 2 + 2?");
    await waitForAnswers(page, 1);
    await page.getByRole("button", { name: "New" }).click();
    await ask(page, "What is 3 + 3?");
    await waitForAnswers(page, 1);
    await page.getByLabel("More about What is 2 + 2?").click();
    await page.getByRole("button", { name: "Pin", exact: true }).click();
    await page.getByRole("heading", { name: "Pinned" }).waitFor();
    const titles = (): Promise<readonly string[]> =>
      page.locator(".conversations a.open").allInnerTexts();
    expect(await titles()).toEqual(["What is 2 + 2?", "What is 3 + 3?"]);
    expect(await scan(page)).toEqual([]);
    await keepPicture(page, "pinned-light");
    await page.waitForFunction(async () => {
      const kept = (await (await fetch("/api/preferences")).json()) as { pinned?: string[] };
      return kept.pinned?.length === 1;
    });
    await page.reload();
    await page.getByRole("heading", { name: "Pinned" }).waitFor();
    await page.getByLabel("More about What is 2 + 2?").click();
    await page.getByRole("button", { name: "Unpin" }).click();
    await page.getByRole("heading", { name: "Pinned" }).waitFor({ state: "detached" });
    await context.close();
  });

  it("pictures and files that came along have names", async () => {
    const { page, context } = await stage.visit({ theme: "dark" });
    await page.getByLabel("Add files").setInputFiles([
      { name: "square.png", mimeType: "image/png", buffer: picture },
      { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("Some notes.") },
    ]);
    await page.getByRole("list", { name: "Files" }).getByText("square.png").waitFor();
    await ask(page, "What is in them?");
    await waitForAnswers(page, 1);
    const question = page.getByRole("article", { name: "Your question" });
    await question.getByRole("img", { name: "square.png" }).waitFor();
    expect(await question.innerText()).toMatch(
      /square\.png[\s\S]*notes\.txt \(text\/plain, 11 B\)/,
    );
    expect(await scan(page)).toEqual([]);
    await keepPicture(page, "files-dark");
    await context.close();
  });
});

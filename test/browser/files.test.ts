import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ask, keepPicture, openStage, scan, waitForAnswers, type Stage } from "./harness.ts";
import { inChromium } from "./in-chromium.ts";

interface GivenFile {
  readonly name: string;
  readonly type: string;
  readonly base64: string;
}

const dot: GivenFile = {
  name: "dot.png",
  type: "image/png",
  base64:
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
};
const code: GivenFile = { name: "sum.ts", type: "video/mp2t", base64: btoa("1 + 2") };

/** What a hand does with files; `true`: the browser was kept from opening them itself. */
const give = (page: Page, how: "drop" | "paste", files: readonly GivenFile[]): Promise<boolean> =>
  page.evaluate(
    ([kind, given]) => {
      const data = new DataTransfer();
      for (const { name, type, base64 } of given) {
        const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
        data.items.add(new File([bytes], name, { type }));
      }
      const bubbling = { bubbles: true, cancelable: true };
      const event =
        kind === "drop"
          ? new DragEvent("drop", { ...bubbling, dataTransfer: data })
          : new ClipboardEvent("paste", { ...bubbling, clipboardData: data });
      return !document.querySelector("#thread")!.dispatchEvent(event);
    },
    [how, files] as const,
  );

/** Whether the page would ask before it is left: something of it is not kept. */
const asksBeforeLeaving = (page: Page): Promise<boolean> =>
  page.evaluate(() => !dispatchEvent(new Event("beforeunload", { cancelable: true })));

describe.runIf(inChromium)("files with a question", { timeout: 60_000 }, () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  }, 60_000);
  afterAll(() => stage?.close());

  it("R252 are dropped, pasted, chosen and removed, and asked with it", async () => {
    const { page, complaints } = await stage.visit();
    const attached = page.getByRole("list", { name: "Files" }).getByRole("listitem");
    expect(await give(page, "drop", [dot, code])).toBe(true);
    expect(await give(page, "paste", [{ ...dot, name: "pasted.png" }])).toBe(true);
    await page.getByLabel("Add files").setInputFiles({
      name: "chosen.txt",
      mimeType: "text/plain",
      buffer: Buffer.from("chosen"),
    });
    await expect
      .poll(() => attached.allTextContents())
      .toEqual(["dot.png", "sum.ts", "pasted.png", "chosen.txt"]);
    expect(await scan(page)).toEqual([]);
    await keepPicture(page, "files-attached");
    await page.getByRole("button", { name: "Remove pasted.png" }).click();
    await page.getByRole("button", { name: "Remove chosen.txt" }).click();
    await ask(page, "What is 2 + 3?");
    await waitForAnswers(page, 1);
    expect(await attached.count()).toBe(0);
    expect(await page.locator(".question img").getAttribute("alt")).toBe("dot.png");
    expect(await page.locator(".question p.file").textContent()).toBe("sum.ts (text/plain, 5 B)");
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it("R252 stay beside what is written in their own conversation", async () => {
    const { page, complaints } = await stage.visit();
    const attached = page.getByRole("list", { name: "Files" }).getByRole("listitem");
    await ask(page, "What is 4 + 5?");
    await waitForAnswers(page, 1);
    await give(page, "drop", [dot]);
    await attached.waitFor();
    await page.keyboard.press("Control+Shift+O");
    await expect.poll(() => attached.count()).toBe(0);
    await page.getByRole("link", { name: "What is 4 + 5?" }).click();
    await expect.poll(() => attached.allTextContents()).toEqual(["dot.png"]);
    await page.getByRole("button", { name: "Send" }).click();
    await waitForAnswers(page, 2);
    expect(await page.locator(".question img").count()).toBe(1);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it("R252 are there again after a reload, for the user who added them", async () => {
    const { page, complaints } = await stage.visit();
    const attached = page.getByRole("list", { name: "Files" }).getByRole("listitem");
    await give(page, "drop", [dot, code]);
    await expect.poll(() => attached.count()).toBe(2);
    await expect.poll(() => asksBeforeLeaving(page)).toBe(false);
    await page.getByRole("button", { name: "Remove sum.ts" }).click();
    await page.reload();
    await expect.poll(() => attached.allTextContents()).toEqual(["dot.png"]);
    await ask(page, "What is 2 + 3?");
    await waitForAnswers(page, 1);
    expect(await page.locator(".question img").getAttribute("alt")).toBe("dot.png");
    await page.reload();
    await waitForAnswers(page, 1);
    expect(await attached.count()).toBe(0);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it("R252 that the browser does not keep are named, and leaving asks first", async () => {
    const { page } = await stage.visit();
    await page.addInitScript(() => {
      Object.defineProperty(globalThis, "indexedDB", {
        get: () => {
          throw new DOMException("Switched off.", "SecurityError");
        },
      });
    });
    const asked: string[] = [];
    page.on("dialog", (dialog) => {
      asked.push(dialog.type());
      void dialog.accept();
    });
    await page.getByLabel("Message", { exact: true }).click();
    await Promise.all([page.waitForResponse(/api\/conversations/), page.reload()]);
    expect(asked).toEqual([]);
    await give(page, "drop", [dot]);
    await page.getByText("no room to store dot.png").first().waitFor();
    await page.getByLabel("Message", { exact: true }).click();
    await page.reload();
    expect(asked).toEqual(["beforeunload"]);
    await page.context().close();
  });
});

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { build, preview, type InlineConfig, type PreviewServer } from "vite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launchChromium } from "./browser/chromium.ts";
import { inChromium } from "./browser/in-chromium.ts";

describe.runIf(inChromium)("the page without a server", () => {
  let folder: string;
  let browser: Browser;
  let served: PreviewServer;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "mull-page-"));
    const config: InlineConfig = {
      root: "examples/browser",
      configFile: false,
      logLevel: "error",
      resolve: { conditions: ["@mull/source", "module", "browser", "import", "default"] },
      build: { outDir: folder, emptyOutDir: true, target: "es2023" },
    };
    await build(config);
    served = await preview({ ...config, preview: { port: 0, host: "127.0.0.1" } });
    browser = await launchChromium();
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await served?.close();
    rmSync(folder, { recursive: true, force: true });
  }, 60_000);

  test("examples/browser: a page without a server thinks and answers in Chromium", async () => {
    const page = await browser.newPage();
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(error.message));
    await page.goto(served.resolvedUrls!.local[0]!);
    await page.getByRole("button", { name: "Ask" }).click();
    await page.getByText("1,081").last().waitFor({ timeout: 20_000 });
    expect(await page.locator("#answer").textContent()).toContain("1,081");
    expect(await page.locator("#thinking").textContent()).toContain("23 * 47");
    expect(errors).toEqual([]);
  }, 60_000);
});

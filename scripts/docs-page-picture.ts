import { emulate } from "@mull/emulator";
import { chatServer, calculator, listen, offlineSearch, searchWeb } from "@mull/server";
import { memoryStore } from "@mull/store";
import chromium from "@sparticuz/chromium";
import { chromium as browsers, type Page } from "playwright-core";
import { loadFiles } from "../packages/server/src/http/load-files.ts";

/** The real page on the real server, answered by the emulator, as a browser shows it. */
const folder = "docs/pictures/";
const question = "okay - what's going on in the markets today?";

/** Slow enough that thinking takes a while, as it does. */
const emulator = emulate({ secret: "picture", faults: "pace=25", note: false });
const app = chatServer({
  store: memoryStore(),
  upstream: () => ({ fetch: emulator, env: {}, apiKey: "simulated", isSimulated: true }),
  tools: [searchWeb(offlineSearch), calculator],
  files: await loadFiles("packages/web/dist"),
});
const serving = await listen(app, { port: 0 });
const browser = await browsers.launch({
  executablePath: await chromium.executablePath(),
  args: chromium.args,
  headless: true,
});
try {
  const page = await browser.newPage({
    viewport: { width: 1280, height: 800 },
    colorScheme: "light",
  });
  await page.goto(serving.url);
  await signUp(page);
  await page.reload();
  await ask(page, question, 1);
  await page.locator(".work summary").first().click();
  await keep(page, "page.png");
  await page.locator(".work summary").first().click();
  await ask(page, "What is 23 * 47?", 2);
  await ask(page, "Which primes lie between 80 and 120?", 3);
  await compare(page, "Which primes lie between 80 and 120?");
  await keep(page, "page-compare.png");
  await page.goBack();
  await page.emulateMedia({ colorScheme: "dark" });
  await page.getByRole("button", { name: /^Usage/ }).click();
  await page.getByText("together, at list prices").waitFor();
  await keep(page, "page-usage.png");
  await page.keyboard.press("Escape");
  await page.setViewportSize({ width: 390, height: 844 });
  await keep(page, "page-phone.png");
} finally {
  await browser.close();
  await serving.close();
}

async function ask(page: Page, text: string, answers: number): Promise<void> {
  const message = page.getByLabel("Message", { exact: true });
  await message.fill(text);
  await message.press("Enter");
  await page
    .getByRole("button", { name: "Receipt" })
    .nth(answers - 1)
    .waitFor({ timeout: 60_000 });
}

/** Three answers side by side. */
async function compare(page: Page, text: string): Promise<void> {
  await page.getByLabel("Message", { exact: true }).fill(text);
  await page.getByRole("button", { name: "Compare", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Compare models" });
  await dialog.getByRole("button", { name: "Add another" }).click();
  await dialog.getByLabel("Level 3").selectOption("max");
  await dialog.getByRole("button", { name: "Ask all 3" }).click();
  await page
    .getByRole("button", { name: /^Keep this one:/ })
    .nth(2)
    .waitFor({ timeout: 60_000 });
}

/** Without the pointer, and when all is laid out and coloured. */
async function keep(page: Page, name: string): Promise<void> {
  await page.mouse.move(0, 0);
  await page.waitForTimeout(800);
  await page.screenshot({ path: `${folder}${name}` });
  console.log(`wrote ${folder}${name}`);
}

/** An account for the picture; the form itself is tested with the page. */
async function signUp(page: Page): Promise<void> {
  const status = await page.evaluate(async () => {
    const answer = await fetch("/api/account/sign-up", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ name: "ada", password: "long enough" }),
    });
    return answer.status;
  });
  if (status >= 300) throw new Error(`sign-up answered ${status}`);
}

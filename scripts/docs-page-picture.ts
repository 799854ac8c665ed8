import { emulate } from "@mull/emulator";
import { chatServer, calculator, listen, offlineSearch, searchWeb } from "@mull/server";
import { memoryStore } from "@mull/store";
import chromium from "@sparticuz/chromium";
import { chromium as browsers, type Page } from "playwright-core";
import { loadFiles } from "../packages/server/src/http/load-files.ts";

/** The real page on the real server, answered by the emulator, as a browser shows it. */
const file = "docs/pictures/page.png";
const question = "okay - what's going on in the markets today?";

/** Slow enough that thinking takes a while, as it does. */
const emulator = emulate({ secret: "picture", faults: "pace=25" });
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
    viewport: { width: 1320, height: 820 },
    colorScheme: "light",
  });
  await page.goto(serving.url);
  await signUp(page);
  await page.reload();
  const message = page.getByLabel("Message");
  await message.fill(question);
  await message.press("Enter");
  await page.getByRole("button", { name: "Receipt" }).click({ timeout: 60_000 });
  await page.locator(".work summary").first().click();
  await page.mouse.move(0, 0);
  await page.waitForTimeout(800);
  await page.screenshot({ path: file });
  console.log(`wrote ${file}`);
} finally {
  await browser.close();
  await serving.close();
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

import { says, thinks } from "@mull/emulator";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ask, keepPicture, openPage, openStage, waitForAnswers, type Stage } from "./harness.ts";
import { inChromium } from "./in-chromium.ts";

/** What has the focus, by its id or its name. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const at = document.activeElement;
    return at?.id || at?.getAttribute("aria-label") || at?.tagName || "nothing";
  });

const said = (page: Page): Promise<string> =>
  page.locator('.spoken[role="status"]').last().innerText();

describe.runIf(inChromium)("what a newcomer meets", { timeout: 60_000 }, () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage({
      note: false, // as the server asks its emulator: the page says it
      scripts: [
        {
          when: { text: "at leisure" },
          turns: [[thinks("One more thought. ".repeat(200)), says("Done at last.")]],
          repeat: true,
        },
      ],
    });
  }, 60_000);
  afterAll(() => stage?.close());

  it("R252 a fork shows model, level, cost and receipt of what it inherited", async () => {
    const { page, context, complaints } = await stage.visit();
    await ask(page, "okay - what's going on in the markets today?");
    await waitForAnswers(page, 1);
    const line = await page.locator(".answer .by").textContent();
    expect(line).toMatch(/^claude-opus-5-5 · med · \$0\.\d+$/);
    await page.locator(".answer").getByRole("button", { name: "Fork from here" }).click();
    await page.getByRole("heading", { level: 1, name: /\(fork\)$/ }).waitFor();
    await waitForAnswers(page, 1);
    expect(await page.locator(".answer .by").textContent()).toBe(line);
    await page.locator(".answer").getByRole("button", { name: "Receipt" }).click();
    await page.getByRole("heading", { name: /^Step 2/ }).waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  it("answers everything it suggests, and says that it is simulated once on each screen", async () => {
    const { page, context, complaints } = await stage.visit();
    const claims = async (): Promise<number | undefined> =>
      (await page.locator("body").innerText()).match(/simulated/gi)?.length;
    expect(await claims()).toBe(1);
    const answers = ["1,081", "Markets today", "83, 89, 97, 101, 103, 107, 109, 113"];
    const suggestions = page.locator(".empty button");
    expect(await suggestions.count()).toBe(answers.length);
    for (const [index, answer] of answers.entries()) {
      await suggestions.nth(index).click();
      await waitForAnswers(page, 1);
      const text = await page.locator(".answer .text").innerText();
      expect(text).toContain(answer);
      expect(text).not.toMatch(/[{}]/);
      await page.locator(".answer").getByRole("button", { name: "Receipt" }).click();
      await page.getByRole("complementary", { name: "Receipt · answer 1" }).waitFor();
      expect(await claims()).toBe(1);
      await page.getByRole("button", { name: "New", exact: true }).click();
      await suggestions.first().waitFor();
    }
    expect(complaints).toEqual([]);
    await context.close();
  });

  it("F-W25 the keyboard is where one writes: after sign-in, reload, fork, retry and sign-out", async () => {
    const { page, context } = await stage.visit();
    await page.locator("#composer:focus").waitFor();
    await page.waitForFunction(() =>
      document.querySelector('.spoken[role="status"]')?.textContent?.includes("Signed in as"),
    );
    await ask(page, "What is 23 * 47?");
    await waitForAnswers(page, 1);
    await page.reload();
    await page.locator("#composer:focus").waitFor();
    await waitForAnswers(page, 1);
    expect(await page.title()).toBe("What is 23 * 47? · mull");
    await page.locator(".answer").getByRole("button", { name: "Fork from here" }).press("Enter");
    await page.getByRole("heading", { level: 1, name: /\(fork\)$/ }).waitFor();
    await waitForAnswers(page, 1);
    await page.locator("#composer:focus").waitFor();
    await expect.poll(() => said(page)).toContain("Forked. This is the new conversation");
    await page
      .locator(".answer")
      .getByRole("button", { name: "Retry", exact: true })
      .press("Enter");
    await page.locator(".branches").waitFor();
    await waitForAnswers(page, 1);
    await page.locator("#composer:focus").waitFor();
    await page.getByRole("button", { name: "Settings" }).click();
    await page.getByRole("button", { name: "Sign out" }).press("Enter");
    await page.locator("input[name=name]:focus").waitFor();
    await context.close();
  });

  it("F-W25 on a touch screen nothing brings up the keyboard by itself", async () => {
    const { page, context } = await stage.visit({ width: 390, height: 780, isTouch: true });
    await page.locator("#thread:focus").waitFor();
    await page.reload();
    await page.locator("#thread:focus").waitFor();
    expect(await focused(page)).toBe("thread");
    await context.close();
  });

  it("F-W25 works on a page that came without TLS: asks and copies", async () => {
    const { page, context, complaints } = await stage.visit();
    await page.addInitScript(() => {
      Object.defineProperty(navigator, "clipboard", { value: undefined });
      Object.defineProperty(crypto, "randomUUID", { value: undefined });
    });
    await page.reload();
    await ask(page, "What is 23 * 47?");
    await waitForAnswers(page, 1);
    await page.getByRole("button", { name: "Copy answer" }).click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    await page.locator("#composer").focus();
    await page.keyboard.press("Control+V");
    expect(await page.locator("#composer").inputValue()).toContain("1,081");
    expect(complaints).toEqual([]);
    await context.close();
  });

  it("F-W3 a closed server's page offers no account", async () => {
    const { page, context } = await openPage(stage.browser, {});
    const body = JSON.stringify({ error: { code: "signed_out", message: "Sign in first." } });
    const answer = { status: 401, headers: { "x-mull-closed": "1" }, body };
    await page.route("**/api/account", (route) => route.fulfill(answer));
    await page.goto(stage.url);
    await page.getByText("Sign-up is closed.").waitFor();
    expect(await page.getByRole("button").allInnerTexts()).toEqual(["Sign in"]);
    await context.close();
  });

  it("F-W1 what one user has typed is not shown to the next", async () => {
    const { page, context } = await stage.visit();
    await page.locator("#composer").fill("my secret draft");
    await page.getByRole("button", { name: "Settings" }).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("button", { name: "Create an account" }).click();
    await page.getByLabel("Name or e-mail").fill("another visitor");
    await page.getByLabel("Password").fill("a long password");
    await page.getByRole("button", { name: "Create account" }).click();
    await page.locator("#composer:focus").waitFor();
    expect(await page.locator("#composer").inputValue()).toBe("");
    await context.close();
  });

  it("F-W22 a session that ends says so, keeps what is typed, and shows the next user nothing of it", async () => {
    const { page, context } = await stage.visit();
    const name = (await page.evaluate(() => localStorage.getItem("mull.user"))) ?? "";
    await ask(page, "What is 23 * 47?");
    await waitForAnswers(page, 1);
    const signIn = async (asName: string, button: string): Promise<void> => {
      await page.getByLabel("Name or e-mail").fill(asName);
      await page.getByLabel("Password").fill("a long password");
      await page.getByRole("button", { name: button }).click();
      await page.locator("#composer:focus").waitFor();
    };
    await context.clearCookies();
    await ask(page, "and more?");
    await page.getByText("Your session has ended.").waitFor();
    await signIn(name, "Sign in");
    await waitForAnswers(page, 1);
    expect(await page.locator("#composer").inputValue()).toBe("and more?");
    await context.clearCookies();
    await ask(page, "and more?");
    await page.getByRole("button", { name: "Create an account" }).click();
    await signIn("somebody else", "Create account");
    await page.getByText("There is no such conversation.").waitFor();
    expect(await page.getByText("23 * 47").count()).toBe(0);
    expect(await page.locator("#composer").inputValue()).toBe("");
    await context.close();
  });

  it("ux task 11: signs up, asks, stops, edits, reloads, looks and forks by keyboard only", async () => {
    const { page, context } = await openPage(stage.browser, {});
    const press = async (...keys: readonly string[]): Promise<void> => {
      for (const key of keys) await page.keyboard.press(key);
    };
    await page.goto(stage.url);
    await page.locator("input[name=name]:focus").waitFor();
    await press("Tab", "Tab", "Tab", "Enter");
    await page.locator("input[name=name]:focus").waitFor(); // the form for a new account begins anew
    await page.keyboard.type("keyboard");
    await press("Tab");
    await page.keyboard.type("a long password");
    await press("Enter");
    await page.locator("#composer:focus").waitFor();
    await page.keyboard.type("Answer at leisure.");
    await press("Enter");
    await page.locator(".work").first().waitFor();
    await press("Escape");
    await page.getByText("Stopped.").waitFor();
    await press("ArrowUp");
    await page.keyboard.type(" Please.");
    await press("Enter");
    await page.locator(".work").first().waitFor();
    await page.reload();
    await page.locator("#composer:focus").waitFor();
    await waitForAnswers(page, 1);
    await press("Shift+Tab");
    expect(await focused(page)).toBe("Fork from here");
    await press("r");
    await page.getByRole("complementary", { name: "Receipt · answer 1" }).waitFor();
    await expect.poll(() => said(page)).toContain("The receipt is open");
    await press("Escape", "i");
    await page.getByText("What came before answer 1").waitFor();
    await press("Escape");
    await expect.poll(() => focused(page)).toBe("Fork from here");
    await press("Enter");
    await page.getByRole("heading", { level: 1, name: /\(fork\)$/ }).waitFor();
    await page.locator("#composer:focus").waitFor();
    await context.close();
  });

  it("F-W25 rename and menu give the keyboard back", async () => {
    const { page, context } = await stage.visit();
    await ask(page, "What is 23 * 47?");
    await waitForAnswers(page, 1);
    const link = page.getByRole("link", { name: "What is 23 * 47?" });
    await link.focus();
    await page.keyboard.press("F2");
    await page.locator("input.rename:focus").waitFor();
    await page.keyboard.type("Sums");
    await page.keyboard.press("Enter");
    await page.locator('a.open:focus[title="Sums"]').waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.locator(".menu[open]").waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Escape");
    expect(await page.locator(".menu[open]").count()).toBe(0);
    expect(await focused(page)).toBe("More about Sums");
    await context.close();
  });

  it("F-W25 walking through versions keeps the keyboard on the button", async () => {
    const { page, context } = await stage.visit();
    await ask(page, "What is 23 * 47?");
    await waitForAnswers(page, 1);
    for (const position of ["2/2", "3/3"]) {
      await page.locator(".answer").getByRole("button", { name: "Retry", exact: true }).click();
      await page.getByText(position).waitFor();
      await waitForAnswers(page, 1);
    }
    await page.getByRole("button", { name: "Earlier answer" }).press("Enter");
    await page.getByText("2/3").waitFor();
    await expect.poll(() => focused(page)).toBe("Earlier answer");
    await page.keyboard.press("Enter");
    await page.getByText("1/3").waitFor();
    await page.locator(".answer:focus").waitFor();
    await context.close();
  });

  it("R252 preferences follow the user: a second tab at once, another device when it is looked at", async () => {
    const { page, context } = await stage.visit();
    const name = (await page.evaluate(() => localStorage.getItem("mull.user"))) ?? "";
    const tab = await context.newPage();
    await tab.goto(stage.url);
    await tab.locator("#composer:focus").waitFor();
    const other = await openPage(stage.browser, {});
    await other.page.goto(stage.url);
    await other.page.getByLabel("Name or e-mail").fill(name);
    await other.page.getByLabel("Password").fill("a long password");
    await other.page.getByRole("button", { name: "Sign in" }).click();
    await other.page.locator("#composer:focus").waitFor();
    await page.getByRole("button", { name: /^Theme: system/ }).click();
    await page.getByRole("button", { name: /^Theme: light/ }).click();
    const saved = page.waitForResponse((response) =>
      Boolean(response.request().postData()?.includes('"level":"high"')),
    );
    await page.locator("#composer").press("Alt+ArrowUp");
    await page.getByRole("radio", { name: "high", checked: true }).waitFor();
    await saved;
    await tab.locator(':root[data-theme="dark"]').waitFor();
    await expect
      .poll(async () => {
        await other.page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
        return other.page.locator(':root[data-theme="dark"]').count();
      })
      .toBe(1);
    await other.page.reload();
    await other.page.getByRole("radio", { name: "high", checked: true }).waitFor();
    await other.context.close();
    await context.close();
  });

  it("R197 the inspector shows the request of every answer, and what it leaves out", async () => {
    const { page, context, complaints } = await stage.visit();
    await ask(page, "okay - what's going on in the markets today?");
    await waitForAnswers(page, 1);
    await ask(page, "What is 23 * 47?");
    await waitForAnswers(page, 2);
    await page.getByRole("button", { name: "Inspect", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "What would be sent" });
    await dialog.getByText("Everything so far and your draft, 7 messages").waitFor();
    await dialog
      .getByLabel("As of")
      .selectOption({ label: "answer 1, step 2 of 2 · claude-opus-5-5" });
    await dialog
      .getByText(
        "What came before answer 1, step 2 of 2, 3 messages. Left out: the answer itself and 2 messages after it.",
      )
      .waitFor();
    await dialog.getByText("The receipt shows thinking and room.").waitFor();
    expect(await dialog.locator("tbody tr").count()).toBe(4);
    await dialog.getByLabel("Model").selectOption("openai:gpt-6-sol");
    await dialog.getByText("1 part withheld").waitFor();
    await dialog.getByText("It was sent to claude-opus-5-5 at med.").waitFor();
    expect(await dialog.locator(".withheld .why").innerText()).not.toBe("");
    await keepPicture(page, "inspector-as-of");
    await dialog.getByRole("button", { name: "Answer again with this" }).click();
    await page.locator(".answer .by", { hasText: "gpt-6-sol" }).waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });
});

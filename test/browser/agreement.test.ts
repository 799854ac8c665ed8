import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { BrowserContext, Page, Route } from "playwright-core";
import { ask, keepPicture, openStage, scan, waitForAnswers, type Stage } from "./harness.ts";
import { inChromium } from "./in-chromium.ts";

/** What the server has, read past the page with the session of its browser. */
async function serverHas<T>({ request }: BrowserContext, url: string): Promise<T> {
  const response = await request.get(url);
  expect(response.status()).toBe(200);
  return (await response.json()) as T;
}

interface Listed {
  readonly conversations: readonly { readonly id: string; readonly title: string }[];
}

const chosenModel = (page: Page): Promise<string | null> =>
  page.getByTitle("Choose a model").textContent();

interface Turns {
  readonly turns: readonly { readonly state: string }[];
}

async function stateOfTurn(page: Page, context: BrowserContext): Promise<string | undefined> {
  const { origin, hash } = new URL(page.url());
  const path = `/api/conversations/${hash.slice("#/c/".length)}/turns`;
  return (await serverHas<Turns>(context, `${origin}${path}`)).turns.at(-1)?.state;
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByRole("button", { name: "Sign out" }).click();
}

describe.runIf(inChromium)("the page shows what the server has", { timeout: 60_000 }, () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  }, 60_000);
  afterEach(() => stage.searches.open());
  afterAll(() => stage?.close());

  it("R252 an answer is found again after one more that failed, and the model stays chosen", async () => {
    const { page, complaints } = await stage.visit();
    await ask(page, "What is 23 * 47?");
    await waitForAnswers(page, 1);
    const [answer, model] = [await page.locator(".answer").textContent(), await chosenModel(page)];
    await page.getByRole("button", { name: "Retry with another model" }).click();
    await page.getByLabel("Search models").fill("o3-mini");
    await page.keyboard.press("Enter");
    await page.getByText("Model not found").waitFor();
    await page.reload();
    await page.getByText("Model not found").waitFor();
    expect(await chosenModel(page)).toBe(model);
    await page.getByRole("button", { name: "Earlier answer" }).click();
    await waitForAnswers(page, 1);
    expect(await page.locator(".answer").textContent()).toBe(answer);
    expect(complaints).toEqual([]);
  });

  it("R252 a user who deletes and signs out at once has deleted", async () => {
    const { page, context, complaints } = await stage.visit();
    await ask(page, "What is 23 * 47?");
    await waitForAnswers(page, 1);
    const who = await serverHas<{ readonly name: string }>(context, `${stage.url}/api/account`);
    await page.getByLabel("More about What is 23 * 47?").click();
    await page.getByRole("button", { name: "Delete" }).click();
    await signOut(page);
    await page.getByLabel("Name or e-mail").fill(who.name);
    await page.getByLabel("Password").fill("a long password");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("No conversations yet.").waitFor();
    const { conversations } = await serverHas<Listed>(context, `${stage.url}/api/conversations`);
    expect(conversations).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it("R252 a sign-out that does not reach the server is not shown as one", async () => {
    const { page, context } = await stage.visit();
    await page.route("**/api/account/sign-out", (route) => route.abort());
    await signOut(page);
    await page.getByText("You are still signed in.").first().waitFor();
    await serverHas(context, `${stage.url}/api/account`);
    await page.unroute("**/api/account/sign-out");
    await signOut(page);
    await page.getByLabel("Password").waitFor();
    expect((await context.request.get(`${stage.url}/api/account`)).status()).toBe(401);
  });

  it("R252 who stops before the server has taken the question has stopped it", async () => {
    const { page, context, complaints } = await stage.visit();
    const held = new Promise<Route>((resolve) => {
      void page.route("**/api/chat", resolve);
    });
    await ask(page, "okay - what's going on in the markets today?");
    await page.keyboard.press("Escape");
    await (await held).continue();
    await page
      .getByText(/^Stopped/)
      .first()
      .waitFor();
    expect(await stateOfTurn(page, context)).toBe("stopped");
    expect(complaints).toEqual([]);
  });

  it("R252 a stop that did not arrive is told and can be asked for again", async () => {
    const { page, context } = await stage.visit();
    stage.searches.close();
    await page.route("**/api/chat/*/stop", (route) => route.abort(), { times: 1 });
    await ask(page, "slowly, what's going on in the markets today?");
    await page.locator(".answer").waitFor();
    await page.keyboard.press("Escape");
    await page.getByText("The server cannot be reached.").first().waitFor();
    await page.keyboard.press("Escape");
    await page.getByText("Stopped.").first().waitFor();
    expect(await stateOfTurn(page, context)).toBe("stopped");
  });

  it("R252 what was queued is there after a reload, and what was written beside an example", async () => {
    const { page, complaints } = await stage.visit();
    const field = page.getByLabel("Message", { exact: true });
    stage.searches.close();
    await field.fill("not finished");
    await page.getByRole("button", { name: /markets today/ }).click();
    await page.locator(".answer").waitFor();
    expect(await field.inputValue()).toBe("not finished");
    await ask(page, "And what about crypto specifically?");
    await page.getByText("▸ queued").waitFor();
    await page.reload();
    stage.searches.open();
    await waitForAnswers(page, 1);
    expect(await field.inputValue()).toBe("And what about crypto specifically?");
    expect(complaints).toEqual([]);
  });

  it("R252 the changed words of a question are there after a reload, in their place", async () => {
    const { page, complaints } = await stage.visit();
    await ask(page, "What is 23 * 47?");
    await waitForAnswers(page, 1);
    await page.getByRole("button", { name: "Edit" }).click();
    const field = page.getByLabel("Edit the question");
    await field.fill("What is 24 * 47?");
    await page.reload();
    await expect.poll(() => field.inputValue()).toBe("What is 24 * 47?");
    await field.press("Enter");
    await page.locator(".answer .text", { hasText: "1,128" }).waitFor();
    await page.reload();
    await waitForAnswers(page, 1);
    expect(await field.count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it("R252 who writes on before a slow server has answered loses nothing", async () => {
    const { page, complaints } = await stage.visit();
    const field = page.getByLabel("Message", { exact: true });
    await ask(page, "What is 23 * 47?");
    await waitForAnswers(page, 1);
    await field.fill("And times");
    const waiting: (() => void)[] = [];
    await page.route("**/api/account*", async (route) => {
      await new Promise<void>((resolve) => void waiting.push(resolve));
      await route.continue();
    });
    await page.reload();
    await expect.poll(() => field.inputValue()).toBe("And times");
    await field.press("End");
    await field.pressSequentially(" two?");
    expect(await page.locator(".empty").count()).toBe(0);
    await expect.poll(() => waiting.length).toBe(1);
    waiting[0]?.();
    await waitForAnswers(page, 1);
    expect(await field.inputValue()).toBe("And times two?");
    expect(complaints).toEqual([]);
  });

  it("R252 another user in another tab is the user of every tab", async () => {
    const { page, context } = await stage.visit();
    await ask(page, "What is 23 * 47?");
    await waitForAnswers(page, 1);
    const other = await context.newPage();
    await other.goto(stage.url);
    await signOut(other);
    await page.getByLabel("Password").waitFor();
    await other.getByRole("button", { name: "Create an account" }).click();
    await other.getByLabel("Name or e-mail").fill("the other one");
    await other.getByLabel("Password").fill("a long password");
    await other.getByRole("button", { name: "Create account" }).click();
    await page.getByText("No conversations yet.").waitFor();
    expect(await page.getByText("23 * 47").allTextContents()).toEqual([
      "What is 23 * 47? thinks a little",
    ]);
  });

  it("R252 what was chosen without a network reaches the server with it", async () => {
    const { page, context, complaints } = await stage.visit();
    await context.setOffline(true);
    await page.getByRole("button", { name: "Theme: system. Change to light" }).click();
    await page.getByRole("button", { name: "Theme: light. Change to dark" }).click();
    const sent = page.waitForResponse(
      (response) => response.request().method() === "PATCH" && response.ok(),
    );
    await context.setOffline(false);
    await sent;
    const kept = await serverHas(context, `${stage.url}/api/preferences`);
    expect(kept).toMatchObject({ theme: "dark" });
    expect(complaints).toEqual([]);
  });

  it("R252 a receipt goes with its conversation and leaves no hole", async () => {
    const { page, complaints } = await stage.visit();
    await ask(page, "What is 23 * 47?");
    await waitForAnswers(page, 1);
    const width = await page.locator("#thread").evaluate((thread) => thread.clientWidth);
    await page.getByRole("button", { name: "Receipt" }).click();
    await page.getByRole("complementary", { name: "Receipt · answer 1" }).waitFor();
    await page.getByRole("button", { name: "New" }).click();
    await page.getByRole("heading", { name: "One thinking dial for every model" }).waitFor();
    expect(await page.locator("#thread").evaluate((thread) => thread.clientWidth)).toBe(width);
    expect(complaints).toEqual([]);
  });

  it("F-W22 a new password is the server's, and ends the sessions elsewhere", async () => {
    const { page, context } = await stage.visit();
    const { name } = await serverHas<{ readonly name: string }>(
      context,
      `${stage.url}/api/account`,
    );
    const change = async (current: string): Promise<void> => {
      await page.getByLabel("Current password").fill(current);
      await page.getByLabel("New password").fill("another long password");
      await page.getByRole("button", { name: "Change", exact: true }).click();
    };
    const elsewhere = await stage.browser.newContext();
    const signIn = async (password: string): Promise<number> => {
      const headers = { origin: stage.url };
      const url = `${stage.url}/api/account/sign-in`;
      return (await elsewhere.request.post(url, { headers, data: { name, password } })).status();
    };
    expect(await signIn("a long password")).toBe(200);
    await page.getByRole("button", { name: "Settings" }).click();
    await page.getByText("Change the password").click();
    await change("not the password");
    await page.getByText(/is wrong/).waitFor();
    expect(await scan(page)).toEqual([]);
    await keepPicture(page, "change-password");
    await change("a long password");
    await page.getByText("The password is changed.").waitFor();
    expect((await elsewhere.request.get(`${stage.url}/api/account`)).status()).toBe(401);
    expect([await signIn("a long password"), await signIn("another long password")]).toEqual([
      401, 200,
    ]);
    await serverHas(context, `${stage.url}/api/account`);
  });
});

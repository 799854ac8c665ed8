import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openServerKeys } from "@mull/server";
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
  let folder = "";
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "mull-one-person-"));
    stage = await openStage({
      entrance: { link, isForOne: true },
      serverKeys: openServerKeys({ env: {}, file: join(folder, "credentials.json") }),
    });
  }, 60_000);
  afterAll(async () => {
    await stage?.close();
    await rm(folder, { recursive: true, force: true });
  });

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
    await page.getByRole("button", { name: "API keys" }).click();
    const keys = page.getByRole("dialog", { name: "API keys" });
    await keys.getByLabel("Provider").selectOption("OpenAI");
    await keys.getByLabel("Key", { exact: true }).fill("sk-typed-0123456789abcdef");
    await keys.getByRole("button", { name: "Store" }).click();
    await keys.getByText("The key for OpenAI is stored.").waitFor();
    expect(await keys.getByLabel("Key", { exact: true }).inputValue()).toBe("");
    expect(await page.content()).not.toContain("sk-typed");
    expect(await scan(page)).toEqual([]);
    await keepPicture(page, "keys-light");
    expect(await readFile(join(folder, "credentials.json"), "utf8")).toContain("sk-typed");
    await keys.getByRole("button", { name: "Remove the key for OpenAI" }).click();
    await keys.getByText("The key for OpenAI is removed.").waitFor();
    await keys.getByRole("button", { name: "Close" }).click();
    await page.getByRole("button", { name: "Settings" }).click();
    await page.getByText("Create an account").click();
    expect(await scan(page)).toEqual([]);
    await keepPicture(page, "make-account-light");
    await page.getByLabel("Name or e-mail").fill("ann");
    await page.getByLabel("Password").fill("correct horse");
    await page.getByRole("button", { name: "Create account" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.getByText("What is 2 + 2?").first().waitFor();
    const account = await page.evaluate(async () => (await fetch("/api/account")).json());
    expect(account).toMatchObject({ name: "ann", hasPassword: true });
    expect(complaints).toEqual([]);
    await context.close();
  });

  it("tells anyone who opens a spent link what to do", async () => {
    const { page, context } = await openPage(stage.browser, {});
    await page.goto(`${stage.url}/#/link/${link}`);
    await page.getByText("This link was used before").waitFor();
    expect(page.url()).not.toContain(link);
    await context.close();
  });
});

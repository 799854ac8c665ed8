import { fails, says, script, thinks } from "@mull/emulator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ask, keepPicture, openStage, scan, waitForAnswers, type Stage } from "./harness.ts";
import { inChromium } from "./in-chromium.ts";

const busy = "This request would exceed your rate limit of 50 requests per minute";
const refusal = "messages.1.content.0: this block could not be verified";

describe.runIf(inChromium)("what to do when a turn is not whole", { timeout: 60_000 }, () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage({
      scripts: [
        script(
          { text: "refuse" },
          [fails({ status: 400, type: "invalid_request_error", message: refusal })],
          [thinks("Hm."), says("Fixed.")],
        ),
        script(
          { text: "too often" },
          [
            fails({
              status: 429,
              type: "rate_limit_error",
              message: busy,
              retry: { form: "seconds", ms: 90_000 },
            }),
          ],
          [says("There was room.")],
        ),
        script({ text: "without a key" }, [
          fails({ status: 401, type: "authentication_error", message: "invalid x-api-key" }),
        ]),
        script(
          { text: "think for long" },
          [thinks("one more thought ".repeat(10_000))],
          [thinks("Hm."), says("Enough room.")],
        ),
      ],
      faults: "pace=0",
    });
  }, 60_000);
  afterAll(() => stage?.close());

  it("a refused turn says why and is fixed and sent again", async () => {
    const { page, complaints } = await stage.visit();
    await ask(page, "What is 2 + 2?");
    await waitForAnswers(page, 1);
    await ask(page, "refuse this");
    await page.getByText(refusal).first().waitFor();
    await page.getByRole("button", { name: "Retry with…" }).waitFor();
    await keepPicture(page, "refused-turn");
    await page.getByRole("button", { name: "Fix and retry" }).click();
    await page.getByRole("article").getByText("Fixed.").waitFor();
    expect(complaints).toEqual([]);
  });

  it("a rate limit has a reason and counts down, also over a reload", async () => {
    const { page, context } = await stage.visit();
    await page.clock.install();
    await ask(page, "too often");
    await page.locator(".failure").getByText("Too many requests · Anthropic").waitFor();
    await page.locator(".failure").getByText(busy).waitFor();
    const retry = page.getByRole("button", { name: /^Retry in \d+ s$/ });
    expect(await retry.isDisabled()).toBe(true);
    await page.clock.fastForward(30_000);
    await page.getByRole("button", { name: /^Retry in [56]\d s$/ }).waitFor();
    await page.clock.fastForward(60_000);
    await page.getByRole("button", { name: "Retry", exact: true }).click();
    await page.getByRole("article").getByText("There was room.").waitFor();
    await context.close();
  });

  it("a refused key leads to where keys are set", async () => {
    const { page, context } = await stage.visit();
    await ask(page, "without a key");
    await page.locator(".failure").getByText("The key was refused · Anthropic").waitFor();
    await keepPicture(page, "refused-key");
    await page.getByRole("button", { name: "Set the key" }).click();
    await page.getByRole("dialog").waitFor();
    expect(await scan(page)).toEqual([]);
    await context.close();
  });

  it("F-S2 thinking ate the room: more room is offered and taken", async () => {
    const { page, complaints } = await stage.visit();
    await ask(page, "think for long");
    await page
      .getByText(/No answer: thinking took/)
      .first()
      .waitFor({ timeout: 45_000 });
    await keepPicture(page, "no-room");
    await page.getByRole("button", { name: /Retry with room for/ }).click();
    await page.getByRole("article").getByText("Enough room.").waitFor();
    expect(complaints).toEqual([]);
  });

  it("F-W10, F-W25 a question that is too long is told so and stays where it was written", async () => {
    const { page, complaints } = await stage.visit();
    const field = page.getByLabel("Message", { exact: true });
    const long = "one line of a log\n".repeat(60_000);
    // To type so many lines takes the browser itself minutes.
    await field.evaluate((element, text) => {
      (element as HTMLTextAreaElement).value = text;
      element.dispatchEvent(new Event("input", { bubbles: true }));
    }, long);
    await field.press("Enter");
    await page
      .getByText(/The message has 1,080,000 characters; 1,000,000 is the most/)
      .first()
      .waitFor();
    expect((await field.inputValue()) === long).toBe(true);
    await keepPicture(page, "question-too-long");
    // Lines find their direction without the attribute that makes browsers look at all of them for each.
    await field.fill("שלום");
    expect(await field.evaluate((element) => getComputedStyle(element).unicodeBidi)).toBe(
      "plaintext",
    );
    expect(await field.getAttribute("dir")).toBeNull();
    await ask(page, "What is 2 + 2?");
    await waitForAnswers(page, 1);
    expect(complaints).toEqual([expect.stringContaining("413")]);
  });

  it("an answer is given again by another model", async () => {
    const { page, complaints } = await stage.visit();
    await ask(page, "What is 2 + 2?");
    await waitForAnswers(page, 1);
    await page.getByRole("button", { name: "Retry with another model" }).click();
    await page.getByRole("dialog", { name: "Answer again with" }).waitFor();
    await keepPicture(page, "retry-with");
    await page.getByLabel("Search models").fill("gpt-6-sol");
    await page.keyboard.press("Enter");
    await page.getByRole("article", { name: /Answer of gpt-6-sol/ }).waitFor();
    await waitForAnswers(page, 1);
    expect(complaints).toEqual([]);
  });

  it("what is opened without a network says why, and is there when the network is", async () => {
    const { page, context } = await stage.visit();
    await ask(page, "What is 23 * 47?");
    await waitForAnswers(page, 1);
    await page.getByRole("button", { name: "New", exact: true }).click();
    await context.setOffline(true);
    await page.getByRole("link", { name: "What is 23 * 47?" }).click();
    const trouble = page.locator("#thread [role=alert]");
    await trouble.getByText("The server cannot be reached.").waitFor();
    await trouble.getByRole("button", { name: "Try again" }).waitFor();
    expect(await trouble.innerText()).not.toContain("deleted");
    await context.setOffline(false);
    await waitForAnswers(page, 1);
    expect(await trouble.count()).toBe(0);
    await context.close();
  });

  it("a server that was replaced says that this page is old", async () => {
    const { page, complaints } = await stage.visit();
    await page.route("**/api/conversations?*", async (route) => {
      const response = await route.fetch();
      const headers = { ...response.headers(), "x-mull-page": '"another"' };
      await route.fulfill({ response, headers });
    });
    await ask(page, "What is 2 + 2?");
    await page.getByText("The server is newer than this page.").waitFor();
    expect(complaints).toEqual([]);
  });

  it("F-H2 what cannot be read is told, left out and copied around; nothing is lost", async () => {
    const { page, complaints } = await stage.visit();
    await ask(page, "What is 23 * 47?");
    await waitForAnswers(page, 1);
    const { messages } = [...stage.rows.conversations.values()].at(-1)!;
    const answer = messages.at(-1)!;
    const parts = '[{"type":"text","text":"Still here."},{"type":"nonsense"}]';
    messages.splice(-1, 1, { ...answer, encoded: { ...answer.encoded, parts } });
    await page.reload();
    await page.getByText("Some of this conversation can't be read.").waitFor();
    await page.getByText("Still here.").waitFor();
    await page.getByText("1 piece of this message cannot be read.").waitFor();
    expect(await scan(page)).toEqual([]);
    await keepPicture(page, "unreadable");
    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: "Download as stored" }).click();
    expect((await download).suggestedFilename()).toMatch(/\.json$/);
    await ask(page, "What is 2 + 2?");
    await waitForAnswers(page, 2);
    await page.getByRole("button", { name: "Continue in a copy" }).click();
    await page.getByRole("heading", { level: 1, name: /\(fork\)$/ }).waitFor();
    await waitForAnswers(page, 2);
    expect(await page.getByText("cannot be read").count()).toBe(0);
    expect(await page.getByText("Still here.").count()).toBe(1);
    expect(complaints).toEqual([]);
  });

  it("a broken file is shown to read, with the reason, and nothing can be added", async () => {
    const { page } = await stage.visit();
    const history = {
      version: 99,
      messages: [
        { role: "user", parts: [{ type: "text", text: "An old question" }] },
        { role: "assistant", parts: [{ type: "text", text: "An old answer" }] },
      ],
    };
    await page.getByRole("button", { name: "Settings" }).click();
    await page.getByLabel("Import a conversation").setInputFiles({
      name: "old.json",
      mimeType: "application/json",
      buffer: Buffer.from(JSON.stringify({ history })),
    });
    await page.getByText("Read only: this file was not imported.").waitFor();
    await page.getByText("An old answer").waitFor();
    await page.keyboard.press("Escape");
    await keepPicture(page, "read-only");
    expect(await page.getByRole("button", { name: /Retry|Edit/ }).count()).toBe(0);
    expect(await page.getByLabel("Message", { exact: true }).count()).toBe(0);
  });
});

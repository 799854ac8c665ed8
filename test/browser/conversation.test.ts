import { calls, says, script, thinks } from "@mull/emulator";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Page } from "playwright-core";
import { ask, keepPicture, openStage, waitForAnswers, type Stage } from "./harness.ts";
import { inChromium } from "./in-chromium.ts";

const longThought = Array.from({ length: 60 }, (_, n) => `Thought number ${n} of many.`).join(" ");
const longAnswer = Array.from({ length: 40 }, (_, n) => `Sentence ${n} of the answer.`).join(" ");

describe.runIf(inChromium)("a conversation in a browser", { timeout: 60_000 }, () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage({
      scripts: [
        {
          when: { text: "/slowly\\.$/" },
          turns: [[thinks(longThought), says(longAnswer)]],
          repeat: true,
        },
        script(
          { text: "in a loop" },
          [thinks("I search first."), calls("searchWeb", { query: "markets" })],
          [says("Handed over.")],
        ),
      ],
    });
  }, 60_000);
  afterEach(() => {
    stage.answers.open();
    stage.searches.open();
  });
  afterAll(() => stage?.close());

  /** Asks, and holds the answer up in the middle of its thinking. */
  async function askAndHold(page: Page): Promise<void> {
    stage.answers.close();
    await ask(page, "Answer slowly.");
    await page.getByText("Thought number 0").first().waitFor();
  }

  it("R196 R197 shows thinking as it streams, folds it, keeps what the user opened", async () => {
    const { page, complaints } = await stage.visit();
    await askAndHold(page);
    const thinking = page.locator(".work");
    await thinking.locator("summary", { hasText: /^Thinking…/ }).waitFor();
    await page.locator(".peek").getByText("Thought number 0").waitFor();
    await keepPicture(page, "thinking-streams");
    stage.answers.open();
    await waitForAnswers(page, 1);
    expect(await page.locator(".peek").count()).toBe(0);
    expect(await thinking.locator("details[open]").count()).toBe(0);
    expect(await thinking.locator("summary").textContent()).toMatch(
      /^Thought for [\d.]+ s · [\d,]+ tokens · summary$/,
    );
    await thinking.locator("summary").click();
    await thinking.getByText("Thought number 59").waitFor();
    await ask(page, "What is 23 * 47?");
    await waitForAnswers(page, 2);
    expect(await thinking.first().locator("details[open]").count()).toBe(1);
    await page.locator(".answer .text").getByText("1,081").waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it("shows tools in order, opens input and output, and the receipt of each step", async () => {
    const { page, complaints } = await stage.visit();
    await ask(page, "okay - what's going on in the markets today?");
    await waitForAnswers(page, 1);
    const kinds = await page
      .locator(".answer > :is(.work, .text)")
      .evaluateAll((all) => all.map((each) => each.classList[0]));
    expect(kinds).toEqual(["work", "text"]);
    const line = page.locator(".work > details > summary");
    expect(await line.textContent()).toMatch(/^Thought [^·]+ · searchWeb · Thought [^·]+$/);
    await line.click();
    expect(await page.locator(".step").count()).toBe(3);
    await page.locator(".tool summary").click();
    await page.locator(".tool-body", { hasText: "Output" }).waitFor();
    await page.getByRole("button", { name: "Receipt" }).click();
    const drawer = page.getByRole("complementary", { name: "Receipt · answer 1" });
    const steps = drawer.getByRole("heading", { level: 3 });
    await steps.first().waitFor();
    expect(await steps.allTextContents()).toEqual([
      "Step 1 · claude-opus-5-5",
      "Step 2 · claude-opus-5-5",
    ]);
    expect(await drawer.textContent()).toMatch(/asked.*applied.*sent.*room.*tokens.*cost/s);
    await keepPicture(page, "receipt");
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it("F-W14 goes on with a turn after a reload in its middle, and tells the same", async () => {
    const { page, complaints } = await stage.visit();
    await askAndHold(page);
    await page.reload();
    await page.locator(".work summary", { hasText: /^Thinking…/ }).waitFor();
    stage.answers.open();
    await waitForAnswers(page, 1);
    expect(await page.locator(".answer .text").textContent()).toBe(longAnswer);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it("F-W14 a second tab follows the same turn", async () => {
    const { page, context } = await stage.visit();
    await askAndHold(page);
    const second = await context.newPage();
    await second.goto(page.url());
    await second.locator(".work summary", { hasText: /^Thinking…/ }).waitFor();
    stage.answers.open();
    await Promise.all([waitForAnswers(page, 1), waitForAnswers(second, 1)]);
    expect(await second.locator(".answer .text").textContent()).toBe(longAnswer);
    expect(await page.locator(".answer .text").textContent()).toBe(longAnswer);
    await context.close();
  });

  it("F-W14 loses the line and finds the rest of the turn", async () => {
    const { page, context, complaints } = await stage.visit();
    await askAndHold(page);
    for (let cut = 0; cut < 3; cut++) {
      const takenUp = page.waitForResponse(/\/stream\?/);
      await context.setOffline(true);
      await context.setOffline(false);
      await takenUp;
    }
    stage.answers.open();
    await waitForAnswers(page, 1);
    expect(await page.locator(".answer .text").textContent()).toBe(longAnswer);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it("says so when the line stays away, keeps what is typed, and comes back", async () => {
    const { page, context } = await stage.visit();
    await askAndHold(page);
    await context.setOffline(true);
    await page.getByText("Reconnecting…").waitFor();
    await page.getByLabel("Message", { exact: true }).fill("not lost");
    await keepPicture(page, "reconnecting");
    await context.setOffline(false);
    await page.getByText("Connected again.").waitFor();
    stage.answers.open();
    await waitForAnswers(page, 1);
    expect(await page.getByText("Reconnecting…").count()).toBe(0);
    await page.reload();
    await waitForAnswers(page, 1);
    expect(await page.getByLabel("Message", { exact: true }).inputValue()).toBe("not lost");
    await context.close();
  });

  it("F-W14 lets go of an answer out of sight, and has all of it when it is looked at", async () => {
    const { page, complaints } = await stage.visit();
    const show = (state: DocumentVisibilityState): Promise<void> =>
      page.evaluate((visibility) => {
        Object.defineProperty(document, "visibilityState", {
          configurable: true,
          get: () => visibility,
        });
        document.dispatchEvent(new Event("visibilitychange"));
      }, state);
    await askAndHold(page);
    const letGo = page.waitForEvent("requestfailed", (lost) => lost.url().endsWith("/api/chat"));
    await show("hidden");
    await letGo;
    const takenUp = page.waitForRequest(/\/stream\?/);
    await show("visible");
    await takenUp;
    stage.answers.open();
    await waitForAnswers(page, 1);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it("F-W13 stops on Escape and keeps what came; the next question works", async () => {
    const { page } = await stage.visit();
    await askAndHold(page);
    await page.getByLabel("Message", { exact: true }).press("Escape");
    await page
      .getByText("Stopped. The partial answer is kept here but won't be sent to the model.")
      .first()
      .waitFor();
    expect(await page.locator(".work summary").textContent()).toMatch(/^Thinking stopped/);
    await keepPicture(page, "stopped");
    stage.answers.open();
    await ask(page, "What is 23 * 47?");
    await waitForAnswers(page, 2);
    await page.locator(".answer .text").getByText("1,081").waitFor();
    await page.context().close();
  });

  it("hands a running turn to another model, from its next step on", async () => {
    const { page } = await stage.visit();
    stage.searches.close();
    await ask(page, "Do this in a loop.");
    await page.locator(".work summary", { hasText: /searchWeb running$/ }).waitFor();
    await page.getByRole("button", { name: /^claude-opus-5-5/ }).click();
    await page.getByLabel("Search models").fill("gpt-6-sol");
    const taken = page.waitForResponse(/\/use$/);
    await page.getByLabel("Search models").press("Enter");
    await page.getByText("gpt-6-sol continues from here.").first().waitFor();
    await page.locator(".plan").getByText("sends effort medium").waitFor();
    await taken;
    stage.searches.open();
    await waitForAnswers(page, 1);
    await page.locator(".answer").getByText("Handed over.").waitFor();
    await page.getByRole("button", { name: "Receipt" }).click();
    const drawer = page.getByRole("complementary", { name: "Receipt · answer 1" });
    expect(await drawer.textContent()).toContain("gpt-6-sol");
    expect(await page.locator(".step.thinking").first().textContent()).toContain(
      "withheld from gpt-6-sol",
    );
    await keepPicture(page, "handed-over");
    await page.context().close();
  });

  it("edits into a branch, retries into another, forks, renames, deletes and takes it back", async () => {
    const { page, complaints } = await stage.visit();
    await ask(page, "What is 23 * 47?");
    await waitForAnswers(page, 1);
    await page.getByRole("button", { name: "Edit", exact: true }).click();
    await page.getByLabel("Edit the question").fill("What is 12 * 12?");
    await page.getByRole("button", { name: "Ask again" }).click();
    await page.locator(".answer .text").getByText("144").waitFor();
    await waitForAnswers(page, 1);
    await page.getByText("2/2").waitFor();
    await page.getByRole("button", { name: "Earlier question" }).click();
    await page.locator(".answer .text").getByText("1,081").waitFor();
    await page.getByRole("button", { name: "Retry", exact: true }).click();
    await waitForAnswers(page, 1);
    await page.getByRole("group", { name: "Versions of this answer" }).getByText("2/2").waitFor();
    await keepPicture(page, "branches");
    await page.locator(".answer").getByRole("button", { name: "Fork from here" }).click();
    await page.getByRole("heading", { level: 1, name: /\(fork\)$/ }).waitFor();
    const row = page.getByRole("link", { name: /\(fork\)$/ });
    await row.press("F2");
    await page.getByLabel("New title").fill("My fork");
    await page.getByLabel("New title").press("Enter");
    await page.getByRole("heading", { level: 1, name: "My fork" }).waitFor();
    await page.getByLabel("More about My fork").click();
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("link", { name: "My fork" }).waitFor();
    // Leaving the page right away does not undo the deletion.
    await page.getByLabel("More about My fork").click();
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("button", { name: "Undo" }).waitFor();
    const address = page.url();
    await page.goto("about:blank");
    await page.goto(address);
    await page.getByRole("link", { name: "What is 23 * 47?", exact: true }).first().waitFor();
    await expect.poll(() => page.getByRole("link", { name: "My fork" }).count()).toBe(0);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it("queues what is sent during a turn, and searches conversations", async () => {
    const { page } = await stage.visit();
    await askAndHold(page);
    await ask(page, "What is 23 * 47?");
    await page.getByText("▸ queued: What is 23 * 47?").waitFor();
    stage.answers.open();
    await waitForAnswers(page, 2);
    await page.keyboard.press("Control+k");
    await page.keyboard.type("23 * 47");
    await page.getByRole("link", { name: "Answer slowly." }).waitFor();
    await page.getByLabel("Search conversations").fill("nowhere to be found");
    await page.getByText("Nothing found.").waitFor();
    expect(await page.getByRole("navigation").getByRole("link").count()).toBe(0);
    await page.context().close();
  });

  it.each([
    ["Escape", (page: Page) => page.keyboard.press("Escape")],
    ["its button", (page: Page) => page.getByRole("button", { name: "Stop" }).click()],
  ])("R252 stops with %s: what was queued is in the composer and not sent", async (_, stop) => {
    const { page, complaints } = await stage.visit();
    await askAndHold(page);
    await ask(page, "What is 23 * 47?");
    await page.getByText("▸ queued: What is 23 * 47?").waitFor();
    await stop(page);
    await expect.poll(() => page.getByLabel("Message").inputValue()).toBe("What is 23 * 47?");
    await page.getByRole("button", { name: "Send" }).waitFor();
    expect(await page.locator(".question").count()).toBe(1);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it("F-W17 shows the end of a long conversation, and more of it on demand", async () => {
    const { page, complaints } = await stage.visit();
    const shown = page.locator("#thread [data-message]");
    await open(
      page,
      Array.from({ length: 700 }, (_, nth) => ({
        role: nth % 2 === 0 ? "user" : "assistant",
        parts: [{ type: "text", text: `Message ${nth}` }],
      })),
    );
    await page.getByText("Message 699", { exact: true }).waitFor();
    await expect.poll(() => shown.count()).toBe(300);
    await page.getByRole("button", { name: "Show earlier messages (400)" }).click();
    await expect.poll(() => shown.count()).toBe(600);
    expect(await page.locator(":focus .said").textContent()).toBe("Message 400");
    await page.getByRole("button", { name: "Show earlier messages (100)" }).click();
    await expect.poll(() => shown.count()).toBe(700);
    expect(await page.getByRole("button", { name: "Show earlier" }).count()).toBe(0);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it("R252 shows the files of a question, and keeps them when it is edited", async () => {
    const { page, complaints } = await stage.visit();
    const dot =
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    await open(page, [
      {
        role: "user",
        parts: [
          fileOf("image/png", "dot.png", dot),
          fileOf("application/pdf", "plan.pdf", btoa("%PDF-1.4")),
          { type: "text", text: "What is this?" },
        ],
      },
      { role: "assistant", parts: [{ type: "text", text: "A dot." }] },
    ]);
    const picture = page.locator(".question img");
    await expect
      .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBe(1);
    expect(await picture.getAttribute("alt")).toBe("dot.png");
    await page.locator(".question").getByText("plan.pdf (application/pdf, 8 B)").waitFor();
    await page.getByRole("button", { name: "Edit", exact: true }).click();
    await page.getByLabel("Edit the question").fill("What is 12 * 12?");
    await page.getByRole("button", { name: "Ask again" }).click();
    await page.getByText("2/2").waitFor();
    await waitForAnswers(page, 1);
    expect([await picture.count(), await page.getByText("plan.pdf").count()]).toEqual([1, 1]);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it("F-W13 a question whose answer was stopped before it began is answered again", async () => {
    const { page } = await stage.visit();
    const userId = await page.evaluate(async () => {
      const account = (await (await fetch("/api/account")).json()) as { userId: string };
      return account.userId;
    });
    const { id } = await stage.store.createConversation(userId, { title: "Stopped early" });
    const question = { role: "user" as const, parts: [{ type: "text" as const, text: "2 + 2?" }] };
    const { turn } = await stage.store.beginTurn({
      userId,
      conversationId: id,
      expectedHead: null,
      message: question,
      idempotencyKey: "asked once",
      info: {},
    });
    await stage.store.finishTurn(userId, turn.id, { state: "stopped", messages: [] });
    await page.goto(`${stage.url}/#/c/${id}`);
    await page.getByText("Stopped before anything arrived.").waitFor();
    await page.getByRole("button", { name: "Answer again" }).click();
    await waitForAnswers(page, 1);
    expect(await page.locator(".answer .text").innerText()).toContain("2 + 2 = 4");
    await page.context().close();
  });
});

const fileOf = (mediaType: string, filename: string, data: string): object => ({
  type: "file",
  mediaType,
  filename,
  url: `data:${mediaType};base64,${data}`,
});

/** Opens a conversation that another program held. */
async function open(page: Page, messages: readonly object[]): Promise<void> {
  const id = await page.evaluate(async (given) => {
    const answer = await fetch("/api/conversations/import", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ messages: given }),
    });
    const made = (await answer.json()) as { conversation: { id: string } };
    return made.conversation.id;
  }, messages);
  await page.evaluate((hash) => {
    location.hash = hash;
  }, `#/c/${id}`);
}

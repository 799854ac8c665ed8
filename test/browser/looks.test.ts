import { calls, says, thinks } from "@mull/emulator";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ask, openBlocks, openStage, scan, waitForAnswers, type Stage } from "./harness.ts";
import { inChromium } from "./in-chromium.ts";

const table = [
  "| model | in | thinking | cost | what it is good for, in a sentence |",
  "| - | -: | -: | -: | - |",
  "| gemini-3.1-pro-preview | 1,204 | 2,310 | $0.0098 | long work with many tools and files |",
].join("\n");

const heightOf = (page: Page, selector: string): Promise<number> =>
  page
    .locator(selector)
    .first()
    .evaluate((element) => element.getBoundingClientRect().height);

const overflowOf = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

describe.runIf(inChromium)(
  "what the page looks like where there is little room",
  { timeout: 60_000 },
  () => {
    let stage: Stage;
    beforeAll(async () => {
      stage = await openStage({
        faults: "pace=20",
        scripts: [
          { when: { text: "table" }, turns: [[thinks("Plan."), says(table)]], repeat: true },
          {
            when: { text: "عربي" },
            turns: [[says("- العنصر\n- آخر\n\n> اقتباس\n\n| اسم | عدد |\n| - | - |\n| أ | 1 |")]],
            repeat: true,
          },
          {
            when: { text: "long code" },
            turns: [[says(`\`\`\`ts\n${"const a = 1;\n".repeat(60)}\`\`\``)]],
            repeat: true,
          },
          {
            when: { text: "longly" },
            turns: [[thinks("Let me see. ".repeat(200)), says("A long answer. ".repeat(400))]],
            repeat: true,
          },
          {
            when: { text: "much output" },
            turns: [
              [calls("calculator", { expression: "1+1".padEnd(6000, "+1") })],
              [says("That was much.")],
            ],
            repeat: true,
          },
        ],
      });
    }, 60_000);
    afterAll(() => stage?.close());

    it("R198 a wide table is scrolled to, its words and numbers stay whole", async () => {
      const { page, context } = await stage.visit({ width: 320, height: 640 });
      await ask(page, "A table please");
      await waitForAnswers(page, 1);
      const lines = await page.locator(".markdown td").evaluateAll((cells) =>
        cells.slice(0, 4).map((cell) => {
          const range = document.createRange();
          range.selectNodeContents(cell);
          return range.getClientRects().length;
        }),
      );
      expect(lines).toEqual([1, 1, 1, 1]);
      expect(await overflowOf(page)).toBe(0);
      await context.close();
    });

    it("R198 on the narrowest screen nothing is cut off: title, composer, thoughts, keys", async () => {
      const { page, context } = await stage.visit({ width: 320, height: 640 });
      await ask(page, "Some long code");
      await waitForAnswers(page, 1);
      await ask(page, "A table please");
      await waitForAnswers(page, 2);
      const cutOff = (selector: string): Promise<number> =>
        page
          .locator(selector)
          .evaluateAll((all) =>
            Math.max(...all.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)),
          );
      expect(await cutOff(".thread-head h1")).toBe(0);
      expect(await heightOf(page, ".composer")).toBeLessThan(64);
      const chip = page.getByRole("button", { name: /^Model and thinking:/ });
      await chip.click();
      await ask(page, "A table please");
      // The dial closes again, whichever way the question is sent.
      expect(await chip.getAttribute("aria-expanded")).toBe("false");
      await waitForAnswers(page, 3);
      await openBlocks(page);
      await page.locator(".steps .thought").first().waitFor();
      expect(await cutOff(".message")).toBe(0);
      expect(await heightOf(page, ".answer .actions")).toBeLessThan(50);
      await page.locator("#thread").focus();
      await page.keyboard.press("?");
      const does = page.locator(".help dd", { hasText: "search conversations" });
      await does.waitFor();
      // "search" on one line, "conversations" on the next.
      expect(await does.evaluate((cell) => cell.getBoundingClientRect().height)).toBeLessThan(55);
      await context.close();
    });

    it("F-W13 lists, quotes and tables begin where their language begins", async () => {
      const { page, context } = await stage.visit();
      await ask(page, "تكلم عربي");
      await waitForAnswers(page, 1);
      const sides = await page
        .locator(".markdown > :is(ul, blockquote, .table)")
        .evaluateAll((all) => all.map((element) => getComputedStyle(element).direction));
      expect(sides).toEqual(["rtl", "rtl", "rtl"]);
      await context.close();
    });

    it("F-W13 long code can be copied from wherever it is read", async () => {
      const { page, context } = await stage.visit();
      await ask(page, "Some long code");
      await waitForAnswers(page, 1);
      const thread = await page.locator("#thread").boundingBox();
      const caption = page.locator("figure.code figcaption");
      await expect.poll(async () => (await caption.boundingBox())?.y).toBe(thread?.y);
      await context.close();
    });

    it("F-W13 the stop button keeps its shape on a phone", async () => {
      const { page, context } = await stage.visit({ width: 390, height: 780 });
      await ask(page, "Think longly");
      await page.locator(".work").first().waitFor();
      const stop = page.getByRole("button", { name: "Stop" });
      const box = await stop.boundingBox();
      expect(box?.width).toBe(box?.height);
      await stop.click();
      await page.getByText("Stopped.").waitFor();
      await context.close();
    });

    it("an empty conversation greets from its beginning, however small the screen", async () => {
      const { page, context } = await stage.visit({ width: 320, height: 480 });
      const top = await page
        .locator(".empty h2")
        .evaluate((heading) => heading.getBoundingClientRect().top);
      expect(top).toBeGreaterThanOrEqual(await heightOf(page, ".thread-head"));
      await context.close();
    });

    it("a phone shows the title, and what is rarer in a menu that gives the keyboard back", async () => {
      const { page, context } = await stage.visit({ width: 390, height: 780 });
      await ask(page, "A table please");
      await waitForAnswers(page, 1);
      const title = page.getByRole("heading", { level: 1, name: "A table please" });
      await title.waitFor();
      expect(await title.evaluate((h1) => h1.scrollWidth - h1.clientWidth)).toBe(0);
      const more = page.getByLabel("More about this conversation");
      const inspect = page.getByRole("button", { name: "Inspect", exact: true });
      await more.click();
      await inspect.waitFor();
      expect(await scan(page)).toEqual([]);
      await page.locator("#thread").click({ position: { x: 8, y: 400 } });
      await inspect.waitFor({ state: "hidden" });
      await more.focus();
      await page.keyboard.press("Enter");
      await inspect.focus();
      await page.keyboard.press("Enter");
      await page.getByRole("dialog", { name: "What would be sent" }).waitFor();
      await page.keyboard.press("Escape");
      await page.locator('summary[aria-label="More about this conversation"]:focus').waitFor();
      expect(await page.locator(".menu[open]").count()).toBe(0);
      await context.close();
    });

    it("unseen buttons do not hold a question and its answer apart in a narrow window", async () => {
      const { page, context } = await stage.visit({ width: 390, height: 780 });
      await ask(page, "A table please");
      await waitForAnswers(page, 1);
      const said = await page.locator(".said").boundingBox();
      const answer = await page.locator(".answer").boundingBox();
      expect((answer?.y ?? 0) - (said?.y ?? 0) - (said?.height ?? 0)).toBeLessThanOrEqual(33);
      await context.close();
    });

    it("what can be done with an answer comes with the pointer or the focus, in words", async () => {
      const { page, context } = await stage.visit();
      await ask(page, "A table please");
      await waitForAnswers(page, 1);
      const answer = page.locator(".answer");
      const opacity = (): Promise<string> =>
        answer.locator(".actions").evaluate((actions) => getComputedStyle(actions).opacity);
      await page.mouse.move(0, 0);
      expect(await opacity()).toBe("0");
      await answer.hover();
      expect(await opacity()).toBe("1");
      await page.mouse.move(0, 0);
      await answer.getByRole("button", { name: "Receipt" }).focus();
      expect(await opacity()).toBe("1");
      expect(await answer.locator("footer button").allInnerTexts()).toEqual([
        "Receipt",
        "Copy",
        "Retry",
        "Retry with",
        "Fork",
      ]);
      await context.close();
    });

    it("what is deleted on a phone can be taken back", async () => {
      const { page, context } = await stage.visit({ width: 390, height: 780 });
      await ask(page, "A table please");
      await waitForAnswers(page, 1);
      await page.getByRole("button", { name: "Conversations" }).click();
      await page.getByLabel("More about A table please").click();
      await page.getByRole("button", { name: "Delete" }).click();
      await page.getByRole("button", { name: "Undo" }).click();
      await waitForAnswers(page, 1);
      expect(await page.getByRole("heading", { level: 1 }).innerText()).toBe("A table please");
      await context.close();
    });

    it("R196 a question keeps its height while it is sent, answered and stored", async () => {
      const { page, context } = await stage.visit();
      await page.evaluate(() => {
        const heights = new Set<number>();
        Reflect.set(globalThis, "heights", heights);
        const look = (): void => {
          const question = document.querySelector(".question");
          if (question !== null) heights.add(question.getBoundingClientRect().height);
          requestAnimationFrame(look);
        };
        look();
      });
      await ask(page, "Some long code");
      await waitForAnswers(page, 1);
      await page.locator(".question:not(#m-pending)").waitFor();
      const heights = await page.evaluate(() => [...Reflect.get(globalThis, "heights")]);
      expect(heights).toHaveLength(1);
      await context.close();
    });

    it("prints the whole conversation and nothing to click", async () => {
      const { page, context } = await stage.visit({ theme: "dark", height: 480 });
      await ask(page, "Some long code");
      await waitForAnswers(page, 1);
      await page.emulateMedia({ media: "print", colorScheme: "dark" });
      for (const name of ["Send", "Copy answer", "Inspect", "New"])
        expect(await page.getByRole("button", { name, exact: true }).isVisible()).toBe(false);
      expect(await page.locator(".told .by").isVisible()).toBe(true);
      const { whole, shown, ink } = await page.locator("#thread").evaluate((thread) => ({
        whole: thread.scrollHeight,
        shown: thread.clientHeight,
        ink: getComputedStyle(thread).color,
      }));
      expect(shown).toBe(whole);
      expect(shown).toBeGreaterThan(1000);
      expect(ink).toBe("rgb(29, 28, 26)");
      await context.close();
    });

    it("F-W1 a conversation that is not there says so, and the next question is a new one", async () => {
      const { page, context } = await stage.visit();
      await page.goto(`${stage.url}/#/c/00000000-0000-4000-8000-000000000000`);
      await page.getByText("There is no such conversation.").waitFor();
      expect(await scan(page)).toEqual([]);
      await page.getByRole("link", { name: "Start a new one" }).click();
      await page.getByText("One thinking dial for every model").waitFor();
      await page.goto(`${stage.url}/#/c/00000000-0000-4000-8000-000000000000`);
      await page.getByText("There is no such conversation.").waitFor();
      await ask(page, "A table please");
      await waitForAnswers(page, 1);
      expect(await page.getByText("There is no such conversation.").count()).toBe(0);
      await context.close();
    });

    it("R198 very long input of a tool is folded, opened and does not widen the page", async () => {
      const { page, context } = await stage.visit({ width: 390, height: 780 });
      await ask(page, "much output");
      await waitForAnswers(page, 1);
      await openBlocks(page);
      const shown = page.locator(".work pre").first();
      const folded = (await shown.innerText()).length;
      await page
        .getByRole("button", { name: /^Show all/ })
        .first()
        .click();
      expect((await shown.innerText()).length).toBeGreaterThan(folded);
      expect(await overflowOf(page)).toBe(0);
      await context.close();
    });

    it("R196 a composer that grows does not cover the end of the thread", async () => {
      const { page, context } = await stage.visit({ height: 420 });
      await ask(page, "A table please");
      await waitForAnswers(page, 1);
      const room = await heightOf(page, "#thread");
      await page.locator("#composer").fill("one\ntwo\nthree\nfour\nfive\nsix");
      await expect
        .poll(() =>
          page
            .locator("#thread")
            .evaluate((box) => Math.round(box.scrollHeight - box.scrollTop - box.clientHeight)),
        )
        .toBeLessThanOrEqual(1);
      expect(await heightOf(page, "#thread")).toBeLessThan(room);
      await context.close();
    });

    it("R196 reading above is not disturbed by what comes below", async () => {
      const { page, context } = await stage.visit();
      await ask(page, "A table please");
      await waitForAnswers(page, 1);
      await ask(page, "Think longly");
      await page.locator(".answer").last().locator(".text").waitFor();
      const thread = page.locator("#thread");
      await page.waitForFunction(() => {
        const element = document.querySelector("#thread")!;
        return element.scrollHeight > element.clientHeight + 200;
      });
      await thread.hover();
      await page.mouse.wheel(0, -4000);
      const question = page.locator(".question").first();
      const topOf = (): Promise<number | undefined> => question.boundingBox().then((box) => box?.y);
      await expect.poll(() => thread.evaluate(({ scrollTop }) => scrollTop)).toBeLessThan(100);
      await expect.poll(topOf).toBeGreaterThan(0);
      const top = await topOf();
      const length = await page.locator(".answer").last().innerText();
      await page.waitForFunction(
        (before) =>
          ([...document.querySelectorAll(".answer")].at(-1)?.textContent?.length ?? 0) > before,
        length.length + 500,
      );
      expect(await topOf()).toBe(top);
      await page.getByRole("button", { name: "new" }).last().click();
      await page.keyboard.press("Escape");
      await page.getByText("Stopped.").waitFor();
      await context.close();
    });
  },
);

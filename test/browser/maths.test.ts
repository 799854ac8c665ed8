import { says } from "@mull/emulator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ask, keepPicture, openStage, scan, waitForAnswers, type Stage } from "./harness.ts";
import { inChromium } from "./in-chromium.ts";

const formulas = [
  "The roots of $ax^2 + bx + c = 0$ cost $5 or $6:",
  "$$x_{1,2} = \\frac{-b \\pm \\sqrt{b^2 - 4ac}}{2a}$$",
  "With a sum \\(\\sum_{n=1}^{\\infty} \\frac{1}{n^2} = \\frac{\\pi^2}{6}\\) in the line,",
  "one that nobody can read: $\\frac{1$ and one that would load: $\\includegraphics{https://evil.example/x.png}$.",
].join("\n\n");

describe.runIf(inChromium)("formulas", { timeout: 90_000 }, () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage({
      scripts: [
        { when: { text: "formula" }, turns: [[says(formulas)]], repeat: true },
        { when: {}, turns: [[says("No signs here.")]], repeat: true },
      ],
    });
  }, 60_000);
  afterAll(() => stage?.close());

  for (const theme of ["light", "dark"] as const) {
    it(`are drawn with the page's own fonts, and loaded when they are needed (${theme})`, async () => {
      const { page, context, complaints } = await stage.visit({ theme });
      const asked: string[] = [];
      page.on("request", (request) => asked.push(request.url()));
      await ask(page, "Say something");
      await waitForAnswers(page, 1);
      expect(asked.filter((url) => /formula|KaTeX/.test(url))).toEqual([]);
      await ask(page, "Write a formula");
      await waitForAnswers(page, 2);
      await page.locator(".formula .katex").nth(2).waitFor();
      await page.evaluate(() => document.fonts.ready);
      expect(asked.some((url) => /KaTeX_Math-Italic[\w-]*\.woff2$/.test(url))).toBe(true);
      expect(asked.filter((url) => !url.startsWith(stage.url))).toEqual([]);
      const answer = await page.locator(".answer").last().innerText();
      expect(answer).toContain("cost $5 or $6");
      expect(answer).toContain("$\\frac{1$");
      expect(await page.locator(".formula math").count()).toBeGreaterThanOrEqual(3);
      expect(complaints).toEqual([]);
      expect(await scan(page)).toEqual([]);
      await keepPicture(page, `maths-${theme}`);
      await context.close();
    });
  }
});

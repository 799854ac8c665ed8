import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { calls, says, script, thinks } from "@mull/emulator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ask, keepPicture, openBlocks, openStage, waitForAnswers, type Stage } from "./harness.ts";
import { inChromium } from "./in-chromium.ts";

/** Whatever a text could carry to run something. Each would set `canary`. */
const attacks = [
  "<script>window.canary = 1</script>",
  '<img src="x" onerror="window.canary = 1">',
  "<svg onload='window.canary = 1'><script>window.canary = 1</script></svg>",
  '<iframe srcdoc="<script>parent.canary = 1</script>"></iframe>',
  "[click](javascript:window.canary=1)",
  "[click](JaVaScRiPt&#58;window.canary=1)",
  "[click](data:text/html,<script>window.canary=1</script>)",
  "![picture](javascript:window.canary=1)",
  "<a href='javascript:window.canary=1'>here</a>",
  "<style>body { background: red }</style>",
  "```html\n<script>window.canary = 1</script>\n```",
] as const;

const evil = attacks.join("\n\n");

describe.runIf(inChromium)("what a model says stays text", { timeout: 60_000 }, () => {
  let stage: Stage;
  let canary: Server;
  let visits: string[];
  let carriers: string;
  beforeAll(async () => {
    visits = [];
    canary = createServer((request, response) => {
      visits.push(request.url ?? "");
      response.end("x");
    });
    await new Promise<void>((resolve) => {
      canary.listen(0, "127.0.0.1", resolve);
    });
    const place = `http://127.0.0.1:${(canary.address() as AddressInfo).port}`;
    carriers = [
      `![x](${place}/markdown?d=secret)`,
      `<img src="${place}/img">`,
      `[a link](${place}/link)`,
      `<link rel="prefetch" href="${place}/prefetch">`,
      `<div style="background: url(${place}/css)">x</div>`,
      `${place}/bare`,
    ].join("\n\n");
    stage = await openStage({
      scripts: [
        script(
          { text: "attack" },
          [thinks(evil), calls("searchWeb", { query: evil })],
          [says(evil)],
        ),
        { when: { text: "carry" }, turns: [[thinks(carriers), says(carriers)]] },
        {
          when: { text: "deep" },
          turns: [
            [
              says(
                `${">".repeat(10_000)} deep\n\n${"- ".repeat(10_000)}deep\n\n${"*a".repeat(20_000)}\n\n${"x".repeat(200_000)}`,
              ),
            ],
          ],
        },
      ],
      faults: "pace=0",
    });
  }, 60_000);
  afterAll(async () => {
    await stage?.close();
    canary.close();
  });

  it("F-W5 attacks in questions, thinking, tool input and answers are inert", async () => {
    const visit = await stage.visit();
    const { page, complaints } = visit;
    await ask(page, `attack ${attacks[0]} ${attacks[1]}`);
    await waitForAnswers(page, 1);
    await openBlocks(page);
    const found = await page.evaluate(() => ({
      canary: "canary" in window,
      nodes: document.querySelectorAll(
        "#app :is(script, iframe, object, embed, style, link, [onerror], [onload], [srcdoc])",
      ).length,
      links: [...document.querySelectorAll<HTMLAnchorElement>("#thread a")].map(({ href }) => href),
      images: document.querySelectorAll("#thread img").length,
    }));
    expect(found).toEqual({ canary: false, nodes: 0, links: [], images: 0 });
    await keepPicture(page, "attacks");
    await page.reload();
    await waitForAnswers(page, 1);
    expect(await page.evaluate(() => "canary" in window)).toBe(false);
    expect(complaints).toEqual([]);
    await visit.context.close();
  });

  it("F-W5 a title, a model name and an error text are inert", async () => {
    const visit = await stage.visit();
    const { page } = visit;
    await page.evaluate(async (title) => {
      const headers = { "content-type": "application/json" };
      const made = await fetch("/api/conversations", {
        method: "POST",
        headers,
        body: JSON.stringify({ title, model: "openai:no-such<b>" }),
      });
      if (made.ok) throw new Error("A model with markup in its name was taken.");
      await fetch("/api/conversations", {
        method: "POST",
        headers,
        body: JSON.stringify({ title }),
      });
    }, attacks[1]);
    await page.reload();
    await page.getByRole("link", { name: "onerror" }).click();
    await page.getByRole("heading", { level: 1, name: "onerror" }).waitFor();
    expect(await page.evaluate(() => "canary" in window)).toBe(false);
    expect(await page.locator("#app img").count()).toBe(0);
    await visit.context.close();
  });

  it("F-W5 the content policy refuses a script that got in all the same", async () => {
    const visit = await stage.visit();
    const blocked = await visit.page.evaluate(() => {
      try {
        document.body.innerHTML += "<b>markup</b>";
        return false;
      } catch {
        return true;
      }
    });
    expect(blocked).toBe(true);
    await visit.context.close();
  });

  it("F-G5 F-W6 nothing is fetched from another place without a click", async () => {
    const visit = await stage.visit();
    const { page } = visit;
    await ask(page, "carry it out");
    await waitForAnswers(page, 1);
    await openBlocks(page);
    await page.waitForTimeout(500);
    expect(visits).toEqual([]);
    await keepPicture(page, "placeholders");
    const link = page.locator(".answer .text").getByRole("link", { name: /^Image: x/ });
    expect(await link.getAttribute("rel")).toBe("noopener noreferrer nofollow");
    const [opened] = await Promise.all([visit.context.waitForEvent("page"), link.click()]);
    await opened.waitForLoadState();
    expect(visits.filter((url) => url.startsWith("/markdown"))).toEqual(["/markdown?d=secret"]);
    await visit.context.close();
  });

  it("F-W25 text that is deep or endless is shown as it came", async () => {
    const visit = await stage.visit();
    const { page, complaints } = visit;
    await ask(page, "go deep");
    await waitForAnswers(page, 1);
    await page.locator(".answer .text .as-it-came").nth(3).waitFor();
    expect(await page.locator(".answer .text blockquote").count()).toBe(0);
    expect(complaints).toEqual([]);
    await visit.context.close();
  });
});

import { gzipSync } from "node:zlib";
import { readFile, readdir } from "node:fs/promises";
import { says, thinks } from "@mull/emulator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ask, buildPage, openStage, waitForAnswers, webFolder, type Stage } from "./harness.ts";
import { inChromium } from "./in-chromium.ts";

const zipped = (source: string | Uint8Array): number => gzipSync(source, { level: 9 }).length;

const markup = /innerHTML|outerHTML|insertAdjacentHTML|document\.write/;

describe.runIf(inChromium)("what the page costs", { timeout: 90_000 }, () => {
  let stage: Stage;
  const paragraphs = Array.from(
    { length: 200 },
    (_, n) => `Paragraph **${n}** with \`code\` and words.`,
  );
  beforeAll(async () => {
    const long = [thinks("Short."), says(paragraphs.join("\n\n"))];
    const hard = [
      thinks("A thought. ".repeat(30_000)),
      says(`${`${"*a".repeat(2900)}\n\n`.repeat(30)}\`\`\`ts\n${"const a = 1;\n".repeat(4000)}`),
    ];
    stage = await openStage({
      faults: "pace=1",
      scripts: [
        { when: { text: "hard" }, turns: [hard] },
        { when: {}, turns: [long], repeat: true },
      ],
    });
  }, 60_000);
  afterAll(() => stage?.close());

  it("is at most 70 kB, compressed, before first use", async () => {
    const output = await buildPage();
    const html = output.find(({ fileName }) => fileName === "index.html");
    if (html?.type !== "asset") throw new Error("There is no page.");
    const text = html.source.toString();
    const named = output.filter(({ fileName }) => text.includes(`/${fileName}`));
    expect(named).toHaveLength(2);
    // What the script cannot begin without is asked for before first use, too.
    const needed = new Set(named.flatMap((file) => (file.type === "chunk" ? file.imports : [])));
    const first = [...named, ...output.filter(({ fileName }) => needed.has(fileName))];
    const sizes = [html, ...first].map((file) =>
      zipped(file.type === "chunk" ? file.code : file.source),
    );
    expect(first).toHaveLength(3);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(70_000);
  });

  it("brings along the licence of every package that is bundled into it", async () => {
    const output = await buildPage();
    const modules = output.flatMap((file) => (file.type === "chunk" ? file.moduleIds : []));
    const bundled = new Set(
      modules.flatMap((path) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []),
    );
    const licences = output.find(({ fileName }) => fileName === "licences.md");
    if (licences?.type !== "asset") throw new Error("There are no licences.");
    const titles = licences.source.toString().matchAll(/^## (\S+) - [\d.]+ \((.+)\)$/gm);
    expect(new Set([...titles].map(([, name]) => name))).toEqual(bundled);
    expect(bundled).toContain("katex");
  });

  it("F-W5 assigns no markup anywhere", async () => {
    const files = await readdir(`${webFolder}src`, { recursive: true });
    const sources = files.filter((file) => /\.tsx?$/.test(file) && !file.includes(".test."));
    const texts = await Promise.all(
      sources.map((file) => readFile(`${webFolder}src/${file}`, "utf8")),
    );
    const guilty = sources.filter((_, index) => markup.test(texts[index] ?? ""));
    expect(guilty).toEqual([]);
    expect(sources.length).toBeGreaterThan(40);
  });

  it("F-W25 keeps elements that are finished while the rest of a long answer streams in", async () => {
    const { page, context } = await stage.visit();
    await ask(page, "Go on");
    await page.locator(".answer .text strong", { hasText: "2" }).first().waitFor();
    await page.evaluate(() => {
      Object.assign(globalThis, { first: document.querySelector(".answer .text .markdown > p") });
    });
    await waitForAnswers(page, 1);
    const kept = await page.evaluate(
      () =>
        Reflect.get(globalThis, "first") === document.querySelector(".answer .text .markdown > p"),
    );
    expect(kept).toBe(true);
    expect(await page.locator(".answer .text .markdown > p").count()).toBe(200);
    await context.close();
  });

  it("F-W25 never stands still over long thinking, hard prose and long code", async () => {
    const { page, context } = await stage.visit();
    await page.evaluate(() => {
      const tasks: number[] = [];
      Object.assign(globalThis, { tasks });
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) tasks.push(duration);
      }).observe({ type: "longtask" });
    });
    await ask(page, "Make it hard");
    await waitForAnswers(page, 1);
    const tasks = await page.evaluate(() => Reflect.get(globalThis, "tasks") as number[]);
    // An idle machine stays under 100, a busy one under 1000; a text read by the square of its
    // length takes many seconds.
    expect(Math.max(0, ...tasks)).toBeLessThan(2000);
    await context.close();
  });
});

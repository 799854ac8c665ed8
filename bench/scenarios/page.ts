import { gzipSync } from "node:zlib";
import type { CDPSession, Page } from "playwright-core";
import { hasChromium } from "../../test/browser/chromium.ts";
import { buildPage, importLong, openStage } from "../../test/browser/harness.ts";
import { median } from "../measure.ts";
import type { Bar, Scenario, ScenarioReport, Table } from "../report.ts";

const messages = 1000;
const [steps, pixelsAStep] = [60, 600];
const rounds = 5;

/** What is asked for before anybody can write, compressed. */
async function firstLoadBytes(): Promise<number> {
  const output = await buildPage();
  const html = output.find(({ fileName }) => fileName === "index.html");
  const text = html?.type === "asset" ? html.source.toString() : "";
  const named = output.filter(({ fileName }) => text.includes(`/${fileName}`));
  const needed = new Set(named.flatMap((file) => (file.type === "chunk" ? file.imports : [])));
  const first = [...named, ...output.filter(({ fileName }) => needed.has(fileName))];
  const sources = [text, ...first.map((file) => (file.type === "chunk" ? file.code : file.source))];
  return sources.reduce((sum, source) => sum + gzipSync(source, { level: 9 }).length, 0);
}

interface Scrolled {
  /** Processor time of the page's main thread, in milliseconds a step. */
  readonly work: number;
  /** The longest time between two frames, in milliseconds. */
  readonly longest: number;
}

/** From the end upwards, a step a frame. */
async function scrollUp(page: Page, session: CDPSession): Promise<Scrolled> {
  const thread = page.locator("#thread");
  await thread.evaluate((box) => {
    box.scrollTop = box.scrollHeight;
  });
  // A reader's own movement: from then on the page no longer follows the end.
  await thread.hover();
  await page.mouse.wheel(0, -200);
  await page.waitForTimeout(200);
  const workOf = async (): Promise<number> => {
    const { metrics } = await session.send("Performance.getMetrics");
    return (metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0) * 1000;
  };
  const before = await workOf();
  const longest = await thread.evaluate(
    async (box, [count, by]) => {
      let [last, most] = [performance.now(), 0];
      for (let step = 0; step < count; step++) {
        box.scrollTop -= by;
        await new Promise(requestAnimationFrame);
        const now = performance.now();
        most = Math.max(most, now - last);
        last = now;
      }
      return most;
    },
    [steps, pixelsAStep] as const,
  );
  return { work: ((await workOf()) - before) / steps, longest };
}

/** The same elements and styles in a page that has no script. */
async function openStatic(page: Page): Promise<Page> {
  const [styles, shell] = await page.evaluate(() => [
    [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules].map((rule) => rule.cssText)),
    document.querySelector("#app")!.outerHTML,
  ]);
  const still = await page.context().newPage();
  await still.setContent(
    `<!doctype html><html><head><style>${styles.join("\n")}</style></head><body>${shell}</body></html>`,
  );
  return still;
}

async function measureScrolling(): Promise<readonly [Table, Bar]> {
  const stage = await openStage();
  try {
    const { page } = await stage.visit();
    await importLong(page, messages / 2);
    const earlier = page.getByRole("button", { name: /^Show earlier messages/ });
    const shown = page.locator("#thread [data-message]");
    while ((await shown.count()) < messages) {
      await earlier.click();
      await page.waitForTimeout(300);
    }
    const pages = [page, await openStatic(page)];
    const sessions = await Promise.all(pages.map((each) => each.context().newCDPSession(each)));
    // Processor time of the main thread: what else runs on this machine does not count.
    const timeDomain = "threadTicks";
    for (const session of sessions) await session.send("Performance.enable", { timeDomain });
    const passes: Scrolled[][] = [[], []];
    for (let round = 0; round <= rounds; round++) {
      // In turns, and each round the other one first.
      for (const at of round % 2 === 0 ? [0, 1] : [1, 0]) {
        await pages[at]!.bringToFront();
        passes[at]!.push(await scrollUp(pages[at]!, sessions[at]!));
      }
    }
    const [ours, still] = passes.map(([, ...later]) => ({
      work: median(later.map(({ work }) => work)),
      longest: Math.max(...later.map(({ longest }) => longest)),
    }));
    const ratio = median(
      passes[0]!.slice(1).map(({ work }, at) => work / passes[1]![at + 1]!.work),
    );
    const table: Table = {
      name: `1,000 messages, scrolled up ${steps} steps of ${pixelsAStep} px`,
      columns: ["", "processor, ms a step", "x static page", "longest frame, ms"],
      rows: [
        ["the page", ours!.work, ratio, ours!.longest],
        ["static page of the same content", still!.work, 1, still!.longest],
      ],
    };
    return [table, { what: "scrolling, x static page", most: 1.5, measured: ratio }];
  } finally {
    await stage.close();
  }
}

async function run(): Promise<ScenarioReport> {
  const bytes = await firstLoadBytes();
  const size: Bar = { what: "kB before first use, compressed", most: 70, measured: bytes / 1000 };
  const about = { id: "s8", title: "S8: the page", charts: [] };
  if (!(await hasChromium())) {
    const text = "Scrolling was not measured: no Chromium starts on this machine.";
    return { ...about, text, tables: [], bars: [size] };
  }
  const [table, bar] = await measureScrolling();
  const text = `What the page loads before anybody can write, and how a conversation of 1,000 messages scrolls beside a page without any script that has the same elements and styles, in the same Chromium, in turns; medians of ${rounds} passes after a first one.`;
  return { ...about, text, tables: [table], bars: [size, bar] };
}

export const page: Scenario = { id: "s8", run };

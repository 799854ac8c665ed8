import { mkdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { emulate, type Emulator, type EmulatorOptions } from "@mull/emulator";
import {
  calculator,
  chatServer,
  listen,
  offlineSearch,
  searchWeb,
  type ChatServerParts,
  type Listening,
  type ServerKeys,
  type SearchProvider,
  type StaticFile,
  type StaticFiles,
} from "@mull/server";
import { createMemoryData, memoryStore, type MemoryData, type Store } from "@mull/store";
import type { Tool } from "mull";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { build, type Rollup } from "vite";
import { launchChromium } from "./chromium.ts";

export const webFolder: string = fileURLToPath(new URL("../../packages/web/", import.meta.url));
const artefacts = fileURLToPath(new URL("../../artefacts/", import.meta.url));

/** The built page, straight from its sources. */
export async function buildPage(): Promise<Rollup.RollupOutput["output"]> {
  const built = await build({
    configFile: `${webFolder}vite.config.ts`,
    logLevel: "error",
    build: { write: false },
  });
  if (!("output" in built)) throw new Error("The page was not built in one piece.");
  return built.output;
}

const types: ReadonlyMap<string, string> = new Map([
  ["html", "text/html; charset=utf-8"],
  ["js", "text/javascript; charset=utf-8"],
  ["css", "text/css; charset=utf-8"],
  ["woff2", "font/woff2"],
]);

const asFiles = (output: Rollup.RollupOutput["output"]): StaticFiles =>
  new Map(
    output.map((file): [string, StaticFile] => {
      const source = file.type === "chunk" ? file.code : file.source;
      const bytes = new Uint8Array(Buffer.from(source));
      const type = types.get(file.fileName.split(".").at(-1) ?? "") ?? "application/octet-stream";
      return [`/${file.fileName}`, { type, bytes, tag: `"${file.fileName}"`, isHashed: false }];
    }),
  );

export interface Stage {
  readonly url: string;
  readonly store: Store;
  /** The rows of the store, for what somebody does to them behind its back. */
  readonly rows: MemoryData;
  readonly listening: Listening;
  /** What the emulator was asked. */
  readonly journal: Emulator["journal"];
  readonly browser: Browser;
  /** Holds answers up in their middle, once they have begun. */
  readonly answers: Gate;
  /** Holds web searches up, and with them the turns that wait for one. */
  readonly searches: Gate;
  /** A browser of somebody who has just made an account. */
  readonly visit: (options?: VisitOptions) => Promise<Visit>;
  readonly close: () => Promise<void>;
}

export interface VisitOptions {
  readonly theme?: "light" | "dark";
  readonly width?: number;
  readonly height?: number;
  readonly isTouch?: boolean;
}

export interface Visit {
  readonly context: BrowserContext;
  readonly page: Page;
  /** What the page complained about: errors, refused content, failed scripts. */
  readonly complaints: string[];
}

export interface StageOptions extends EmulatorOptions {
  readonly model?: string;
  /** One person without an account; `visit` makes accounts, and is not for such a server. */
  readonly entrance?: ChatServerParts["entrance"];
  /** Beside search and calculator. */
  readonly tools?: readonly Tool[];
  readonly userKeys?: ChatServerParts["userKeys"];
  readonly serverKeys?: ServerKeys;
}

/** What a test holds up until it has seen what it wants to see. */
export interface Gate {
  readonly close: () => void;
  readonly open: () => void;
  /** Resolves at once, or when the gate is opened. */
  readonly pass: () => Promise<void>;
}

export function createGate(): Gate {
  let way = Promise.resolve();
  let open: (() => void) | undefined;
  return {
    close: () => {
      way = new Promise((resolve) => {
        open = resolve;
      });
    },
    open: () => open?.(),
    pass: () => way,
  };
}

const stopOf = (signal: AbortSignal | null | undefined): Promise<void> =>
  new Promise((resolve) => {
    signal?.addEventListener("abort", () => resolve());
  });

const heldSearch = ({ pass }: Gate): SearchProvider => ({
  name: offlineSearch.name,
  search: async (query, signal) => {
    await Promise.race([pass(), stopOf(signal)]);
    return offlineSearch.search(query, signal);
  },
});

/** Enough of an answer to see that it has begun. */
const piecesBeforeGate = 20;

const holdAnswers =
  (service: typeof fetch, { pass }: Gate): typeof fetch =>
  async (input, init) => {
    const { body, status, headers } = await service(input, init);
    const stopped = stopOf(init?.signal);
    let pieces = 0;
    const held = new TransformStream<Uint8Array, Uint8Array>({
      transform: async (piece, out) => {
        if (++pieces > piecesBeforeGate) await Promise.race([pass(), stopped]);
        out.enqueue(piece);
      },
    });
    return new Response(body?.pipeThrough(held) ?? null, { status, headers });
  };

/** The real server with the emulator behind it and a browser before it. */
export async function openStage({
  model,
  entrance,
  tools = [],
  userKeys,
  serverKeys,
  ...emulator
}: StageOptions = {}): Promise<Stage> {
  const [answers, searches] = [createGate(), createGate()];
  const service = emulate({ secret: "browser", faults: "pace=5", ...emulator });
  const upstream = holdAnswers(service, answers);
  const rows = createMemoryData();
  const store = memoryStore({ data: rows });
  const app = chatServer({
    store,
    upstream: () => ({ fetch: upstream, env: {}, apiKey: "simulated", isSimulated: true }),
    tools: [searchWeb(heldSearch(searches)), calculator, ...tools],
    model: model ?? "claude-opus-5-5",
    ...(entrance !== undefined && { entrance }),
    ...(userKeys !== undefined && { userKeys }),
    ...(serverKeys !== undefined && { serverKeys }),
    passwordCost: { log2N: 8, r: 8, p: 1 },
    limits: { requestsPerSecond: 1000, requestBurst: 1000 },
    files: asFiles(await buildPage()),
  });
  const listening = await listen(app, { port: 0 });
  const browser = await launchChromium();
  let visitors = 0;
  return {
    url: listening.url,
    store,
    rows,
    listening,
    journal: service.journal,
    browser,
    answers,
    searches,
    visit: async (options = {}) => {
      const visit = await openPage(browser, options);
      await signUp(visit.page, listening.url, `visitor ${++visitors}`);
      return visit;
    },
    close: async () => {
      await browser.close();
      await listening.close();
    },
  };
}

export async function openPage(
  browser: Browser,
  { theme = "light", width = 1280, height = 800, isTouch = false }: VisitOptions,
): Promise<Visit> {
  const context = await browser.newContext({
    locale: "en-US",
    colorScheme: theme,
    reducedMotion: "reduce",
    viewport: { width, height },
    hasTouch: isTouch,
    isMobile: isTouch,
    permissions: ["clipboard-read", "clipboard-write"],
  });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  return { context, page, complaints: listenToComplaints(page) };
}

/** A refused sign-in and a lost line are news, not faults of the page. */
const expected = /401 \(Unauthorized\)|ERR_INTERNET_DISCONNECTED|ERR_NETWORK_CHANGED/;

export function listenToComplaints(page: Page): string[] {
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error" && !expected.test(message.text())) {
      complaints.push(message.text());
    }
  });
  return complaints;
}

async function signUp(page: Page, url: string, name: string): Promise<void> {
  await page.goto(url);
  await page.getByRole("button", { name: "Create an account" }).click();
  await page.getByLabel("Name or e-mail").fill(name);
  await page.getByLabel("Password").fill("a long password");
  await page.getByRole("button", { name: "Create account" }).click();
  await page.getByLabel("Message", { exact: true }).waitFor();
}

export async function ask(page: Page, text: string): Promise<void> {
  const field = page.getByLabel("Message", { exact: true });
  await field.fill(text);
  await field.press("Enter");
}

/** Waits until so many answers are whole. */
export async function waitForAnswers(page: Page, count: number): Promise<void> {
  await page.waitForFunction(
    (wanted) =>
      document.querySelectorAll('.answer[aria-busy="false"] > footer').length === wanted &&
      document.querySelector('#thread[aria-busy="false"]') !== null,
    count,
    { timeout: 45_000 },
  );
}

/** A long conversation, as somebody brings it from elsewhere: so many questions and answers. */
export async function importLong(page: Page, pairs: number): Promise<void> {
  const messages = Array.from({ length: pairs * 2 }, (_, n) => ({
    role: n % 2 === 0 ? "user" : "assistant",
    parts: [{ type: "text", text: `Message ${n}. ${"Some words to read. ".repeat(20)}` }],
  }));
  const id = await page.evaluate(async (given) => {
    const answer = await fetch("/api/conversations/import", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ messages: given }),
    });
    const { conversation } = (await answer.json()) as { conversation: { id: string } };
    return conversation.id;
  }, messages);
  await page.goto(`${new URL(page.url()).origin}/#/c/${id}`);
  await page.getByText(`Message ${pairs * 2 - 1}.`).waitFor();
}

export async function keepPicture(page: Page, name: string): Promise<void> {
  mkdirSync(artefacts, { recursive: true });
  await page.screenshot({ path: `${artefacts}${name}.png` });
}

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}

interface Axe {
  readonly run: () => Promise<{ readonly violations: readonly Violation[] }>;
}

/** What axe has to say. The content policy does not let a test add scripts either; the browser itself may. */
export async function scan(page: Page): Promise<readonly string[]> {
  const find = createRequire(`${webFolder}package.json`);
  const axe = await readFile(find.resolve("axe-core/axe.min.js"), "utf8");
  const session = await page.context().newCDPSession(page);
  await session.send("Runtime.evaluate", { expression: axe });
  const found = await page.evaluate(async () => {
    const axeThere = Reflect.get(globalThis, "axe") as Axe;
    const { violations } = await axeThere.run();
    return violations.map(
      ({ id, nodes }) =>
        `${id}: ${nodes
          .map(({ html }) => html)
          .join(" | ")
          .slice(0, 400)}`,
    );
  });
  await session.detach();
  return found;
}

/** Opens every block of thinking and every tool call. */
export const openBlocks = (page: Page): Promise<void> =>
  page.locator(".answer details:not([open]) > summary").evaluateAll((all) => {
    for (const summary of all) (summary as HTMLElement).click();
  });

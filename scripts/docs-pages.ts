import { existsSync, readdirSync, readFileSync } from "node:fs";
import { askOptions } from "../packages/cli/src/ask/ask-options.ts";
import { commands } from "../packages/cli/src/commands.ts";
import { settingRows } from "../packages/cli/src/config/settings.ts";
import { commandPage } from "../packages/cli/src/frame/page.ts";
import { editing } from "../packages/cli/src/repl/editor.ts";
import { keyTable, slashCommands } from "../packages/cli/src/repl/commands/table.ts";
import { apiPages } from "./docs-api.ts";
import { fillBlocks, fillExamples } from "./docs-blocks.ts";
import { bundleTable } from "./docs-bundles.ts";
import { glossaryTable, providerTable, settingTable } from "./docs-environment.ts";
import { categoryTable, codeTable } from "./docs-errors.ts";
import { clientTable } from "./docs-gateway.ts";
import { levelTables } from "./docs-levels.ts";
import { modelsPage } from "./docs-models.ts";
import { changeTable, noteTable } from "./docs-notes.ts";
import { oneWordTable } from "./docs-one-word.ts";
import { promiseTable } from "./docs-promises.ts";
import { refusalsPage } from "./docs-refusals.ts";
import { rulesPage } from "./docs-rules.ts";
import { limitTable, routeTable, variableTable } from "./docs-server.ts";

/** Blocks inside pages that people write. */
const makers: ReadonlyMap<string, () => string> = new Map([
  ["levels", levelTables],
  ["categories", categoryTable],
  ["codes", codeTable],
  ["notes", noteTable],
  ["changes", changeTable],
  ["routes", routeTable],
  ["limits", limitTable],
  ["variables", variableTable],
  ["bundles", bundleTable],
  ["promises", promiseTable],
  ["one-word", oneWordTable],
  ["clients", clientTable],
  ["keys", providerTable],
  ["settings", settingTable],
  ["glossary", glossaryTable],
]);

const fill = (path: string) => (): string =>
  fillExamples(fillBlocks(readFileSync(path, "utf8"), makers), (name) =>
    // Here version 7 of the AI SDK stands beside 6, under a name of its own.
    readFileSync(`examples/${name}.ts`, "utf8").replaceAll('from "ai-7"', 'from "ai"'),
  );

/** Pages that people write around what is made: they are known by their marks. */
const filled: readonly string[] = [
  "README.md",
  ...readdirSync("docs", { recursive: true, encoding: "utf8" }).map((name) => `docs/${name}`),
  ...readdirSync("packages").map((name) => `packages/${name}/README.md`),
]
  .filter((path) => path.endsWith(".md") && existsSync(path))
  .filter((path) => /^<!-- (?:made|example): /m.test(readFileSync(path, "utf8")))
  .toSorted();

const cliPage = (): string =>
  commandPage({
    commands,
    ask: askOptions,
    settings: settingRows,
    chat: { commands: slashCommands, keys: keyTable, editing },
  });

export interface Page {
  readonly path: string;
  readonly make: () => string;
}

/** Every document that a script writes, whole or in part. */
export const pages: readonly Page[] = [
  ...apiPages(),
  { path: "docs/reference/cli.md", make: cliPage },
  { path: "docs/reference/models.md", make: modelsPage },
  { path: "docs/reference/rules.md", make: rulesPage },
  { path: "docs/troubleshooting/refusals.md", make: refusalsPage },
  ...filled.map((path) => ({ path, make: fill(path) })),
];

/** What a check says of a page that is not what its script would write. */
export const staleText = (path: string): string => `${path} is stale: npm run docs writes it`;

/** Paths whose file is not what its script would write. */
export const stalePages = (): readonly string[] =>
  pages
    .filter(({ path, make }) => !existsSync(path) || readFileSync(path, "utf8") !== make())
    .map(({ path }) => path);

import { readFile, writeFile } from "node:fs/promises";
import { nodeIo } from "../../../../cli/src/frame/node-io.ts";
import { createProgress } from "../../../../cli/src/frame/progress.ts";
import { createStage } from "./children.ts";
import { removeFolders } from "./data-folder.ts";
import { ms, type Line, type Row } from "./row.ts";
import { atOnce } from "./rows/at-once.ts";
import { followersRow } from "./rows/followers.ts";
import { heartbeats } from "./rows/heartbeats.ts";
import { idle } from "./rows/idle.ts";
import { kill } from "./rows/kill.ts";
import { large } from "./rows/large.ts";
import { longRun } from "./rows/long-run.ts";
import { onPostgres } from "./rows/on-postgres.ts";
import { paced } from "./rows/paced.ts";
import { signInFlood } from "./rows/sign-in-flood.ts";
import { slowReaders } from "./rows/slow-readers.ts";
import { turnCost } from "./rows/turn-cost.ts";
import { circumstances, fillTable, machineLoad, tableOf } from "./table.ts";

/**
 * Measures the server under load, next to a bare server in the same run. `npm run load` measures
 * everything, `npm run load -- idle kill` some rows, `npm run load -- processes` one table;
 * `--write` puts both tables into docs/operate/sizing.md. Servers, upstream and clients are
 * processes of their own.
 */
const tables = {
  /** One process. */
  load: [turnCost, paced, atOnce, idle, slowReaders, signInFlood, large, longRun, kill],
  /** Several that share a Postgres and a Redis. */
  processes: [onPostgres, followersRow, heartbeats],
} as const satisfies Readonly<Record<string, readonly Row[]>>;

type TableName = keyof typeof tables;
const tableNames = Object.keys(tables) as readonly TableName[];

const page = "docs/operate/sizing.md";

async function measure(chosen: readonly Row[]): Promise<readonly Line[]> {
  const lines: Line[] = [];
  let longest = 0;
  const progress = createProgress(nodeIo(), chosen.length);
  for (const row of chosen) {
    const stage = createStage();
    const startedAt = performance.now();
    progress.begin(row.name);
    try {
      const found = await row.run(stage);
      progress.done();
      lines.push(...found);
      const block = stage.longestBlock();
      longest = Math.max(longest, block);
      const seconds = Math.round((performance.now() - startedAt) / 1000);
      console.log(`${row.name}: ${seconds} s, longest block ${ms(block)}\n${tableOf(found)}\n`);
    } finally {
      progress.end();
      await stage.clear();
    }
  }
  return [...lines, blockLine(longest)];
}

const blockLine = (longest: number): Line => ({
  measure: "longest block of the event loop in all of this",
  mull: ms(longest),
  beside: "",
  ratio: "",
  target: "≤ 100 ms",
  holds: longest <= 100,
});

async function measureTable(
  name: TableName,
  names: ReadonlySet<string>,
  isWritten: boolean,
): Promise<void> {
  const rows: readonly Row[] = tables[name];
  const isWhole = names.size === 0 || names.has(name);
  const chosen = isWhole ? rows : rows.filter((row) => names.has(row.name));
  if (chosen.length === 0) return;
  if (isWritten && !isWhole) throw new Error("--write takes whole tables");
  const load = machineLoad();
  const lines = await measure(chosen);
  const text = `${circumstances(new Date(), load)}\n\n${tableOf(lines)}`;
  console.log(text);
  if (isWritten) await writeFile(page, fillTable(await readFile(page, "utf8"), name, text));
}

async function main(given: readonly string[]): Promise<void> {
  const names = new Set(given.filter((name) => !name.startsWith("--")));
  const known = tableNames.flatMap((name) => [name, ...tables[name].map((row) => row.name)]);
  const unknown = [...names].find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Error(`no row ${unknown}; there are ${known.join(", ")}`);
  try {
    for (const name of tableNames) await measureTable(name, names, given.includes("--write"));
  } finally {
    await removeFolders();
  }
}

await main(process.argv.slice(2));

import { readFile, writeFile } from "node:fs/promises";
import { nodeIo } from "../../../../cli/src/frame/node-io.ts";
import { createProgress } from "../../../../cli/src/frame/progress.ts";
import { createStage } from "./children.ts";
import { removeFolders } from "./data-folder.ts";
import { ms, type Line, type Row } from "./row.ts";
import { atOnce } from "./rows/at-once.ts";
import { idle } from "./rows/idle.ts";
import { kill } from "./rows/kill.ts";
import { large } from "./rows/large.ts";
import { longRun } from "./rows/long-run.ts";
import { paced } from "./rows/paced.ts";
import { signInFlood } from "./rows/sign-in-flood.ts";
import { slowReaders } from "./rows/slow-readers.ts";
import { turnCost } from "./rows/turn-cost.ts";
import { circumstances, fillTable, machineLoad, tableOf } from "./table.ts";

/**
 * What the server does under load, beside a bare server in the same run: `npm run load` for all of
 * it, `npm run load -- idle kill` for some rows, `npm run load -- --write` to put the table into
 * docs/operate/sizing.md. Servers, upstream and clients are processes of their own.
 */
const rows: readonly Row[] = [
  turnCost,
  paced,
  atOnce,
  idle,
  slowReaders,
  signInFlood,
  large,
  longRun,
  kill,
];

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

async function main(given: readonly string[]): Promise<void> {
  const names = given.filter((name) => !name.startsWith("--"));
  const unknown = names.find((name) => rows.every((row) => row.name !== name));
  if (unknown !== undefined) {
    throw new Error(`no row ${unknown}; there are ${rows.map((row) => row.name).join(", ")}`);
  }
  const isWritten = given.includes("--write");
  if (isWritten && names.length > 0) throw new Error("--write takes the whole table");
  const chosen = names.length === 0 ? rows : rows.filter((row) => names.includes(row.name));
  try {
    const load = machineLoad();
    const lines = await measure(chosen);
    const text = `${circumstances(new Date(), load)}\n\n${tableOf(lines)}`;
    console.log(text);
    if (isWritten) await writeFile(page, fillTable(await readFile(page, "utf8"), "load", text));
  } finally {
    await removeFolders();
  }
}

await main(process.argv.slice(2));

/** `npm run test:clients`: every client against every vendor, through `mull run`. `npm run docs` makes a table of it. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { clients, vendors, type Client, type Task } from "./clients.ts";
import { versionOf, whyMissing } from "./installed.ts";
import { tryClient, type Outcome } from "./trial.ts";

const words = process.argv.slice(2).map((word) => word.toLowerCase());
const tasks: readonly Task[] = ["loop", "resume", "cancel", "image", "wrong-key", "overload"];
const isChosen = (name: string): boolean =>
  words.length === 0 || words.some((word) => name.toLowerCase().includes(word));

/** A client's row, as `results.json` keeps it and docs/guides/gateway.md shows it. */
export interface Row {
  readonly client: string;
  readonly version: string;
  readonly missing?: string;
  readonly cells: Readonly<Record<string, Readonly<Record<string, Omit<Outcome, "printed">>>>>;
}

async function rowOf(client: Client): Promise<Row> {
  const version = versionOf(client.package);
  const missing = whyMissing(client.command, client.package);
  if (missing !== undefined) return { client: client.name, version, missing, cells: {} };
  const cells: Record<string, Record<string, Omit<Outcome, "printed">>> = {};
  for (const vendor of vendors) {
    const cell: Record<string, Omit<Outcome, "printed">> = {};
    for (const task of tasks) {
      if (task === "resume" && client.resume === undefined) continue;
      const began = performance.now();
      const { printed, ...outcome } = await tryClient(client, vendor, task);
      const took = ((performance.now() - began) / 1000).toFixed(1);
      const sign = outcome.ok ? "✓" : "✗";
      const thoughts = outcome.thoughts === undefined ? "" : ` ${outcome.thoughts} thoughts`;
      console.log(
        `${sign} ${client.name} · ${vendor.name} · ${task}${thoughts} ${outcome.note} (${took} s)`,
      );
      if (!outcome.ok) console.log(printed.slice(-3000).replaceAll(/^/gm, "    "));
      cell[task] = outcome;
    }
    cells[vendor.name] = cell;
  }
  return { client: client.name, version, cells };
}

const results = join(import.meta.dirname, "results.json");
const earlier = existsSync(results)
  ? (JSON.parse(readFileSync(results, "utf8")) as readonly Row[])
  : [];
const rows: Row[] = [];
/** After every client: a run that is stopped has not been for nothing. */
function keep(): void {
  const found = new Map([...earlier, ...rows].map((row) => [row.client, row]));
  const all = clients.flatMap(({ name }) => found.get(name) ?? []);
  writeFileSync(results, `${JSON.stringify(all, null, 2)}\n`);
}
for (const client of clients.filter(({ name }) => isChosen(name))) {
  rows.push(await rowOf(client));
  keep();
}
const failures = rows.flatMap(({ cells }) =>
  Object.values(cells).flatMap((cell) => Object.values(cell).filter(({ ok }) => !ok)),
).length;
console.log(`${rows.length} clients, ${failures} failures`);
process.exit(failures === 0 ? 0 : 1);

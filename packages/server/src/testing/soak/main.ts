import { randomInt } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { circumstances, fillTable, machineLoad } from "../load/table.ts";
import { startFleet } from "./fleet.ts";
import { isClean, soakTable } from "./report.ts";
import { soak } from "./soak.ts";

/**
 * Three servers behind nginx for ten minutes, killed every 20 seconds, with a restart of Postgres
 * and of Redis: `npm run soak`. `-- 1` runs one minute, `-- --haproxy` puts haproxy in front, `--
 * --write` puts the table into docs/operate/sizing.md. Exits with 1 if something acknowledged is
 * lost or doubled.
 */
const page = "docs/operate/sizing.md";
const program = join(import.meta.dirname, "../../../dist/main.js");

async function main(given: readonly string[], signal: AbortSignal): Promise<number> {
  const minutes = given.find((word) => !word.startsWith("--")) ?? "10";
  const seconds = Number(minutes) * 60;
  if (!(seconds > 0)) throw new Error(`no number of minutes: ${minutes}`);
  const seed = randomInt(2 ** 31);
  const load = machineLoad();
  const proxy = given.includes("--haproxy") ? "haproxy" : "nginx";
  const fleet = await startFleet({ servers: 3, program, proxy });
  if (fleet === undefined) {
    console.log(`not run: it needs a Postgres under /usr/lib/postgresql and ${proxy} in /usr/sbin`);
    return 2;
  }
  try {
    console.log(`${minutes} min, seed ${seed}${fleet.redis === undefined ? ", no Redis" : ""}`);
    const report = await soak(fleet, { seconds, askers: 24, seed, say: console.log, signal });
    const text =
      `${circumstances(new Date(), load)} ${minutes} min, ${report.servers} servers behind ${proxy}, 24 askers, ` +
      `${report.kills} x kill -9, one crash of Postgres, one restart of Redis.\n\n${soakTable(report)}`;
    console.log(text);
    if (given.includes("--write")) {
      await writeFile(page, fillTable(await readFile(page, "utf8"), "soak", text));
    }
    return isClean(report) ? 0 : 1;
  } finally {
    await fleet.clear();
  }
}

const stopping = new AbortController();
for (const event of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(event, () => stopping.abort());
}
try {
  process.exitCode = await main(process.argv.slice(2), stopping.signal);
} catch (error) {
  if (!stopping.signal.aborted) throw error;
  process.exitCode = 130;
}

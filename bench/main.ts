import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { nodeIo } from "../packages/cli/src/frame/node-io.ts";
import { createProgress } from "../packages/cli/src/frame/progress.ts";
import { readReport, scenarioLines, type ScenarioReport, writeReport } from "./report.ts";
import { plannedScenarios } from "./scenarios.ts";

const runner = fileURLToPath(new URL("run-scenario.ts", import.meta.url));
const longestSeconds = 720;
const now = (): number => performance.now() / 1000;

/** Undefined when the scenario fails or its time is over. */
const measureApart = (id: string, seconds: number): Promise<ScenarioReport | undefined> =>
  new Promise((resolve) => {
    // A group of processes, so that what a scenario has started ends with it.
    const child = fork(runner, [id], {
      detached: true,
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
    const stop = (): void => {
      process.kill(-child.pid!, "SIGKILL");
    };
    const interrupt = (): void => {
      stop();
      process.exit(130);
    };
    const timer = setTimeout(stop, seconds * 1000);
    process.once("SIGINT", interrupt);
    let report: ScenarioReport | undefined;
    child.on("message", (message) => {
      report = message as ScenarioReport;
    });
    child.on("exit", () => {
      clearTimeout(timer);
      process.off("SIGINT", interrupt);
      resolve(report);
    });
  });

/** By name, or by how names begin: `s1-peers` are four. */
function chooseScenarios(names: readonly string[]): typeof plannedScenarios {
  if (names.length === 0) return plannedScenarios;
  const ids = plannedScenarios.map(({ scenario }) => scenario.id);
  const chosenIds = names.flatMap((name) => {
    const matching = ids.includes(name) ? [name] : ids.filter((id) => id.startsWith(`${name}-`));
    if (matching.length > 0) return matching;
    throw new Error(`no scenario ${name}; there are ${ids.join(", ")}`);
  });
  const chosen = new Set(chosenIds);
  return plannedScenarios.filter(({ scenario }) => chosen.has(scenario.id));
}

/** `npm run bench`, or `npm run bench -- s1 s4` for some of it. */
async function main(names: readonly string[]): Promise<void> {
  const started = now();
  const chosen = chooseScenarios(names);
  // What is left of the twelve minutes, less what later scenarios may need.
  let reserved = chosen.reduce((sum, { seconds }) => sum + seconds, 0);
  const earlier = names.length === 0 ? {} : readReport().scenarios;
  const measured: ScenarioReport[] = [];
  const progress = createProgress(nodeIo(), chosen.length);
  const lost: string[] = [];
  for (const { scenario, seconds } of chosen) {
    reserved -= seconds;
    const begun = now();
    progress.begin(scenario.id);
    const report = await measureApart(scenario.id, longestSeconds - (begun - started) - reserved);
    const took = now() - begun;
    progress.done();
    if (report === undefined) {
      lost.push(scenario.id);
      console.log(`${scenario.id}: nothing after ${took.toFixed(0)} s, which is an error\n`);
      continue;
    }
    measured.push({ ...report, seconds: took });
    writeReport(earlier, measured);
    console.log(scenarioLines(report).join("\n"));
    console.log(`${scenario.id} took ${took.toFixed(0)} s\n`);
  }
  console.log(`${measured.length} scenarios in ${(now() - started).toFixed(0)} s`);
  if (lost.length > 0) {
    console.log(`no figures of ${lost.join(", ")}`);
    process.exitCode = 1;
  }
}

await main(process.argv.slice(2));

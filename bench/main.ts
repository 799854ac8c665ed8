import { decode, decodePeers } from "./scenarios/decode.ts";
import { growth } from "./scenarios/growth.ts";
import { history } from "./scenarios/history.ts";
import { loopback } from "./scenarios/loopback.ts";
import { memory } from "./scenarios/memory.ts";
import { startUp } from "./scenarios/start-up.ts";
import { chatServer } from "./scenarios/chat-server.ts";
import { transforms } from "./scenarios/transforms.ts";
import { concurrency } from "./scenarios/concurrency.ts";
import { type Scenario, scenarioLines, type ScenarioReport, writeReport } from "./report.ts";

const scenarios: readonly Scenario[] = [
  decode,
  growth,
  memory,
  loopback,
  startUp,
  history,
  transforms,
  concurrency,
  chatServer,
  decodePeers,
];

const longestMs = 10 * 60 * 1000;

/** `npm run bench`, or `npm run bench -- s1 s4` for some of it. */
async function main(names: readonly string[]): Promise<void> {
  const unknown = names.filter((name) => !scenarios.some(({ id }) => id === name));
  if (unknown.length > 0) {
    throw new Error(
      `no scenario ${unknown.join(", ")}; there are ${scenarios.map(({ id }) => id).join(", ")}`,
    );
  }
  const started = performance.now();
  const measured: ScenarioReport[] = [];
  for (const scenario of scenarios) {
    if (names.length > 0 && !names.includes(scenario.id)) continue;
    if (performance.now() - started > longestMs) {
      console.log(`left out, ten minutes are over: ${scenario.id}`);
      continue;
    }
    const report = await scenario.run();
    measured.push(report);
    console.log(scenarioLines(report).join("\n"));
  }
  writeReport(measured);
}

await main(process.argv.slice(2));
process.exit(0);

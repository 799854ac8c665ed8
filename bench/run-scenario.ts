import { plannedScenarios } from "./scenarios.ts";

/** Runs one scenario in a process of its own, so that none finds the heap and the hot code of another. */
const found = plannedScenarios.find(({ scenario }) => scenario.id === process.argv[2]);
if (found === undefined || process.send === undefined) throw new Error("started by bench/main.ts");
process.send(await found.scenario.run(), () => process.exit(0));

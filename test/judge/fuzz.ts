import * as fc from "fast-check";
import { createDocket, describeVerdict } from "./docket.ts";
import { exceptions } from "./exceptions.ts";
import { playSequence, sequences } from "./sequences.ts";

/** `npm run judge:fuzz -- 20000` plays more; a second number is the seed, a third the path of one sequence. */
const [count = "2000", seed = "20261116", path] = process.argv.slice(2);
const docket = createDocket(exceptions);
let played = 0;
let requests = 0;
const property = fc.asyncProperty(sequences, async (sequence) => {
  played++;
  await playSequence(sequence, ({ type, body }) => {
    requests++;
    docket.add({ type, body, where: JSON.stringify(sequence) });
  });
});
const report = await fc.check(property, {
  numRuns: Number(count),
  seed: Number(seed),
  ...(path !== undefined && { path }),
});
const verdict = await docket.judge();
if (report.failed) {
  console.log(await fc.asyncDefaultReportMessage(report));
  console.log(String(report.errorInstance));
  console.log(
    `Play it again: npm run judge:fuzz -- 1 ${report.seed} ${report.counterexamplePath ?? ""}`,
  );
}
for (const line of describeVerdict({ ...verdict, needless: [] })) console.log(line);
const refusals = verdict.refused.length + (report.failed ? 1 : 0);
console.log(`${played} sequences, ${requests} requests, ${refusals} refusals; seed ${seed}`);
process.exitCode = refusals > 0 ? 1 : 0;

import { spawnSync } from "node:child_process";
import { readLeftOut } from "../test/left-out.ts";
import { steps } from "./check-steps.ts";

const only = process.argv.slice(2);
const chosen = steps.filter(
  ({ name }) => only.length === 0 || only.some((word) => name.includes(word)),
);
let passed = 0;
const failed: string[] = [];
const leftOut = new Set<string>();
for (const step of chosen) {
  const [command, ...args] = step.command;
  const started = performance.now();
  const result = spawnSync(command!, args, { encoding: "utf8", maxBuffer: 256 * 1024 * 1024 });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  for (const line of readLeftOut(result.stdout)) leftOut.add(line);
  if (result.status === 0) {
    passed++;
    const counted = /^\s*Tests .*$/m.exec(result.stdout)?.[0].trim().replace(/\s+/g, " ");
    console.log(`ok    ${step.name} (${seconds} s)${counted === undefined ? "" : ` ${counted}`}`);
  } else {
    failed.push(step.name);
    console.log(`FAIL  ${step.name} (${seconds} s)\n${result.stdout}\n${result.stderr}`);
  }
}
for (const line of leftOut) console.log(`not tested: ${line}`);
if (failed.length > 0) console.log(`failed: ${failed.join(", ")}`);
console.log(`checks: ${passed} passed, ${failed.length} failed`);
process.exitCode = failed.length > 0 ? 1 : 0;

import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

interface Step {
  readonly name: string;
  readonly command: readonly string[];
}

const npx = (name: string, ...args: readonly string[]): Step => ({
  name,
  command: ["npx", "--no-install", name, ...args],
});
const run = (script: string): Step => ({
  name: script,
  command: ["npm", "run", "--silent", script],
});

const published = readdirSync("packages").filter(
  (name) =>
    (JSON.parse(readFileSync(`packages/${name}/package.json`, "utf8")) as { private?: boolean })
      .private !== true,
);

/** In this order: what fails fastest and explains most comes first. */
const steps: readonly Step[] = [
  run("build"),
  run("types"),
  run("lint"),
  run("format:check"),
  npx("knip"),
  ...published.map((name) => ({
    ...npx("publint", `packages/${name}`, "--strict"),
    name: `publint ${name}`,
  })),
  ...published.map((name) => ({
    ...npx("attw", "--pack", `packages/${name}`, "--profile", "esm-only", "--quiet"),
    name: `attw ${name}`,
  })),
  npx("size-limit"),
  run("scan:fixtures"),
  run("bench:gate"),
  run("readme-check"),
  npx("vitest", "run", "--reporter=minimal", "--no-color"),
];

const only = process.argv.slice(2);
let passed = 0;
const failed: string[] = [];
for (const step of steps) {
  if (only.length > 0 && !only.some((word) => step.name.includes(word))) continue;
  const [command, ...args] = step.command;
  const started = performance.now();
  const result = spawnSync(command!, args, { encoding: "utf8", maxBuffer: 256 * 1024 * 1024 });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  if (result.status === 0) {
    passed++;
    console.log(`ok    ${step.name} (${seconds} s)`);
    if (step.name === "vitest")
      console.log(result.stdout.trimEnd().split("\n").slice(-8).join("\n"));
  } else {
    failed.push(step.name);
    console.log(`FAIL  ${step.name} (${seconds} s)\n${result.stdout}\n${result.stderr}`);
  }
}
if (failed.length > 0) console.log(`failed: ${failed.join(", ")}`);
console.log(`checks: ${passed} passed, ${failed.length} failed`);
process.exitCode = failed.length > 0 ? 1 : 0;

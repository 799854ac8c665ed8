import { readdirSync, readFileSync } from "node:fs";
import { heavySuites } from "../test/suites.ts";

export interface Step {
  readonly name: string;
  readonly command: readonly string[];
}

const npx = (name: string, ...args: readonly string[]): Step => ({
  name,
  command: ["npx", "--no-install", name, ...args],
});
const run = (script: string, ...args: readonly string[]): Step => ({
  name: [script, ...args].join(" "),
  command: ["npm", "run", "--silent", script, "--", ...args],
});

const published = readdirSync("packages").filter(
  (name) =>
    (JSON.parse(readFileSync(`packages/${name}/package.json`, "utf8")) as { private?: boolean })
      .private !== true,
);

/** CommonJS gets the ES module itself, which Node loads from 20.19 on and attw does not expect. */
const requiredAsEsm = ["--ignore-rules", "cjs-resolves-to-esm", "false-cjs"];

/** What `npm run check` runs, in this order: what fails fastest and explains most comes first. */
export const steps: readonly Step[] = [
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
    ...npx(
      "attw",
      "--pack",
      `packages/${name}`,
      "--profile",
      "node16",
      ...requiredAsEsm,
      "--quiet",
    ),
    name: `attw ${name}`,
  })),
  npx("size-limit"),
  run("scan:fixtures"),
  run("bench:gate"),
  run("judge"),
  run("judge:fuzz"),
  // CI also runs the README's `npm test` in the clone.
  process.env["CI"] === undefined ? run("readme-check") : run("readme-check", "--test"),
  run("test:full"),
  run("coverage"),
  ...heavySuites.map(({ name }) => run(`test:${name}`)),
];

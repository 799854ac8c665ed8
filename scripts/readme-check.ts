/**
 * Follows the README as a stranger does: a clean clone, nothing installed but Node and npm.
 * `--test` runs the whole test suite there as well; without it the first minute only.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packAll } from "./pack-install.ts";

const empty = mkdtempSync(join(tmpdir(), "mull-clone-"));
// Nothing lies beside it.
const clone = join(empty, "mull");
const home = mkdtempSync(join(tmpdir(), "mull-home-"));

/** Without the caller's keys and settings; npm's stay, since they say where packages come from. */
const env = Object.fromEntries(
  Object.entries({ ...process.env, XDG_CONFIG_HOME: home, XDG_DATA_HOME: home }).filter(
    ([name]) => !/_API_KEY$|_BASE_URL$|^MULL_/.test(name),
  ),
);

const run = (command: string, cwd: string): string => {
  const started = performance.now();
  const result = spawnSync(command, {
    cwd,
    shell: true,
    encoding: "utf8",
    env,
    maxBuffer: 2 ** 28,
  });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  if (result.status !== 0) {
    throw new Error(`${command} ended with ${result.status}\n${result.stdout}\n${result.stderr}`);
  }
  console.log(`ok    ${command} (${seconds} s)`);
  return result.stdout + result.stderr;
};

const expectText = (text: string, ...wanted: readonly string[]): void => {
  for (const part of wanted) {
    if (!text.includes(part)) throw new Error(`expected to see ${part} in\n${text}`);
  }
};

/** Built from nothing and packed: what would be published from this commit. */
const publishable = (name: string): readonly string[] => {
  for (const folder of readdirSync(join(clone, "packages"))) {
    rmSync(join(clone, "packages", folder, "dist"), { recursive: true, force: true });
  }
  run("npm run build", clone);
  const into = join(home, name);
  mkdirSync(into);
  return packAll(into, clone).map(({ name: of, integrity }) => `${of} ${integrity}`);
};

try {
  run(`git clone --quiet --depth 1 "file://${process.cwd()}" mull`, empty);
  const readme = readFileSync(join(clone, "README.md"), "utf8");
  expectText(readme, "npm ci && npm start", "npm ci && npm test");
  run("npm ci --prefer-offline", clone);
  expectText(run('npm start --silent -- "What is 23 * 47?"', clone), "1,081", "imulated");
  expectText(
    run("npm start --silent -- plan gpt-6-sol/high claude-opus-5-5/high", clone),
    "effort",
  );
  const [first, second] = [publishable("first"), publishable("second")];
  if (first.join() !== second.join()) {
    throw new Error(`two builds differ:\n${first.join("\n")}\n${second.join("\n")}`);
  }
  console.log(`ok    ${first.length} packages, built twice, have the same bytes`);
  if (process.argv.includes("--test")) run("npm test", clone);
} finally {
  for (const folder of [empty, home]) rmSync(folder, { recursive: true, force: true });
}

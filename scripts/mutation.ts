/**
 * Switches off one rule or transform at a time, in memory, and runs the tests that must notice.
 * `npx tsx scripts/mutation.ts [word…]` runs those whose name holds one of the words.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createVitest, type Vitest } from "vitest/node";
import { mutants, ruleTests, type Mutant } from "./mutants.ts";

interface Planned extends Mutant {
  /** Id of the rule to leave out, where it is one. */
  readonly rule?: string;
}

const source = join(import.meta.dirname, "../packages/mull/src");

/** A wire's list of rules without one of them. */
function withoutRule(wire: string, rule: string): Planned {
  const file = `wire/${wire}/rules/index.ts`;
  const name = /export const (\w+)/.exec(readFileSync(join(source, file), "utf8"))?.[1] ?? "";
  const declared = `export const ${name}: readonly Rule[] = [`;
  const tests = ruleTests[wire] ?? [];
  return { name: `rule ${rule} is gone`, file, find: declared, put: declared, tests, rule };
}

function mutate(code: string, { name, file, find, put, rule }: Planned): string {
  if (code.split(find).length !== 2) throw new Error(`${name}: find its place once in ${file}`);
  const changed = code.replace(find, () => put);
  return rule === undefined
    ? changed
    : changed.replace(/\];\s*$/, () => `].filter(({ id }) => id !== ${JSON.stringify(rule)});\n`);
}

async function plan(words: readonly string[]): Promise<readonly Planned[]> {
  const { allRules } = await import("../packages/mull/src/rules.ts");
  const rules = allRules.map(({ wire, id }) => withoutRule(wire, id));
  return [...mutants, ...rules].filter(
    ({ name }) => words.length === 0 || words.some((word) => name.includes(word)),
  );
}

/** Names of the tests that failed; a file that cannot even be loaded counts under its path. */
async function failures(vitest: Vitest, tests: readonly string[]): Promise<readonly string[]> {
  vitest.vite.moduleGraph.invalidateAll();
  for (const project of vitest.projects) project.vite.moduleGraph.invalidateAll();
  const all = await vitest.globTestSpecifications([...tests]);
  const wanted = all.filter(({ moduleId }) => tests.some((path) => moduleId.includes(path)));
  if (wanted.length === 0) throw new Error(`no tests at ${tests.join(", ")}`);
  const ids = new Set(wanted.map(({ moduleId }) => moduleId));
  const { testModules } = await vitest.runTestSpecifications(wanted);
  return testModules
    .filter(({ moduleId }) => ids.has(moduleId))
    .flatMap((module) => {
      const failed = [...module.children.allTests("failed")].map(({ fullName }) => fullName);
      return failed.length === 0 && module.state() === "failed" ? [module.moduleId] : failed;
    });
}

const planned = await plan(process.argv.slice(2));
let current: Planned | undefined;
const vitest = await createVitest(
  "test",
  { watch: false, reporters: [{}], silent: true },
  {
    plugins: [
      {
        name: "mutate",
        enforce: "pre",
        transform: (code: string, id: string) =>
          current !== undefined && id.endsWith(`/mull/src/${current.file}`)
            ? mutate(code, current)
            : undefined,
      },
    ],
  },
);

let noticed = 0;
try {
  const broken = await failures(vitest, [...new Set(planned.flatMap(({ tests }) => tests))]);
  if (broken.length > 0) throw new Error(`fails with nothing switched off: ${broken.join("; ")}`);
  for (const mutant of planned) {
    current = mutant;
    const [first] = await failures(vitest, mutant.tests);
    if (first !== undefined) noticed++;
    console.log(first === undefined ? `SURVIVED ${mutant.name}` : `${mutant.name}: ${first}`);
  }
} finally {
  await vitest.close();
}
console.log(`${noticed} of ${planned.length} noticed`);
process.exitCode = noticed === planned.length ? 0 : 1;

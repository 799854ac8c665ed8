/**
 * Switches off one rule or transform at a time, in memory, and runs the tests that must notice.
 * `npx tsx scripts/mutation.ts [word…]` runs those whose name holds one of the words or that show
 * the requirement `R123`; `--list` prints the requirements that none shows.
 */
import { createVitest, type TestSpecification, type Vitest } from "vitest/node";
import { mutants, ruleTests } from "./mutants/index.ts";
import type { Mutant } from "./mutants/mutant.ts";
import { idsIn, idsOf, testsById } from "./spec-ids.ts";

/** A wire's list of rules without one of them. */
const withoutRule = (wire: string, rule: string): Mutant => ({
  name: `rule ${rule} is gone`,
  file: `mull/src/wire/${wire}/rules/index.ts`,
  find: "\n  );",
  put: `\n  ).filter(({ id }) => id !== ${JSON.stringify(rule)});`,
  tests: ruleTests(wire),
});

function mutate(code: string, { name, file, find, put }: Mutant): string {
  if (code.split(find).length !== 2) throw new Error(`${name}: find its place once in ${file}`);
  return code.replace(find, () => put);
}

const idsShown = ({ requirement = "" }: Mutant): readonly string[] => [
  ...new Set(idsOf(requirement)),
];

async function plan(words: readonly string[]): Promise<readonly Mutant[]> {
  const { rulesOf } = await import("../packages/mull/src/rules.ts");
  const { wireIds } = await import("../packages/mull/src/types/message.ts");
  const rules = wireIds.flatMap(rulesOf).map(({ wire, id }) => withoutRule(wire, id));
  return [...mutants, ...rules].filter(
    (mutant) =>
      words.length === 0 ||
      words.some((word) => mutant.name.includes(word) || idsShown(mutant).includes(word)),
  );
}

const shown = testsById();

/** Browsers, terminals and processes of their own see nothing of a change in memory. */
const isElsewhere = (path: string): boolean =>
  /^test\/(?:browser|e2e|leaks|power-cut|bench-gate)|\/commands\.test|\/crash|\/pty\.|examples?\.test/.test(
    path,
  );

/** The files a mutant names, and those that name an id it shows. */
function testsOf(all: readonly TestSpecification[], mutant: Mutant): TestSpecification[] {
  const naming = idsShown(mutant).flatMap((id) => [...(shown.get(id) ?? [])]);
  const files = [...(mutant.tests ?? []), ...naming.filter((path) => !isElsewhere(path))];
  const wanted = all.filter(({ moduleId }) => files.some((path) => moduleId.includes(path)));
  if (wanted.length === 0) throw new Error(`${mutant.name}: no tests at ${files.join(", ")}`);
  return wanted;
}

/** Names of the tests that failed; a file that cannot even be loaded counts under its path. */
async function failures(vitest: Vitest, wanted: TestSpecification[]): Promise<readonly string[]> {
  vitest.vite.moduleGraph.invalidateAll();
  const ids = new Set(wanted.map(({ moduleId }) => moduleId));
  const { testModules } = await vitest.runTestSpecifications(wanted);
  return testModules
    .filter(({ moduleId }) => ids.has(moduleId))
    .flatMap((module) => {
      const failed = [...module.children.allTests("failed")].map(({ fullName }) => fullName);
      return failed.length === 0 && module.state() === "failed" ? [module.moduleId] : failed;
    });
}

/** What to say of a mutant; the ids whose tests passed all the same. */
function judge(mutant: Mutant, failed: readonly string[]): readonly [string, boolean] {
  const ids = idsShown(mutant);
  const seen = new Set(failed.flatMap((name) => [...idsOf(name)]));
  const missed = ids.filter((id) => !seen.has(id));
  if (failed.length === 0 || missed.length > 0)
    return [`SURVIVED ${mutant.name}${missed.length === 0 ? "" : ` (${missed.join(" ")})`}`, false];
  return [`${mutant.name}: ${failed[0]}`, true];
}

function listUnshown(): void {
  const covered = new Set(mutants.flatMap(idsShown));
  const left = idsIn("requirements").filter((id) => !covered.has(id));
  console.log(`${left.length} requirements without a mutant: ${left.join(" ")}`);
}

async function run(words: readonly string[]): Promise<void> {
  const planned = await plan(words);
  let current: Mutant | undefined;
  // Projects of the configuration would have servers of their own, which know nothing of the plugin.
  const vitest = await createVitest(
    "test",
    {
      config: false,
      watch: false,
      reporters: [{}],
      silent: true,
      include: ["packages/*/src/**/*.test.{ts,tsx}", "test/**/*.test.ts"],
      isolate: false,
      testTimeout: 20_000,
      hookTimeout: 60_000,
    },
    {
      ssr: { resolve: { conditions: ["@mull/source"] } },
      plugins: [
        {
          name: "mutate",
          enforce: "pre",
          transform: (code: string, id: string) =>
            current !== undefined && id.endsWith(`/packages/${current.file}`)
              ? mutate(code, current)
              : undefined,
        },
      ],
    },
  );
  let noticed = 0;
  try {
    const all = await vitest.globTestSpecifications();
    const sound = new Set(planned.flatMap((mutant) => testsOf(all, mutant)));
    // A test that fails anyway, for instance because it wants a worker of its own, shows nothing.
    const broken = new Set(await failures(vitest, [...sound]));
    if (broken.size > 0) console.log(`fail with nothing switched off: ${[...broken].join("; ")}`);
    for (const mutant of planned) {
      current = mutant;
      const failed = await failures(vitest, testsOf(all, mutant));
      const [line, isNoticed] = judge(
        mutant,
        failed.filter((name) => !broken.has(name)),
      );
      if (isNoticed) noticed++;
      console.log(line);
    }
  } finally {
    await vitest.close();
  }
  console.log(`${noticed} of ${planned.length} noticed`);
  process.exitCode = noticed === planned.length ? 0 : 1;
}

const words = process.argv.slice(2);
if (words.includes("--list")) listUnshown();
else await run(words);

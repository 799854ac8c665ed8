import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { findRecordings, recordingTests } from "./test/find-recordings.ts";
import { describeLeftOut, mark } from "./test/left-out.ts";
import { leftOutReporter } from "./test/left-out-reporter.ts";
import { coverageFloor, heavySuites, isolatedTests } from "./test/suites.ts";

const hasRecordings = findRecordings() !== undefined;
const absent = hasRecordings ? [] : recordingTests;

/** A busy machine stalls real browsers, terminals and clients: there, and nowhere else, CI tries a test again. */
const retryReal = process.env["CI"] === undefined ? 0 : 2;

/** Files that share their workers: starting one for each takes longer than most tests. */
const quick = (name: string, include: string): TestProjectInlineConfiguration => ({
  extends: true,
  test: {
    name: `quick-${name}`,
    include: [include],
    exclude: [...absent, ...isolatedTests, ...heavySuites.flatMap(({ files }) => files)],
    isolate: false,
  },
});

export default defineConfig(({ mode }) => ({
  ssr: { resolve: { conditions: ["@mull/source"] } },
  test: {
    projects: [
      quick("library", "packages/{mull,emulator,vcr,ui-messages,ai-sdk,mcp}/src/**/*.test.ts"),
      quick("programs", "packages/{store,server,gateway,cli,web}/src/**/*.test.{ts,tsx}"),
      quick("across", "test/**/*.test.ts"),
      { extends: true, test: { name: "quick-isolated", include: [...isolatedTests] } },
      ...heavySuites.map(({ name, files, isReal }) => ({
        extends: true as const,
        test: {
          name,
          include: [...files],
          retry: isReal === true ? retryReal : 0,
          ...(name === "browser" && { globalSetup: "test/browser/try-chromium.ts" }),
          ...(name === "agents" && { globalSetup: "test/clients/try-install.ts" }),
        },
      })),
    ],
    env: mode === "full" ? { MULL_FULL: "1", MULL_CRASH: "full" } : {},
    reporters: ["default", leftOutReporter(hasRecordings ? [] : [describeLeftOut("recordings")])],
    onConsoleLog: (text) => !text.startsWith(mark),
    maxWorkers: "100%",
    testTimeout: 20_000,
    hookTimeout: 60_000,
    // A busy machine is slow; what never comes fails all the same.
    expect: { poll: { timeout: 8000 } },
    coverage: {
      provider: "v8",
      include: [
        "packages/mull/src/{vendors,catalogue,dial}/**/*.ts",
        "packages/mull/src/wire/**/*.ts",
      ],
      exclude: ["**/*.test.ts", "**/testing/**"],
      thresholds: coverageFloor,
    },
  },
}));

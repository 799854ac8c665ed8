import { defineConfig } from "vitest/config";
import { findRecordings, recordingTests } from "./test/find-recordings.ts";
import { describeLeftOut, mark } from "./test/left-out.ts";
import { leftOutReporter } from "./test/left-out-reporter.ts";

const hasRecordings = findRecordings() !== undefined;

export default defineConfig({
  ssr: { resolve: { conditions: ["@mull/source"] } },
  test: {
    include: ["packages/*/src/**/*.test.{ts,tsx}", "test/**/*.test.ts"],
    exclude: hasRecordings ? [] : [...recordingTests],
    reporters: ["default", leftOutReporter(hasRecordings ? [] : [describeLeftOut("recordings")])],
    onConsoleLog: (text) => !text.startsWith(mark),
    testTimeout: 20_000,
    hookTimeout: 60_000,
    // Real browsers, terminals and databases stall on a busy machine; a fault fails every time.
    expect: { poll: { timeout: 8000 } },
    retry: process.env["CI"] === undefined ? 0 : 2,
    coverage: {
      provider: "v8",
      include: ["packages/mull/src/{catalogue,dial}/**/*.ts", "packages/mull/src/wire/**/*.ts"],
      exclude: ["**/*.test.ts", "**/testing/**"],
    },
  },
});

/** Cassettes that begin and end with a test of Vitest. */
import { afterAll, onTestFinished, TestRunner } from "vitest";

import type { CassetteFetch } from "./fetch.ts";
import type { VcrOptions } from "./vcr.ts";
import { vcr } from "./vcr.ts";

/**
 * A cassette for the running test, or, called in a `describe` or at the top of a file, for all
 * tests in it. It ends by itself: checked when replaying, written when recording - unless the test
 * that made it failed.
 */
export const useCassette = (name: string, options?: VcrOptions): CassetteFetch => {
  const fetch = vcr(name, options);
  if (TestRunner.getCurrentTest() === undefined) {
    // Vitest reads the first parameter as a list of fixtures: it has to be a pattern.
    // oxlint-disable-next-line no-empty-pattern
    afterAll(({}, suite) =>
      suite.tasks.some((task) => task.result?.state === "fail") ? fetch.discard() : fetch.done(),
    );
  } else {
    onTestFinished(({ task }) => (task.result?.state === "fail" ? fetch.discard() : fetch.done()));
  }
  return fetch;
};

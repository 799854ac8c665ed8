import { afterAll, onTestFinished } from "vitest";
import { getCurrentTest } from "vitest/suite";

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
  if (getCurrentTest() === undefined) {
    afterAll((_, suite) =>
      suite.tasks.some((task) => task.result?.state === "fail") ? fetch.discard() : fetch.done(),
    );
  } else {
    onTestFinished(({ task }) => (task.result?.state === "fail" ? fetch.discard() : fetch.done()));
  }
  return fetch;
};

import { expect, test } from "vitest";
import { engineError } from "./engine-error.ts";

const failure = (code: string, message = "x"): Error => Object.assign(new Error(message), { code });

test.each([
  ["53100", "full"],
  ["ENOSPC", "full"],
  ["08006", "unavailable"],
  ["57P01", "unavailable"],
  ["53300", "busy"],
  ["ECONNREFUSED", "unavailable"],
  ["ENOTFOUND", "unavailable"],
  ["57014", "timeout"],
])("F-D7 F-D8: %s of an engine is %s", (code, meaning) => {
  expect(engineError(failure(code))).toMatchObject({ code: meaning, retryable: true });
});

test("a lost connection and a failed connection to several addresses are unavailable", () => {
  const lost = new Error("Connection terminated unexpectedly");
  expect(engineError(lost)).toMatchObject({ code: "unavailable", cause: lost });
  const several = new AggregateError([failure("ECONNREFUSED"), failure("ECONNREFUSED")]);
  expect(engineError(several)).toMatchObject({ code: "unavailable" });
});

test("other SQL errors keep their state", () => {
  const duplicate = failure("23505");
  expect(engineError(duplicate)).toBe(duplicate);
});

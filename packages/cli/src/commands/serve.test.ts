import { expect, test } from "vitest";
import { startLines } from "./serve.ts";

test.each([
  [{ isSimulated: false, hasPage: true }, []],
  [{ isSimulated: true, hasPage: true }, [/simulated: no API key/]],
  [{ isSimulated: false, hasPage: false }, [/page is not built.*npm run serve/]],
])("a start says what its address will not show: %j", (serving, lines) => {
  expect(startLines(serving)).toEqual(lines.map((line) => expect.stringMatching(line)));
});

import { expect, test } from "vitest";
import { inFlags, startLines } from "./serve.ts";

test.each([
  [{ isSimulated: false, hasPage: true }, []],
  [{ isSimulated: true, hasPage: true }, [/simulated: no API key/]],
  [{ isSimulated: false, hasPage: false }, [/page is not built.*npm run serve/]],
])("a start says what its address will not show: %j", (serving, lines) => {
  expect(startLines(serving)).toEqual(lines.map((line) => expect.stringMatching(line)));
});

test.each([
  ["Choose another one with PORT, or 0.", "Choose another one with --port, or 0."],
  ["Set MULL_ALLOW_REMOTE=1 and MULL_HOSTS.", "Set --allow-remote and MULL_HOSTS."],
])("advice of the server names the flags of the command: %s", (text, said) => {
  expect(inFlags(text)).toBe(said);
});

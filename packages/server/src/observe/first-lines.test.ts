import { expect, test } from "vitest";
import { firstLines } from "./first-lines.ts";

test("F-W17: a long conversation fills no log", () => {
  const logged: string[] = [];
  const log = firstLines((line) => logged.push(line));
  for (let nth = 0; nth < 10_000; nth++) log(`message ${nth}`);
  expect(logged).toHaveLength(21);
  expect(logged.at(0)).toBe("message 0");
  expect(logged.at(-1)).toBe("The rest of this kind is not logged.");
});

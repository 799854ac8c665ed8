import { expect, test } from "vitest";
import { slashCommands } from "./table.ts";

test("every command of the chat is there, each with a line of help", () => {
  expect(slashCommands.map(({ name }) => name).toSorted()).toEqual(
    "cost doctor edit exit export fallback file fork help keys level lint model name new plan receipt resume retry system think tools"
      .split(" ")
      .toSorted(),
  );
  for (const { name, usage = "", help } of slashCommands) {
    expect(help).not.toBe("");
    expect(`/${name} ${usage}`.length + help.length).toBeLessThan(76);
  }
});

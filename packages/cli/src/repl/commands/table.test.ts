import { expect, test } from "vitest";
import { startChat } from "../testing/chat.ts";
import { slashCommands } from "./table.ts";

test("every command of the chat is there, each with a line of help", () => {
  expect(slashCommands.map(({ name }) => name).toSorted()).toEqual(
    "cost doctor edit exit export fallback file fork help keys level lint model name new plan receipt resume retry system think tools"
      .split(" ")
      .toSorted(),
  );
  for (const { help } of slashCommands) {
    expect(help).not.toBe("");
  }
});

test("on 80 columns /help has one row for each command", async () => {
  const chat = startChat({ columns: 80, rows: 60 });
  await chat.sees("? for keys");
  const lines = await chat.say("/help");
  for (const { name, help } of slashCommands)
    expect(lines).toContainEqual(
      expect.stringMatching(new RegExp(`^  /${name} .*${help.slice(-9)}$`)),
    );
  expect(await chat.leave()).toBe(0);
});

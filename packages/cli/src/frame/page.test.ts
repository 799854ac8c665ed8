import { describe, expect, test } from "vitest";

import { askOptions } from "../ask/ask-options.ts";
import { commands } from "../commands.ts";
import { settingRows } from "../config/settings.ts";
import { editing, editorKeys } from "../repl/editor.ts";
import { keyTable, slashCommands } from "../repl/commands/table.ts";
import { commandPage } from "./page.ts";

const page = commandPage({
  commands,
  ask: askOptions,
  settings: settingRows,
  chat: { commands: slashCommands, keys: keyTable, editing },
});

describe("docs/reference/cli.md is made of the tables the program uses", () => {
  test("every command and option is in it", () => {
    for (const { name, options } of commands) {
      expect(page).toContain(`## mull ${name}\n`);
      for (const option of Object.keys(options)) expect(page).toContain(`--${option}`);
    }
  });

  test("every command and key of the chat is in it", () => {
    for (const { name } of slashCommands) expect(page).toMatch(new RegExp(`\\| \`/${name}[ \`]`));
    for (const [key] of keyTable) expect(page).toContain(`| \`${key}\` |`);
    for (const key of editorKeys.keys()) expect(page).toContain(`\`${key}\``);
  });

  test("no key edits the line in two ways", () => {
    expect(editing.flatMap(({ keys }) => keys)).toHaveLength(editorKeys.size);
  });
});

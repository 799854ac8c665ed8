export { run } from "./run.ts";
export { commands, askOptions } from "./commands.ts";
export type { Io } from "./frame/io.ts";
export type { Command, OptionSpec, OptionTable } from "./frame/command.ts";
export { commandPage, type ChatTables, type PageTables, type SettingRow } from "./frame/page.ts";
export { editing } from "./repl/editor.ts";
export { keyTable, slashCommands } from "./repl/commands/table.ts";
export { settingRows } from "./config/settings.ts";

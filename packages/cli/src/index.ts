export { run } from "./run.ts";
export { commands, askOptions } from "./commands.ts";
export type { Io } from "./frame/io.ts";
export type { Command, OptionSpec, OptionTable } from "./frame/command.ts";
export { commandPage, type SettingRow } from "./frame/page.ts";
export { settingRows } from "./config/settings.ts";

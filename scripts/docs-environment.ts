import { readFileSync } from "node:fs";
import { providers } from "mull";
import { settingRows } from "../packages/cli/src/config/settings.ts";
import { code, table } from "./docs-table.ts";

/** The variables of every provider: its keys, and the one that changes its address. */
export const providerTable = (): string =>
  table(
    ["provider", "key", "address"],
    providers.map(({ id, name, keyVariables, baseUrlVariable }) => [
      `${name} (${code(id)})`,
      keyVariables.map(code).join(" or "),
      code(baseUrlVariable),
    ]),
  ).join("\n");

/** The settings of the command that a variable can set. */
export const settingTable = (): string =>
  table(
    ["variable", "setting", "what it sets"],
    settingRows.map(({ variable, name, help }) => [code(variable), code(name), help]),
  ).join("\n");

/** The glossary of ARCHITECTURE.md, for readers who do not go there. */
export const glossaryTable = (): string => {
  const text = readFileSync("ARCHITECTURE.md", "utf8");
  const [, rows = ""] = /\n(\| word \| what it means \|\n(?:\|.*\n)+)/.exec(text) ?? [];
  if (rows === "") throw new Error("ARCHITECTURE.md has no table of words");
  return rows.trimEnd();
};

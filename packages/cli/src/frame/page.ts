import type { Command, OptionTable } from "./command.ts";
import { exitCodeTexts } from "./exit-code.ts";

/** A setting as the page lists it. */
export interface SettingRow {
  readonly name: string;
  readonly variable: string;
  readonly help: string;
}

/** `docs/cli.md`, made of the same table as help and completion. */
export const commandPage = (
  commands: readonly Command[],
  ask: OptionTable,
  settings: readonly SettingRow[],
): string =>
  [
    "# The `mull` command",
    "",
    '`mull` alone is the chat; `mull "question"` gives one answer and exits; `mull COMMAND` does one of the things below.',
    "stdout is the answer and nothing else; thinking and notes go to stderr where a terminal shows them.",
    "",
    "## Asking",
    "",
    ...optionTable(ask),
    "",
    ...commands.flatMap((command) => [...commandSection(command), ""]),
    "## Exit codes",
    "",
    ...table(
      ["code", "meaning"],
      exitCodeTexts.map(([code, text]) => [String(code), text]),
    ),
    "",
    "## Settings",
    "",
    "Flags win over the environment, that over `mull.json` in the working directory, that over `config.json` in the user's configuration folder.",
    "",
    ...table(
      ["setting", "variable", "what it is"],
      settings.map(({ name, variable, help }) => [`\`${name}\``, `\`${variable}\``, help]),
    ),
    "",
  ].join("\n");

const commandSection = ({
  name,
  summary,
  usage,
  details,
  examples,
  options,
}: Command): readonly string[] => [
  `## mull ${name}`,
  "",
  `${summary[0]?.toUpperCase()}${summary.slice(1)}.`,
  ...(details ?? []),
  "",
  "```sh",
  ...(examples ?? []),
  ...(examples === undefined ? [`# ${usage}`] : []),
  "```",
  "",
  ...optionTable(options),
];

const optionTable = (options: OptionTable): readonly string[] => {
  const rows = Object.entries(options).map(([name, { short, value, help }]) => [
    `\`${short === undefined ? "" : `-${short}, `}--${name}${value === undefined ? "" : ` ${value}`}\``,
    help,
  ]);
  return rows.length === 0 ? [] : table(["option", "what it does"], rows);
};

const table = (head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] =>
  [head, head.map(() => "---"), ...rows].map(
    (row) => `| ${row.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`,
  );

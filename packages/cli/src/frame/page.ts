import type { Command, JsonShape, OptionTable } from "./command.ts";
import { exitCodeTexts } from "./exit-code.ts";
import { jsonShapes } from "./json-fields.ts";

/** A setting as the page lists it. */
export interface SettingRow {
  readonly name: string;
  readonly variable: string;
  readonly help: string;
}

/** What is typed in the chat, as the page lists it. */
export interface ChatTables {
  readonly commands: readonly {
    readonly name: string;
    readonly usage?: string;
    readonly help: string;
    readonly anytime?: true;
  }[];
  readonly keys: readonly (readonly [key: string, what: string])[];
  readonly editing: readonly { readonly keys: readonly string[]; readonly help: string }[];
}

/** Everything that people type: help, completion and this page read the same tables. */
export interface PageTables {
  readonly commands: readonly Command[];
  readonly ask: OptionTable;
  readonly settings: readonly SettingRow[];
  readonly chat: ChatTables;
}

/** `docs/reference/cli.md`. */
export const commandPage = ({ commands, ask, settings, chat }: PageTables): string =>
  [
    "# The `mull` command",
    "",
    '`mull` alone is [the chat](#the-chat); `mull "question"` gives [one answer](#asking) and exits; `mull COMMAND` does one of the things below.',
    "stdout is the answer and nothing else; thinking and notes go to stderr where a terminal shows them.",
    "",
    ...table(
      ["command", "what it does"],
      commands.map(({ name, summary }) => [`[\`mull ${name}\`](#mull-${name})`, summary]),
    ),
    "",
    "## Asking",
    "",
    ...optionTable(ask),
    "",
    ...jsonSection("ask"),
    ...chatSection(chat),
    ...commands.flatMap((command) => [...commandSection(command, ask), ""]),
    "## Exit codes",
    "",
    ...table(
      ["code", "meaning"],
      exitCodeTexts.map(([code, text]) => [String(code), text]),
    ),
    "",
    "## Settings",
    "",
    "Flags win over the environment, the environment over `mull.json` in the working directory, and that over `config.json` in your configuration folder.",
    "",
    ...table(
      ["setting", "variable", "what it is"],
      settings.map(({ name, variable, help }) => [code(name), code(variable), help]),
    ),
    "",
  ].join("\n");

const chatSection = ({ commands, keys, editing }: ChatTables): readonly string[] => [
  "## The chat",
  "",
  "Everything that begins with a slash is a command; `Tab` completes it, its first letters are enough. Answers are counted from 1.",
  "",
  ...table(
    ["command", "what it does", "while an answer comes"],
    commands.map(({ name, usage, help, anytime }) => [
      code(usage === undefined ? `/${name}` : `/${name} ${usage}`),
      help,
      anytime ? "yes" : "",
    ]),
  ),
  "",
  "`^` is Ctrl, `⌥` Alt (or Esc before the key), `⇧` Shift, `⏎` Enter.",
  "",
  ...table(
    ["key", "what it does"],
    keys.map(([key, what]) => [code(key), what]),
  ),
  "",
  "These keys edit the line:",
  "",
  ...table(
    ["key", "what it does"],
    editing.map((row) => [row.keys.map(code).join(" "), row.help]),
  ),
  "",
];

const commandSection = (
  { name, summary, usage, details, examples, options }: Command,
  ask: OptionTable,
): readonly string[] => [
  `## mull ${name}`,
  "",
  `${summary[0]?.toUpperCase()}${summary.slice(1)}.`,
  ...(details ?? []),
  "",
  "```",
  usage,
  "```",
  "",
  ...(examples === undefined ? [] : ["```sh", ...examples, "```", ""]),
  ...(options === ask
    ? ["Takes the options of [asking](#asking), and prints what it prints."]
    : [...optionTable(options), "", ...jsonSection(name)].slice(0, -1)),
];

const jsonSection = (name: string): readonly string[] =>
  (jsonShapes[name] ?? []).flatMap((shape) => [...jsonTable(shape), ""]);

const jsonTable = ({ what, fields }: JsonShape): readonly string[] => {
  const rows = Object.entries(fields).map(([field, text]) => [code(field), text]);
  return [
    `${what}${rows.length === 0 ? "." : ":"}`,
    ...(rows.length === 0 ? [] : ["", ...table(["field", "what it says"], rows)]),
  ];
};

const optionTable = (options: OptionTable): readonly string[] => {
  const rows = Object.entries(options).map(([name, { short, value, help }]) => [
    code(
      `${short === undefined ? "" : `-${short}, `}--${name}${value === undefined ? "" : ` ${value}`}`,
    ),
    help,
  ]);
  return rows.length === 0 ? [] : table(["option", "what it does"], rows);
};

const code = (text: string): string => `\`${text}\``;

const table = (head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] =>
  [head, head.map(() => "---"), ...rows].map(
    (row) => `| ${row.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`,
  );

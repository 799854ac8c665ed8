import { providers, type Model, type Provider } from "mull";
import { code, grouped, table } from "./docs-table.ts";

const price = ({ price: row }: Model): string => {
  if (row === undefined) return "–";
  const cached = row.cacheRead === undefined ? "" : ` (${row.cacheRead} cached)`;
  return `${row.input}${cached} / ${row.output}`;
};

/** What the date of a row says; a model that is shut down is so since then. */
const dated = ({ status, endOfLife }: Model): string => {
  if (endOfLife === undefined) return status;
  return status === "retired" ? `${status} on ${endOfLife}` : `${status}, ends ${endOfLife}`;
};

const statusCell = (model: Model): string =>
  model.successor === undefined ? dated(model) : `${dated(model)} → ${code(model.successor)}`;

const modelRow = (model: Model): readonly string[] => [
  code(model.id),
  model.thinking.kind === "none" ? "no" : model.thinking.kind,
  model.defaultThinking ?? "–",
  model.thinking.kind === "none" ? "–" : model.shows,
  model.outputCap === undefined ? "–" : grouped(model.outputCap),
  model.window === undefined ? "–" : grouped(model.window),
  price(model),
  statusCell(model),
];

const head = [
  "model",
  "thinking by",
  "when nothing is sent",
  "shows",
  "output cap",
  "window",
  "USD per million tokens, in / out",
  "status",
];

/** A table without the columns in which no row says anything. */
const fullColumns = (rows: readonly (readonly string[])[]): readonly string[] => {
  const isFull = (_: string, column: number): boolean => rows.some((row) => row[column] !== "–");
  return table(
    head.filter(isFull),
    rows.map((row) => row.filter(isFull)),
  );
};

const addressOf = ({ baseUrl, baseUrlVariable }: Provider): string =>
  new URL(baseUrl).hostname.endsWith(".invalid")
    ? `at the address in ${code(baseUrlVariable)}`
    : `at ${code(baseUrl)} (${code(baseUrlVariable)} changes it)`;

const section = (provider: Provider): readonly string[] => [
  `## ${provider.name} (${code(provider.id)})`,
  "",
  `Wire ${code(provider.wire.id)}, ${addressOf(provider)}. ${
    provider.auth === "none"
      ? `It asks for no key; ${provider.keyVariables.map(code).join(" or ")} is sent where it is set.`
      : `Key: ${provider.keyVariables.map(code).join(" or ")}.`
  }`,
  "",
  ...(provider.models.length === 0
    ? ["Any model id; rules are taken from the id's family.", ""]
    : [...fullColumns(provider.models.map(modelRow)), ""]),
];

/** `docs/reference/models.md`: the catalogue as data has it. */
export const modelsPage = (): string =>
  [
    "# Models and providers",
    "",
    "Made from the files in `packages/mull/src/vendors`; `mull models` prints the same.",
    "A model ref is `[provider:]name[/level]`. Ids are found exactly, then by the longest prefix: a dated id has the row of its",
    "family. An id nobody listed gets the newest rules of its family and is marked as assumed on the receipt.",
    "What each level sends is in [dial.md](../guides/dial.md#every-model-every-level).",
    "",
    ...table(
      ["column", "what it says"],
      [
        [
          "thinking by",
          "how the service is asked: an `effort` or `level` in its own words, a `budget` in tokens, a `switch`, or not at all",
        ],
        ["when nothing is sent", "what the service does at `auto`; – where nobody says"],
        ["shows", "what of the thinking you can see: all of it, a summary, nothing"],
        ["output cap", "most tokens of an answer, thinking included"],
        ["window", "most tokens of a conversation"],
        [
          "status",
          "`gated`: for invited accounts; `never-served`: a name people try that no service has",
        ],
      ],
    ),
    "",
    ...providers.flatMap(section),
  ].join("\n");

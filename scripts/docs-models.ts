import { providers, type Model, type Provider } from "mull";
import { code, grouped, table } from "./docs-table.ts";

const price = ({ price: row }: Model): string => {
  if (row === undefined) return "–";
  const cached = row.cacheRead === undefined ? "" : ` (${row.cacheRead} cached)`;
  return `${row.input}${cached} / ${row.output}`;
};

const status = (model: Model): string =>
  [
    model.status,
    ...(model.endOfLife === undefined ? [] : [`until ${model.endOfLife}`]),
    ...(model.successor === undefined ? [] : [`→ ${code(model.successor)}`]),
  ].join(" ");

const modelRow = (model: Model): readonly string[] => [
  code(model.id),
  model.thinking.kind === "none" ? "no" : model.thinking.kind,
  model.defaultThinking ?? "–",
  model.thinking.kind === "none" ? "–" : model.shows,
  model.outputCap === undefined ? "–" : grouped(model.outputCap),
  model.window === undefined ? "–" : grouped(model.window),
  price(model),
  status(model),
];

const head = [
  "model",
  "thinking by",
  "when nothing is sent",
  "shows",
  "output cap",
  "window",
  "USD per million, in / out",
  "status",
];

const section = (provider: Provider): readonly string[] => [
  `## ${provider.name}`,
  "",
  `Provider ${code(provider.id)}, wire ${code(provider.wire.id)}, at ${code(provider.baseUrl)} (${code(provider.baseUrlVariable)} changes it). ${
    provider.auth === "none"
      ? "It takes no key."
      : `Key: ${provider.keyVariables.map(code).join(" or ")}.`
  }`,
  "",
  ...(provider.models.length === 0
    ? ["Any model id; rules are taken from the id's family.", ""]
    : [...table(head, provider.models.map(modelRow)), ""]),
];

/** `docs/models.md`: the catalogue as data has it. */
export const modelsPage = (): string =>
  [
    "# Models and providers",
    "",
    "Made from the catalogue in `packages/mull/src/catalogue` and the providers beside it; `mull models` prints the same.",
    "A model ref is `[provider:]name[/level]`. Ids are found exactly, then by the longest prefix: a dated id has the row of its",
    "family. An id nobody listed gets the newest rules of its family and is marked as assumed on the receipt.",
    "What each level sends is in [dial.md](dial.md#every-model-every-level).",
    "",
    ...providers.flatMap(section),
  ].join("\n");

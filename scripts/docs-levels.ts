import {
  levels,
  planThinking,
  providers,
  type Model,
  type Provider,
  type ThinkingSetting,
} from "mull";
import { code, grouped, table } from "./docs-table.ts";

/** What is sent, in the fewest words that tell two cells apart. */
const settingCell = (setting: ThinkingSetting): string => {
  switch (setting.type) {
    case "default":
      return "–";
    case "off":
      return "off";
    case "budget":
      return grouped(setting.tokens);
    case "effort":
      return setting.effort;
    case "level":
      return setting.level;
    case "on":
      return "on";
    default:
      return setting satisfies never;
  }
};

/** What a model gets for each position of the dial: the plan the library itself makes. */
const levelRow = (model: Model): readonly string[] => [
  code(model.id),
  ...levels.map((level) => settingCell(planThinking({ model, level }).setting)),
];

const isServed = (model: Model): boolean =>
  model.status !== "retired" && model.status !== "never-served";

const section = (provider: Provider): readonly string[] => {
  const models = provider.models.filter(
    (model) => isServed(model) && model.thinking.kind !== "none",
  );
  if (models.length === 0) return [];
  return [
    `### ${provider.name} (${code(provider.id)})`,
    "",
    ...table(["model", ...levels.map(code)], models.map(levelRow)),
    "",
  ];
};

/** Every thinking model that is served, by every position of the dial. */
export const levelTables = (): string => providers.flatMap(section).join("\n").trim();

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";

export type Cell = string | number;

export interface Table {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

/** What must hold. */
export interface Bar {
  readonly what: string;
  readonly most: number;
  readonly measured: number;
}

export interface Chart {
  readonly name: string;
  readonly title: string;
  readonly unit: string;
  /** Drawn as a line. */
  readonly limit?: number;
  readonly values: readonly { readonly label: string; readonly value: number }[];
}

export interface ScenarioReport {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly tables: readonly Table[];
  readonly bars: readonly Bar[];
  readonly charts: readonly Chart[];
  /** How long it took to measure. */
  readonly seconds?: number;
}

export interface Scenario {
  readonly id: string;
  readonly run: () => Promise<ScenarioReport>;
}

export interface Report {
  readonly node: string;
  readonly cores: number;
  readonly scenarios: Readonly<Record<string, ScenarioReport>>;
}

const folder = new URL("report/", import.meta.url);
const jsonFile = new URL("report.json", folder);

export function readReport(): Report {
  try {
    return JSON.parse(readFileSync(jsonFile, "utf8")) as Report;
  } catch {
    return { node: process.version, cores: cpus().length, scenarios: {} };
  }
}

/** Replaces the earlier results of the scenarios that were measured. */
export function writeReport(
  earlier: Report["scenarios"],
  measured: readonly ScenarioReport[],
): void {
  const report: Report = {
    node: process.version,
    cores: cpus().length,
    scenarios: { ...earlier, ...Object.fromEntries(measured.map((each) => [each.id, each])) },
  };
  mkdirSync(folder, { recursive: true });
  writeFileSync(jsonFile, `${JSON.stringify(report, null, 2)}\n`);
  writeFileSync(new URL("report.md", folder), toMarkdown(report));
}

const show = (cell: Cell): string =>
  typeof cell === "string" ? cell : cell.toFixed(cell < 10 ? 2 : cell < 100 ? 1 : 0);

const line = (cells: readonly Cell[]): string => `| ${cells.map(show).join(" | ")} |`;

export const tableLines = ({ columns, rows }: Omit<Table, "name">): readonly string[] => [
  line(columns),
  line(columns.map(() => "---")),
  ...rows.map(line),
];

export function barLines(bars: readonly Bar[]): readonly string[] {
  const rows = bars.map(({ what, most, measured }) => [
    what,
    show(most),
    show(measured),
    measured <= most ? "holds" : "**missed**",
  ]);
  return tableLines({ columns: ["what", "at most", "measured", ""], rows });
}

export const scenarioLines = (scenario: ScenarioReport): readonly string[] => [
  `## ${scenario.title}`,
  "",
  scenario.text,
  "",
  ...scenario.tables.flatMap((table) => [`**${table.name}**`, "", ...tableLines(table), ""]),
  ...(scenario.bars.length > 0 ? [...barLines(scenario.bars), ""] : []),
];

const toMarkdown = (report: Report): string =>
  [
    "# Benchmark report",
    "",
    `Node ${report.node}, ${report.cores} cores.`,
    "",
    ...Object.values(report.scenarios).flatMap(scenarioLines),
  ].join("\n");

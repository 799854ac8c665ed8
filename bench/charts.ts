import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { barLines, type Chart, readReport, type Report, tableLines } from "./report.ts";

const docs = new URL("../docs/", import.meta.url);

const width = 720;
const labelWidth = 190;
const valueWidth = 90;
const rowHeight = 26;
const top = 44;
const accent = "#2f6fed";
const other = "#a3acb9";
const ink = "#5b6470";

const escape = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

const showValue = (value: number, unit: string): string =>
  `${value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0)} ${unit}`;

/** One bar a row, mull's own in colour. */
function drawChart({ title, unit, limit, values }: Chart): string {
  const room = width - labelWidth - valueWidth;
  const most = Math.max(limit ?? 0, ...values.map(({ value }) => value));
  const lengthOf = (value: number): number => Math.max(1, (Math.max(0, value) / most) * room);
  const height = top + values.length * rowHeight + 10;
  const rows = values.flatMap(({ label, value }, at) => {
    const y = top + at * rowHeight;
    const middle = y + rowHeight / 2 + 1;
    const bar = lengthOf(value);
    const fill = label.startsWith("mull") ? accent : other;
    return [
      `<text x="${labelWidth - 8}" y="${middle}" text-anchor="end">${escape(label)}</text>`,
      `<rect x="${labelWidth}" y="${y + 4}" width="${bar.toFixed(1)}" height="${rowHeight - 8}" rx="2" fill="${fill}"/>`,
      `<text x="${(labelWidth + bar + 6).toFixed(1)}" y="${middle}">${showValue(value, unit)}</text>`,
    ];
  });
  const mark = limit === undefined ? undefined : (labelWidth + lengthOf(limit)).toFixed(1);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escape(title)}">`,
    `<style>text{font:13px system-ui,sans-serif;fill:${ink};dominant-baseline:middle}</style>`,
    `<text x="0" y="18" style="font-weight:600">${escape(title)}</text>`,
    ...rows,
    ...(mark === undefined
      ? []
      : [
          `<line x1="${mark}" x2="${mark}" y1="${top - 6}" y2="${height - 8}" stroke="${ink}" stroke-dasharray="3 3"/>`,
        ]),
    "</svg>",
    "",
  ].join("\n");
}

/** Packages by the names under which they stand in the tables. */
const peerPackages: readonly (readonly [label: string, name: string])[] = [
  ["@anthropic-ai/sdk", "@anthropic-ai/sdk"],
  ["openai", "openai"],
  ["@google/genai", "@google/genai"],
  ["AI SDK", "ai"],
  ["pi-ai", "@earendil-works/pi-ai"],
  ["TanStack AI", "@tanstack/ai"],
  ["LangChain.js", "@langchain/core"],
  ["Portkey", "@portkey-ai/gateway"],
];

function peerVersions(): string {
  const { dependencies } = JSON.parse(
    readFileSync(new URL("peers/package.json", import.meta.url), "utf8"),
  ) as { readonly dependencies: Readonly<Record<string, string>> };
  return peerPackages.map(([label, name]) => `${label} ${dependencies[name]}`).join(", ");
}

function showDuration(report: Report): string {
  const seconds = Object.values(report.scenarios).reduce(
    (sum, each) => sum + (each.seconds ?? 0),
    0,
  );
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

const intro = (report: Report): readonly string[] => [
  "# Performance",
  "",
  "What users pay for, measured beside what they would use instead. Every figure is a ratio to the **floor** of the same",
  "interleaved run: a program without a library, [eventsource-parser](https://www.npmjs.com/package/eventsource-parser) 3 and",
  "`JSON.parse`, that adds up thinking, text and tool arguments in a callback. The **pump** only reads the bytes.",
  "",
  `Node ${report.node}, ${report.cores} cores, medians of at least seven rounds, CPU time unless it says otherwise. Streams are`,
  "synthetic and written as the services write them; every contestant reads them through its public API and must have seen at",
  `least 97 % of the text in the end. All of it took ${showDuration(report)}, each part in a process of its own.`,
  "",
  `The others: ${peerVersions()}. AI SDK 7 and pi-ai ask for Node 22 and run on 20 too. pi-ai 1.x could not be`,
  "installed: packages that it depends on were not in the registry.",
  "",
  "This page and its charts are made by `npm run bench:charts` from the report of `npm run bench`; `npm run bench:peers`",
  "installs the other libraries first. What can be counted without a clock is held by `npm run bench:gate`.",
  "",
];

function page(report: Report): string {
  const scenarios = Object.values(report.scenarios).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const bars = scenarios.flatMap(({ bars: own }) => own);
  const missed = bars.filter(({ most, measured }) => !(measured <= most));
  return [
    ...intro(report),
    "## What must hold",
    "",
    `${bars.length - missed.length} of ${bars.length} bars hold.`,
    "",
    ...barLines(bars),
    "",
    ...scenarios.flatMap(({ title, text, tables, charts }) => [
      `## ${title}`,
      "",
      text,
      "",
      ...charts.flatMap((chart) => [`![${chart.title}](../charts/${chart.name}.svg)`, ""]),
      ...tables.flatMap((table) => [`**${table.name}**`, "", ...tableLines(table), ""]),
    ]),
  ].join("\n");
}

const report = readReport();
rmSync(new URL("charts/", docs), { recursive: true, force: true });
mkdirSync(new URL("charts/", docs));
for (const { charts } of Object.values(report.scenarios)) {
  for (const chart of charts) {
    writeFileSync(new URL(`charts/${chart.name}.svg`, docs), drawChart(chart));
  }
}
writeFileSync(new URL("reference/performance.md", docs), page(report));

import { execFileSync, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { median } from "../measure.ts";
import type { Bar, Scenario, ScenarioReport, Table } from "../report.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const peerFolder = fileURLToPath(new URL("../peers/", import.meta.url));
const hasPeers = existsSync(`${peerFolder}node_modules`);

interface Import {
  readonly name: string;
  readonly folder: string;
  readonly code: string;
}

const own = (name: string, ...specifiers: readonly string[]): Import => ({
  name,
  folder: root,
  code: specifiers.map((specifier) => `import ${JSON.stringify(specifier)};`).join(""),
});
const peer = (name: string, ...specifiers: readonly string[]): Import => ({
  ...own(name, ...specifiers),
  folder: peerFolder,
});

const bareNode = own("bare node");

const ownImports: readonly Import[] = [
  own("floor", "eventsource-parser"),
  own("mull/lean + wire", "mull/lean", "mull/anthropic"),
  own("mull", "mull"),
];

const peerImports: readonly Import[] = hasPeers
  ? [
      peer("@anthropic-ai/sdk", "@anthropic-ai/sdk"),
      peer("@google/genai", "@google/genai"),
      peer("AI SDK", "ai", "@ai-sdk/anthropic"),
      peer("pi-ai", "@earendil-works/pi-ai", "@earendil-works/pi-ai/providers/anthropic"),
      peer("TanStack AI", "@tanstack/ai", "@tanstack/ai-anthropic"),
      peer("LangChain.js", "@langchain/anthropic"),
    ]
  : [];

type ImportTime = readonly [name: string, cpu: number];

/** CPU of whole processes, the bare one's subtracted, in turns. */
function timesOf(group: readonly Import[], rounds: number): readonly ImportTime[] {
  const imports = [bareNode, ...group];
  const times = imports.map((): number[] => []);
  for (let round = 0; round < rounds; round++) {
    imports.forEach(({ code, folder }, at) => {
      const script = `${code}process.on("exit",()=>{const {user,system}=process.cpuUsage();console.log((user+system)/1000)})`;
      const args = ["--input-type=module", "-e", script];
      const output = execFileSync(process.execPath, args, { cwd: folder, encoding: "utf8" });
      times[at]!.push(Number(output));
    });
  }
  const [bare, ...others] = times;
  return group.map(({ name }, at) => [
    name,
    median(others[at]!.map((time, round) => time - bare![round]!)),
  ]);
}

/** Short times need more rounds than long ones. */
const importTimes = (): readonly ImportTime[] => [
  ...timesOf(ownImports, 31),
  ...timesOf(peerImports, 9),
];

interface Size {
  readonly name: string;
  readonly size: number;
}

/** What size-limit measures: minified and compressed, everything included, in KiB. */
function bundleSizes(...options: readonly string[]): readonly (readonly [string, number])[] {
  const result = spawnSync("npx", ["--no-install", "size-limit", "--json", ...options], {
    cwd: root,
    encoding: "utf8",
  });
  return (JSON.parse(result.stdout) as readonly Size[]).map(({ name, size }) => [
    name,
    size / 1024,
  ]);
}

/** More than a turn, so not in the chart of turns. */
const beside = ["all wires and the catalogue", "an Agent with one vendor"] as const;

const findValue = (rows: readonly (readonly [string, number])[], name: string): number =>
  rows.find(([each]) => each === name)?.[1] ?? NaN;

function run(): Promise<ScenarioReport> {
  const times = importTimes();
  const sizes = [
    ...bundleSizes(),
    ...(hasPeers ? bundleSizes("--config", `${peerFolder}size-limit.mjs`) : []),
  ];
  const tables: Table[] = [
    { name: "import over bare node", columns: ["", "CPU, ms"], rows: times },
    { name: "bundles, minified and gzipped", columns: ["", "KiB"], rows: sizes },
  ];
  const bars: readonly Bar[] = [
    { what: "import of mull over bare node, ms", most: 30, measured: findValue(times, "mull") },
    {
      what: "bundle of one Anthropic turn, KiB",
      most: 13,
      measured: findValue(sizes, "one Anthropic turn"),
    },
    {
      what: "bundle of all wires and the catalogue, KiB",
      most: 48,
      measured: findValue(sizes, beside[0]),
    },
    {
      what: "bundle of an Agent with one vendor, KiB",
      most: 60,
      measured: findValue(sizes, beside[1]),
    },
  ];
  return Promise.resolve({
    id: "s3",
    title: "S3: starting up",
    text: "What an import costs, and what one turn with Anthropic adds to a page.",
    tables,
    bars,
    charts: [
      {
        name: "import",
        title: "Import, CPU time over bare node",
        unit: "ms",
        values: times.map(([label, value]) => ({ label, value })),
      },
      {
        name: "bundle",
        title: "Bundle of one turn, minified and gzipped",
        unit: "KiB",
        values: sizes
          .filter(([name]) => !beside.some((other) => other === name))
          .map(([label, value]) => ({
            label: label === "one Anthropic turn" ? "mull" : label,
            value,
          })),
      },
    ],
  });
}

export const startUp: Scenario = { id: "s3", run };

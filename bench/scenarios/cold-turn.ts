import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type Measured, measuredOf, type Sample } from "../measure.ts";
import type { Scenario, ScenarioReport } from "../report.ts";
import { serveStreams } from "../serve-streams.ts";

const child = fileURLToPath(new URL("../turns/first-words.mjs", import.meta.url));
const rounds = 9;

interface Turn {
  readonly name: string;
  readonly module: string;
  /** Whether it goes by `ANTHROPIC_BASE_URL`. */
  readonly takesAddress?: boolean;
}

const own = (name: string, file: string, takesAddress = false): Turn => ({
  name,
  takesAddress,
  module: new URL(`../turns/${file}.mjs`, import.meta.url).href,
});
const peer = (name: string, file: string): Turn => ({
  name,
  module: new URL(`../peers/turns/${file}.mjs`, import.meta.url).href,
});

const turns: readonly Turn[] = [
  own("floor", "floor", true),
  own("mull", "mull", true),
  own("mull/lean + wire", "mull-lean"),
  ...(existsSync(new URL("../peers/node_modules", import.meta.url))
    ? [
        peer("@anthropic-ai/sdk", "official"),
        peer("AI SDK", "ai-sdk"),
        peer("pi-ai", "pi-ai"),
        peer("TanStack AI", "tanstack"),
        peer("LangChain.js", "langchain"),
      ]
    : []),
];

async function askOnce({ module, takesAddress }: Turn, origin: string): Promise<Sample> {
  const env = takesAddress ? { ...process.env, ANTHROPIC_BASE_URL: origin } : process.env;
  const { stdout } = await promisify(execFile)(process.execPath, [child, module, origin], { env });
  return JSON.parse(stdout) as Sample;
}

async function raceTurns(origin: string): Promise<readonly Measured[]> {
  const samples = turns.map((): Sample[] => []);
  for (let round = -1; round < rounds; round++) {
    for (const [at, turn] of turns.entries()) {
      const taken = await askOnce(turn, origin);
      // The first time its files are read from the disk.
      if (round >= 0) samples[at]!.push(taken);
    }
  }
  return turns.map(({ name }, at) => measuredOf(name, samples[at]!, samples[0]!));
}

async function run(): Promise<ScenarioReport> {
  const { server, port } = await serveStreams(20);
  try {
    const rows = await raceTurns(`http://127.0.0.1:${port}/anthropic-messages`);
    return {
      id: "s3-cold",
      title: "S3: a cold turn",
      text: "A fresh process that loads the library, asks Anthropic's wire once over loopback HTTP and stops at the first thinking it is handed: all of the process, the start of the runtime included.",
      tables: [
        {
          name: "until the first thinking",
          columns: ["", "CPU, x floor", "spread", "wall, x floor", "CPU, ms", "wall, ms"],
          rows: rows.map((row) => [
            row.name,
            row.cpuRatio,
            row.spread,
            row.wallRatio,
            row.cpu,
            row.wall,
          ]),
        },
      ],
      bars: [
        {
          what: "cold turn of mull, first thinking, x floor",
          most: 1.2,
          measured: rows.find(({ name }) => name === "mull")?.cpuRatio ?? NaN,
        },
      ],
      charts: [
        {
          name: "cold-turn",
          title: "A cold turn: CPU time until the first thinking",
          unit: "x floor",
          limit: 1,
          values: rows.map(({ name, cpuRatio }) => ({ label: name, value: cpuRatio })),
        },
      ],
    };
  } finally {
    server.close();
  }
}

export const coldTurn: Scenario = { id: "s3-cold", run };

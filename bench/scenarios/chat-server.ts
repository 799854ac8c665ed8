import { createStage } from "../../packages/server/src/testing/load/children.ts";
import { removeFolders } from "../../packages/server/src/testing/load/data-folder.ts";
import type { Line } from "../../packages/server/src/testing/load/row.ts";
import { measureTurnCost } from "../../packages/server/src/testing/load/rows/turn-cost.ts";
import type { Bar, Scenario, ScenarioReport } from "../report.ts";

/** The first number of a text: the median of `1.90 [1.55, 2.47]`, the limit of `≤ 2.5 x`. */
const numberIn = (text: string): number => Number(/\d+(?:\.\d+)?/.exec(text)?.[0]);

const barOf = ({ measure, beside, ratio, target }: Line): Bar => ({
  what: `chat server: ${measure}, x ${beside.split(" ", 1)[0]}`,
  most: numberIn(target),
  measured: numberIn(ratio),
});

/** Without the embedded store: the database alone would take a minute. */
const effort = { streams: 60, rounds: 7, warmUp: 3000, who: ["bare", "relay", "memory"] } as const;

async function run(): Promise<ScenarioReport> {
  const stage = createStage();
  try {
    const lines = await measureTurnCost(stage, effort);
    return {
      id: "s6",
      title: "S6: the chat server",
      text: "The chat server (account, conversation, saved answer, resumable stream) beside a bare `node:http` server that writes the same 500 prepared events per stream, one `write` each, and beside a relay that hands the service's bytes on. Servers, the service and the client are processes of their own; 50 streams at a time; processor time of the server. Conversations are kept in memory; `npm run load` measures the database and more.",
      tables: [
        {
          name: "50 streams at a time, 500 events each",
          columns: ["", "mull", "beside it", "ratio [least, most]"],
          rows: lines.map(({ measure, mull, beside, ratio }) => [measure, mull, beside, ratio]),
        },
      ],
      bars: lines.map(barOf),
      charts: [],
    };
  } finally {
    await stage.clear();
    await removeFolders();
  }
}

export const chatServer: Scenario = { id: "s6", run };

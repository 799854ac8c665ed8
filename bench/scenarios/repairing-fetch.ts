import { compose, resolveModel, type Message } from "mull";
import { repairingFetch } from "mull/rules";
import { makeMessages } from "../histories.ts";
import { race } from "../measure.ts";
import type { Scenario, ScenarioReport } from "../report.ts";

const refs = ["claude-haiku-4-5/med", "gpt-6-sol/med", "gemini-3.8-flash/med"] as const;

/** The most that repairing a body of this size may cost. */
const mostMs = 8;
const characters = 222_000;

const search = {
  name: "search",
  inputSchema: { type: "object", properties: { query: { type: "string" } } },
};

const hosts = {
  "anthropic-messages": "https://api.anthropic.com",
  "openai-responses": "https://api.openai.com",
  "openai-chat": "https://api.openai.com",
  "google-generate": "https://generativelanguage.googleapis.com",
} as const;

interface Case {
  readonly ref: string;
  readonly url: string;
  readonly body: string;
}

/** A long tool conversation, as a client would send it; `damage` breaks the body. */
function makeCase(ref: string, damage: (text: string) => string): Case {
  const target = resolveModel(ref);
  const wire = target.provider.wire.id;
  const go: Message = { role: "user", parts: [{ type: "text", text: "Go on." }] };
  const write = (count: number): Case => {
    const messages = [...makeMessages(wire, count), go];
    const { encoded } = compose(target, { messages, tools: [search] });
    return { ref, url: hosts[wire] + encoded.path, body: damage(JSON.stringify(encoded.body)) };
  };
  const probe = write(40).body.length / 40;
  return write(Math.ceil(characters / probe / 4) * 4);
}

/** What clients get wrong: results whose calls are gone, and calls without their signature. */
const faults = [
  /(?<="tool_use_id":")/g,
  /(?<="type":"function_call_output","call_id":")/g,
  /(?<="thoughtSignature":")/g,
];

const everywhere = (text: string): string =>
  faults.reduce((whole, place) => whole.replace(place, "x"), text);

/** The last of them alone. */
function once(text: string): string {
  const places = faults.flatMap((place) => [...text.matchAll(place)].map(({ index }) => index));
  const last = Math.max(...places);
  return `${text.slice(0, last)}x${text.slice(last)}`;
}

async function run(): Promise<ScenarioReport> {
  const rows: (readonly (string | number)[])[] = [];
  const bars = [];
  for (const [state, damage] of [
    ["fine", (text: string): string => text],
    ["one fault", once],
    ["a fault in every turn", everywhere],
  ] as const) {
    for (const ref of refs) {
      const { url, body } = makeCase(ref, damage);
      const fetch = repairingFetch({ fetch: () => Promise.resolve(new Response("{}")) });
      const [plain, repaired] = await race(
        [
          { name: "JSON", run: () => Promise.resolve(JSON.stringify(JSON.parse(body))) },
          { name: "repairingFetch", run: () => fetch(url, { method: "POST", body }) },
        ],
        31,
        10,
      );
      const size = `${Math.round(body.length / 1000)} KB`;
      rows.push([ref, state, size, plain!.cpu, repaired!.cpu, repaired!.cpuRatio]);
      bars.push({ what: `${ref}, ${state}, ms`, most: mostMs, measured: repaired!.cpu });
    }
  }
  return {
    id: "repairing-fetch",
    title: "A repairing fetch",
    text: "A long request goes through `repairingFetch`; beside it `JSON.parse` and `JSON.stringify` of the same body. Only Gemini itself can tell that a signature is wrong, so nothing is repaired there before it answers.",
    tables: [
      {
        name: "CPU, ms",
        columns: ["model", "body", "size", "JSON", "repairingFetch", "ratio"],
        rows,
      },
    ],
    bars,
    charts: [],
  };
}

export const repairing: Scenario = { id: "repairing-fetch", run };

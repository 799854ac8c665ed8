import { chatServer as createChatServer } from "@mull/server";
import { memoryStore } from "@mull/store";
import { createParser } from "eventsource-parser";
import { race } from "../measure.ts";
import type { Scenario, ScenarioReport } from "../report.ts";
import { fetchOf, makeStream } from "../streams.ts";

const origin = "http://localhost:3001";
const stream = makeStream("anthropic-messages", { thinking: 2000, text: 2000, input: 0 });
const upstream = fetchOf(stream, 1400);

type Ask = () => Promise<number>;

/** Reads an answer as a browser would and says how long it was. */
async function drain(response: Response): Promise<number> {
  if (!response.ok || response.body === null) {
    throw new Error(`${response.status} ${await response.text()}`);
  }
  let bytes = 0;
  const reader = response.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return bytes;
    bytes += value.length;
  }
}

/** The least a server can do: reads the service's events and writes its own. No accounts, nothing kept. */
function bareServer(): Ask {
  const encoder = new TextEncoder();
  return async () => {
    const source = (await upstream()).body!.getReader();
    const decoder = new TextDecoder();
    let pending: string[] = [];
    const parser = createParser({
      onEvent: ({ data }) => {
        const { delta } = JSON.parse(data) as { delta?: { text?: string; thinking?: string } };
        const text = delta?.text ?? delta?.thinking;
        if (text === undefined) return;
        const type = delta?.text === undefined ? "reasoning-delta" : "text-delta";
        pending.push(`data: ${JSON.stringify({ type, id: "0", delta: text })}\n\n`);
      },
    });
    const body = new ReadableStream<Uint8Array>({
      pull: async (controller) => {
        const { done, value } = await source.read();
        if (done) return controller.close();
        parser.feed(decoder.decode(value, { stream: true }));
        controller.enqueue(encoder.encode(pending.join("")));
        pending = [];
      },
    });
    return drain(new Response(body));
  };
}

/** The chat server with an account and a conversation of its own for every turn. */
async function fullServer(): Promise<Ask> {
  const app = createChatServer({
    store: memoryStore(),
    upstream: () => ({ fetch: upstream, env: {}, apiKey: "bench-key", isSimulated: false }),
    model: "claude-opus-5-5",
    limits: {
      requestsPerSecond: 1e6,
      requestBurst: 1e6,
      tokensPerDay: 0,
      dollarsPerDay: 0,
    },
  });
  let cookie = "";
  const call = async (path: string, body: object): Promise<Response> => {
    const response = await app(origin + path, {
      method: "POST",
      headers: { origin, "content-type": "application/json", ...(cookie !== "" && { cookie }) },
      body: JSON.stringify(body),
    });
    cookie = response.headers.get("set-cookie")?.split(";")[0] ?? cookie;
    return response;
  };
  await call("/api/account/sign-up", { name: "bench", password: "correct horse" });
  return async () => {
    const { id } = (await (await call("/api/conversations", {})).json()) as { readonly id: string };
    const messages = [{ role: "user", parts: [{ type: "text", text: "Hi." }] }];
    return drain(await call("/api/chat", { id, messages, trigger: "submit-message" }));
  };
}

async function run(): Promise<ScenarioReport> {
  const entrants = [
    { name: "bare SSE server", run: bareServer() },
    { name: "mull's chat server", run: await fullServer() },
  ];
  const rows = await race(entrants, 15, 8);
  return {
    id: "s6",
    title: "S6: the chat server",
    text: "One turn of 4,000 deltas through the chat server (account, conversation, saved answer, resumable stream) beside a bare server that only passes deltas on. Both in process, without sockets.",
    tables: [
      {
        name: "one turn",
        columns: ["", "CPU, x bare", "spread", "wall, x bare", "CPU, ms"],
        rows: rows.map((row) => [row.name, row.cpuRatio, row.spread, row.wallRatio, row.cpu]),
      },
    ],
    bars: [],
    charts: [],
  };
}

export const chatServer: Scenario = { id: "s6", run };

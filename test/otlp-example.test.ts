import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { afterEach, expect, onTestFinished, test } from "vitest";
import {
  killServers,
  startServer,
  untilReady,
  type ChildServer,
} from "../packages/server/src/testing/child-server.ts";
import { textIn, Visitor } from "../packages/server/src/testing/test-server.ts";

afterEach(killServers);

interface Receiver {
  readonly url: string;
  /** Resolves when all of these were in what came for a signal. */
  readonly until: (signal: "traces" | "metrics", words: readonly string[]) => Promise<string>;
}

/** Takes what OpenTelemetry's exporters send over HTTP. */
async function receive(): Promise<Receiver> {
  const got = new Map([
    ["/v1/traces", ""],
    ["/v1/metrics", ""],
  ]);
  let wake: (() => void)[] = [];
  const server = createServer(async (request, response) => {
    const path = request.url ?? "";
    got.set(path, `${got.get(path) ?? ""}${await text(request)}\n`);
    response.setHeader("content-type", "application/json").end("{}");
    for (const each of wake.splice(0)) each();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    wake = [];
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    until: async (signal, words) => {
      for (;;) {
        const all = got.get(`/v1/${signal}`) ?? "";
        if (words.every((word) => all.includes(word))) return all;
        await new Promise<void>((resolve) => wake.push(resolve));
      }
    },
  };
}

/** A server with the example's SDK, which sends as often as `delays` says, and someone who asks it. */
async function askObserved(
  url: string,
  delays: Readonly<Record<string, string>>,
): Promise<ChildServer> {
  const folder = await mkdtemp(join(tmpdir(), "mull-otlp-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const register = pathToFileURL(
    join(import.meta.dirname, "../examples/register-opentelemetry.mjs"),
  ).href;
  const server = await startServer({
    MULL_DATA: folder,
    MULL_OTEL: "1",
    NODE_OPTIONS: `--import ${register}`,
    OTEL_EXPORTER_OTLP_ENDPOINT: url,
    ...delays,
  });
  await untilReady(server.url);
  const ann = new Visitor((each, init) => fetch(each, init), server.url);
  await ann.signUp("ann");
  const id = await ann.newConversation("claude-sonnet-4-5");
  expect(textIn(await ann.askWhole(id, "Search the web for the bitcoin price"))).not.toBe("");
  return server;
}

const spanNames = ["invoke_agent", "chat claude-sonnet-4-5", "execute_tool searchWeb"];
const metricNames = ["gen_ai.client.token.usage", "gen_ai.client.operation.duration"];

test("R531: the server sends spans and metrics over OTLP to who registers an SDK, and no words", async () => {
  const receiver = await receive();
  const delays = { OTEL_METRIC_EXPORT_INTERVAL: "200", OTEL_BSP_SCHEDULE_DELAY: "100" };
  await askObserved(receiver.url, delays);
  const words = [...spanNames, "gen_ai.usage.reasoning.output_tokens"];
  const spans = await receiver.until("traces", words);
  const metrics = await receiver.until("metrics", metricNames);
  for (const sent of [spans, metrics]) expect(sent).not.toMatch(/bitcoin/i);
}, 120_000);

test("R531: a server that is stopped right after an answer sends what its SDK holds back", async () => {
  const receiver = await receive();
  const delays = { OTEL_METRIC_EXPORT_INTERVAL: "3600000", OTEL_BSP_SCHEDULE_DELAY: "3600000" };
  const server = await askObserved(receiver.url, delays);
  expect(await server.terminate()).toBe(0);
  await receiver.until("traces", spanNames);
  await receiver.until("metrics", metricNames);
}, 120_000);

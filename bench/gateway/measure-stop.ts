import { EventEmitter, once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, request, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { quantile } from "../measure.ts";
import { everyWire } from "../contestants/contestant.ts";
import { makeStream } from "../streams.ts";
import { bodies } from "./bodies.ts";
import { startOurs, type Started } from "./contestants.ts";

/** How long a service still worked for a client that had left, in milliseconds. */
export interface StopFigures {
  readonly name: string;
  readonly p50: number;
  readonly longest: number;
}

const stops = 100;

/** A service that sends its first words and then nothing, and gives out its open responses. */
async function startHalting(): Promise<{
  readonly origin: string;
  readonly next: () => Promise<ServerResponse>;
  readonly close: () => void;
}> {
  const words: ReadonlyMap<string, Uint8Array> = new Map(
    everyWire.map((wire) => {
      const { bytes, ends } = makeStream(wire, { thinking: 4, text: 4, input: 0 });
      return [`/${wire}`, bytes.subarray(0, ends[4])] as const;
    }),
  );
  const asking = new EventEmitter();
  const server = createServer((asked, response) => {
    const path = asked.url ?? "";
    asked.resume().on("end", () => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(words.get(path.slice(0, path.indexOf("/", 1))));
      asking.emit("answer", response);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    next: async () => ((await once(asking, "answer")) as [ServerResponse])[0],
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Asks, reads the first words, and leaves. */
async function stopOnce(url: string, coming: Promise<ServerResponse>): Promise<number> {
  const asked = request(`${url}/v1/messages`, {
    agent: false,
    method: "POST",
    headers: { "content-type": "application/json", "anthropic-version": "2023-06-01" },
  });
  asked.end(bodies.small);
  const [answer] = (await once(asked, "response")) as [IncomingMessage];
  await once(answer, "data");
  const upstream = await coming;
  const closed = once(upstream, "close");
  answer.on("error", () => undefined);
  const left = performance.now();
  asked.destroy();
  await closed;
  return performance.now() - left;
}

/** Measures how soon a client that stops stops the service, on both ways through the gateway. */
export async function measureStops(): Promise<readonly StopFigures[]> {
  const home = await mkdtemp(join(tmpdir(), "mull-bench-"));
  const service = await startHalting();
  const running: Started[] = [];
  const figures: StopFigures[] = [];
  const lanes = [
    ["mull, passing through", []],
    ["mull, translating", ["--model", "gpt-6-sol/high"]],
  ] as const;
  try {
    for (const [name, options] of lanes) {
      const started = await startOurs(service.origin, home, options);
      running.push(started);
      const waits: number[] = [];
      for (let at = 0; at < stops; at++) waits.push(await stopOnce(started.url, service.next()));
      figures.push({ name, p50: quantile(waits, 0.5), longest: Math.max(...waits) });
    }
  } finally {
    for (const { child } of running) child.kill("SIGKILL");
    service.close();
    await rm(home, { recursive: true, force: true });
  }
  return figures;
}

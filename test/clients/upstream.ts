import { EventEmitter, once } from "node:events";

import { emulate, type JournalEntry, type PlannedFaults, type Script } from "@mull/emulator";

import type { ClientAnswer, ClientRequest } from "@mull/gateway";

import { listen } from "../../packages/cli/src/gateway/listen.ts";

/** The services behind the gateway, and what is seen of them. */
export interface Upstream {
  readonly env: Readonly<Record<string, string>>;
  readonly journal: () => readonly JournalEntry[];
  /** Resolves when a first request has come. */
  readonly asked: Promise<unknown>;
  /** Resolves when a request was ended from the other side. */
  readonly left: Promise<unknown>;
  readonly close: () => Promise<void>;
}

async function requestOf({
  method,
  target,
  headers,
  read,
  signal,
}: ClientRequest): Promise<Request> {
  const chunks: Uint8Array[] = [];
  await read((bytes) => chunks.push(bytes) > 0);
  const body = chunks.length === 0 ? null : Buffer.concat(chunks);
  const url = `http://${headers.get("host") ?? "127.0.0.1"}${target}`;
  return new Request(url, { method, headers: [...headers], body, signal });
}

const answerOf = ({ status, headers, body }: Response, signal: AbortSignal): ClientAnswer => ({
  status,
  headers: Object.fromEntries(headers),
  body: async ({ write, ready }) => {
    const reader = body?.getReader();
    signal.addEventListener("abort", () => void reader?.cancel().catch(() => undefined));
    for (let step = await reader?.read(); step?.done === false; step = await reader?.read())
      if (!write(step.value)) await ready();
  },
});

/** Starts the three services on a free port, with scripted answers and faults. */
export async function startUpstream(
  scripts: readonly Script[],
  faults?: PlannedFaults,
): Promise<Upstream> {
  const emulator = emulate({ scripts });
  if (faults !== undefined) emulator.fault(faults);
  const seen = new EventEmitter();
  const asked = once(seen, "asked");
  const left = once(seen, "left");
  const handler = {
    answer: async (asking: ClientRequest): Promise<ClientAnswer> => {
      seen.emit("asked");
      asking.signal.addEventListener("abort", () => seen.emit("left"), { once: true });
      return answerOf(await emulator(await requestOf(asking)), asking.signal);
    },
  };
  const { url, close } = await listen(handler, { port: 0, host: "127.0.0.1", graceMs: 0 });
  return {
    env: {
      ANTHROPIC_BASE_URL: url,
      OPENAI_BASE_URL: `${url}/v1`,
      GOOGLE_BASE_URL: url,
      ANTHROPIC_API_KEY: "emulated",
      OPENAI_API_KEY: "emulated",
      GOOGLE_API_KEY: "emulated",
    },
    journal: emulator.journal,
    asked,
    left,
    close,
  };
}

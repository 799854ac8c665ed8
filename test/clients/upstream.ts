import { emulate, type JournalEntry, type PlannedFaults, type Script } from "@mull/emulator";

import { listen } from "../../packages/cli/src/gateway/listen.ts";

/** The services behind the gateway, and what is seen of them. */
export interface Upstream {
  readonly env: Readonly<Record<string, string>>;
  readonly journal: () => readonly JournalEntry[];
  /** Resolves when a first request has come. */
  readonly asked: Promise<void>;
  /** Resolves when a request was ended from the other side. */
  readonly left: Promise<void>;
  readonly close: () => Promise<void>;
}

/** Starts the three services on a free port, with scripted answers and faults. */
export async function startUpstream(
  scripts: readonly Script[],
  faults?: PlannedFaults,
): Promise<Upstream> {
  const emulator = emulate({ scripts });
  if (faults !== undefined) emulator.fault(faults);
  const asked = makeGate();
  const left = makeGate();
  const handler = {
    fetch: (request: Request): Promise<Response> => {
      asked.open();
      request.signal.addEventListener("abort", () => left.open(), { once: true });
      return emulator(request);
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
    asked: asked.opened,
    left: left.opened,
    close,
  };
}

interface Gate {
  readonly open: () => void;
  readonly opened: Promise<void>;
}

function makeGate(): Gate {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open, opened };
}

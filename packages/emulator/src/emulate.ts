import type { PlannedFaults } from "./fault/fault-plan.ts";
import { readBody } from "./read-body.ts";
import { route } from "./routes.ts";
import { checkScripts } from "./script/parse-scripts.ts";
import type { Script } from "./script/script.ts";
import type { JournalEntry } from "./world/journal.ts";
import type { EmulatorOptions } from "./world/options.ts";
import { createWorld, resetWorld } from "./world/world.ts";

/** A `fetch` that answers like the services, and the journal of what it was asked. */
export interface Emulator {
  (input: string | URL | Request, init?: RequestInit): Promise<Response>;
  /** Tells the library that an emulator answers: seals that an emulator made are sent only to an emulator. */
  readonly simulated: true;
  readonly journal: () => readonly JournalEntry[];
  /** Adds scripts after those that are there. */
  readonly load: (...scripts: readonly Script[]) => void;
  /** Plans faults for the next requests. */
  readonly fault: (planned: PlannedFaults | string) => void;
  /** Forgets the journal, stored responses, cached prompts, planned faults and the position in each script. */
  readonly reset: () => void;
}

/** Settles as the answer does, or rejects when the caller's signal aborts. It leaves no listener on the signal. */
const unlessAborted = <T>(answer: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const leave = (): void => reject(signal.reason as Error);
    signal.addEventListener("abort", leave);
    answer.then(resolve, reject).finally(() => signal.removeEventListener("abort", leave));
  });

/** The caller's signal is kept out of the request: a `Request` listens on it until it is garbage-collected. */
const signalOf = (input: string | URL | Request, init: RequestInit): AbortSignal =>
  init.signal ?? (input instanceof Request ? input.signal : new AbortController().signal);

/**
 * Anthropic, OpenAI and Gemini in process: give it to anything that takes a `fetch`. Only the path
 * of a request counts, so any base URL will do. Nothing is ever sent anywhere.
 */
export const emulate = (options: EmulatorOptions = {}): Emulator => {
  const world = createWorld(options);
  const answer = async (
    input: string | URL | Request,
    init: RequestInit = {},
  ): Promise<Response> => {
    const signal = signalOf(input, init);
    signal.throwIfAborted();
    const { signal: _, ...rest } = init;
    const request = new Request(input, rest);
    const url = new URL(request.url);
    const incoming = {
      method: request.method,
      url,
      path: url.pathname,
      headers: request.headers,
      body: await readBody(request),
      signal,
    };
    return unlessAborted(route(world, incoming), signal);
  };
  return Object.assign(answer, {
    simulated: true as const,
    journal: () => world.journal.read(),
    load: (...scripts: readonly Script[]) => {
      world.player.load(checkScripts(scripts));
    },
    fault: (planned: PlannedFaults | string) => {
      world.faults.add(typeof planned === "string" ? { faults: planned } : planned);
    },
    reset: () => resetWorld(world),
  });
};

import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { isClosed } from "../refusals.ts";
import { storeError } from "../store-error.ts";
import type { EngineFailure } from "./engine-failure.ts";
import type { StatementOutcome, RunGroup } from "./engine-queue.ts";
import type { EngineAnswer, EngineOutcome, EngineRequest } from "./protocol.ts";

/** The engine in its own thread. It doesn't queue: allow one caller at a time. */
export interface EngineThread {
  readonly run: RunGroup;
  /** Why it accepts no more work: it broke or was closed. */
  readonly whyOver: () => Error | undefined;
  readonly close: () => Promise<void>;
}

type WithoutId<T> = T extends { readonly id: number } ? Omit<T, "id"> : never;

interface PendingGroup {
  readonly resolve: (outcomes: readonly EngineOutcome[]) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

/** A broken engine may also fall silent for good. None of our statements takes this long. */
const silenceMs = 120_000;

/**
 * Node 20 runs no TypeScript, so a thread started from source first loads a loader. The process's
 * flags aren't passed on: some of them keep a thread from starting.
 */
function startWorker(folder: string): Worker {
  if (!import.meta.url.endsWith(".ts")) {
    return new Worker(new URL("./worker.js", import.meta.url), {
      workerData: folder,
      execArgv: [],
    });
  }
  const loader = new URL(
    "dist/esm/api/index.mjs",
    pathToFileURL(createRequire(import.meta.url).resolve("tsx/package.json")),
  ).href;
  const entry = new URL("./worker.ts", import.meta.url).href;
  const code = `import("${loader}").then(({ register }) => { register(); return import("${entry}"); })`;
  return new Worker(code, { eval: true, workerData: folder, execArgv: [] });
}

/**
 * `onBroken` is called once, when the engine broke. End the process: a restart recovers the data.
 */
export function startEngineThread(
  folder: string,
  onBroken: (error: Error) => void,
): Promise<EngineThread> {
  const worker = startWorker(folder);
  const waiting = new Map<number, PendingGroup>();
  let broken: Error | undefined;
  let isOpen = false;
  let lastId = 0;

  const end = (error: Error): void => {
    if (broken !== undefined) return;
    broken = error;
    for (const { reject, timer } of waiting.values()) {
      clearTimeout(timer);
      reject(error);
    }
    waiting.clear();
    void worker.terminate();
  };
  const breakDown = (cause: unknown): void => {
    if (broken !== undefined) return;
    end(isBroken(cause));
    if (isOpen) onBroken(isBroken(cause));
  };
  const ask = (request: WithoutId<EngineRequest>): Promise<readonly EngineOutcome[]> =>
    new Promise((resolve, reject) => {
      if (broken !== undefined) return reject(broken);
      lastId += 1;
      const timer = setTimeout(() => breakDown("it stopped answering"), silenceMs);
      waiting.set(lastId, { resolve, reject, timer });
      worker.ref();
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, no window
      worker.postMessage({ ...request, id: lastId });
    });
  const take = (answer: Extract<EngineAnswer, { readonly id: number }>): void => {
    const caller = waiting.get(answer.id);
    waiting.delete(answer.id);
    clearTimeout(caller?.timer);
    if (waiting.size === 0) worker.unref();
    if (answer.type === "done") caller?.resolve(answer.outcomes);
    else if (!answer.failure.isFatal) caller?.reject(sqlError(answer.failure));
    else {
      caller?.reject(isBroken(answer.failure.message));
      breakDown(answer.failure.message);
    }
  };

  return new Promise((opened, failed) => {
    worker.on("message", (answer: EngineAnswer) => {
      if (answer.type === "unopened") {
        failed(sqlError(answer.failure));
        end(isClosed());
      } else if (answer.type !== "ready") take(answer);
      else {
        isOpen = true;
        worker.unref();
        opened({
          run: async (group) => (await ask({ type: "run", group })).map(toOutcome),
          whyOver: () => broken,
          close: async () => {
            await ask({ type: "close" });
            end(isClosed());
          },
        });
      }
    });
    worker.on("error", (error) => {
      failed(error);
      breakDown(error);
    });
    worker.on("exit", () => {
      failed(isBroken("its thread ended"));
      breakDown("its thread ended");
    });
  });
}

const toOutcome = (outcome: EngineOutcome): StatementOutcome =>
  "failure" in outcome
    ? { status: "rejected", reason: sqlError(outcome.failure) }
    : { status: "fulfilled", value: outcome };

const sqlError = ({ message, code }: EngineFailure): Error =>
  Object.assign(new Error(message), code === undefined ? {} : { code });

const isBroken = (cause: unknown): Error =>
  storeError(
    "broken",
    "The embedded database failed and stopped accepting work. Restart it; it recovers everything it acknowledged.",
    cause,
  );

import { parentPort, workerData } from "node:worker_threads";
import { engineFailure } from "./engine-failure.ts";
import { openEngine, type Engine } from "./open-engine.ts";
import type { EngineAnswer, EngineRequest } from "./protocol.ts";

/** The engine runs in this thread: a row of 20 MB blocks it for a third of a second. */
const answer = (message: EngineAnswer): void =>
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, no window
  parentPort?.postMessage(message);

async function serve(engine: Engine, request: EngineRequest): Promise<void> {
  const { id } = request;
  try {
    if (request.type === "run") {
      const outcomes = await engine.run(request.group);
      answer({ type: "done", id, outcomes });
    } else {
      await engine.close();
      answer({ type: "done", id, outcomes: [] });
    }
  } catch (error) {
    answer({ type: "failed", id, failure: engineFailure(error) });
  }
}

try {
  const engine = await openEngine(workerData as string);
  parentPort?.on("message", (request: EngineRequest) => void serve(engine, request));
  answer({ type: "ready" });
} catch (error) {
  answer({ type: "unopened", failure: engineFailure(error) });
}

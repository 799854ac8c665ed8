import { parentPort, workerData } from "node:worker_threads";
import { openEngine, type Engine } from "./open-engine.ts";
import type { EngineAnswer, EngineFailure, EngineRequest } from "./protocol.ts";

/** The engine runs in this thread: a row of 20 MB holds its thread for a third of a second. */
const answer = (message: EngineAnswer): void =>
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, no window
  parentPort?.postMessage(message);

/** The file layer throws numbers of its own; these have a meaning for who keeps the disk. */
const fileErrors: ReadonlyMap<unknown, string> = new Map([
  [2, "EACCES"],
  [22, "EFBIG"],
  [29, "EIO"],
  [51, "ENOSPC"],
  [69, "EROFS"],
]);

/** An SQL error is an answer. A panic, or anything else thrown, is the engine breaking. */
function describe(error: unknown): EngineFailure {
  const { code, severity, errno } = (error ?? {}) as {
    readonly code?: unknown;
    readonly severity?: unknown;
    readonly errno?: unknown;
  };
  const fileError = fileErrors.get(errno);
  if (fileError !== undefined) {
    return { message: `The files failed: ${fileError}`, code: fileError, isFatal: true };
  }
  const message = error instanceof Error ? error.message : `The engine threw ${String(errno)}`;
  const isSql = typeof code === "string" && /^[0-9A-Z]{5}$/.test(code);
  const isFatal = !isSql || severity === "PANIC" || severity === "FATAL";
  return { message, ...(typeof code === "string" && { code }), isFatal };
}

async function serve(engine: Engine, request: EngineRequest): Promise<void> {
  const { id } = request;
  try {
    if (request.type === "close") {
      await engine.close();
      answer({ type: "done", id, rows: [], affected: 0 });
      return;
    }
    const { rows, affected } = await engine.query(request.text, request.values);
    answer({ type: "done", id, rows, affected });
  } catch (error) {
    answer({ type: "failed", id, failure: describe(error) });
  }
}

try {
  const engine = await openEngine(workerData as string);
  parentPort?.on("message", (request: EngineRequest) => void serve(engine, request));
  answer({ type: "ready" });
} catch (error) {
  answer({ type: "unopened", failure: describe(error) });
}

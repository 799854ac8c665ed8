/** A failure of the engine that can be passed between threads. */
export interface EngineFailure {
  readonly message: string;
  readonly code?: string;
  /** The engine itself broke: from now on, nothing it says can be trusted. */
  readonly isFatal: boolean;
}

/** The file layer throws its own error numbers. An operator can act on these. */
const fileErrors: ReadonlyMap<unknown, string> = new Map([
  [2, "EACCES"],
  [22, "EFBIG"],
  [29, "EIO"],
  [51, "ENOSPC"],
  [69, "EROFS"],
]);

/** An SQL error is an answer. A panic, or any other throw, means that the engine broke. */
export function engineFailure(error: unknown): EngineFailure {
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

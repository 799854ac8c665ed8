/** A failure of the engine in a form that passes between threads. */
export interface EngineFailure {
  readonly message: string;
  readonly code?: string;
  /** The engine itself broke: whatever it says from now on cannot be believed. */
  readonly isFatal: boolean;
}

/** The file layer throws its own error numbers; these are the ones an operator can act on. */
const fileErrors: ReadonlyMap<unknown, string> = new Map([
  [2, "EACCES"],
  [22, "EFBIG"],
  [29, "EIO"],
  [51, "ENOSPC"],
  [69, "EROFS"],
]);

/** An SQL error is an answer. A panic, or anything else thrown, is the engine breaking. */
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

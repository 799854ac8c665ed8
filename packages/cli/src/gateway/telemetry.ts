import type { Observe } from "mull";

import type { Io } from "../frame/io.ts";
import { UsageError } from "../frame/usage-error.ts";

/** The observer that `MULL_OTEL` asks for: `1` for spans and metrics, `content` for what was said, too. */
export async function openTelemetry({ env }: Io): Promise<Observe | undefined> {
  const value = env["MULL_OTEL"] ?? "";
  if (value === "" || value === "0") return undefined;
  if (value !== "1" && value !== "content")
    throw new UsageError(
      `MULL_OTEL: ${JSON.stringify(value)} is not allowed. Allowed: 1 content 0`,
    );
  const { otel } = await import("@mull/otel");
  return otel({ content: value === "content" });
}

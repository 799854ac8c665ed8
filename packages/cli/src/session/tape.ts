import type { Io } from "../frame/io.ts";
import type { Backend } from "./backend.ts";

/** A cassette to record on or to play. */
export interface Tape {
  readonly mode: "record" | "replay";
  readonly path: string;
}

/** A backend whose exchanges are written to a cassette, or read from it without any network. */
export async function putOnTape(
  backend: Backend,
  { mode, path }: Tape,
  io: Io,
): Promise<{ readonly backend: Backend; readonly done: () => Promise<void> }> {
  const { vcr } = await import("@mull/vcr");
  const live = backend.options.fetch;
  const tape = vcr(path, {
    mode,
    env: io.env,
    ...(live !== undefined && { fetch: (input, init) => live(input, init ?? {}) }),
  });
  return {
    backend: {
      ...backend,
      isSimulated: backend.isSimulated && mode === "record",
      options: { ...backend.options, fetch: (input, init) => tape(input, init) },
    },
    done: () => tape.done(),
  };
}

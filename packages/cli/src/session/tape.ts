import { MullError } from "mull";

import type { Io } from "../frame/io.ts";
import type { Backend } from "./backend.ts";

/** A cassette to record on or to play. */
export interface CassetteTape {
  readonly mode: "record" | "replay";
  readonly path: string;
}

/** The library's advice names a variable; here a command does the same. */
export const inCommands = (message: string): string =>
  message.replaceAll("VCR_RECORD=1", "mull record");

/** A backend whose exchanges are written to a cassette, or read from it without any network. */
export async function putOnTape(
  backend: Backend,
  { mode, path }: CassetteTape,
  io: Io,
): Promise<{ readonly backend: Backend; readonly done: () => Promise<void> }> {
  const { isVcrError, vcr } = await import("@mull/vcr");
  const live = backend.options.fetch;
  const tape = vcr(path, {
    mode,
    env: io.env,
    ...(live !== undefined && { fetch: (input, init) => live(input, init ?? {}) }),
  });
  let isRefused = false;
  /** A request the cassette does not hold is not a lost connection: report it and do not retry. */
  const fetch: NonNullable<typeof live> = async (input, init) => {
    try {
      return await tape(input, init);
    } catch (error) {
      if (!isVcrError(error)) throw error;
      isRefused = true;
      throw new MullError(inCommands(error.message), {
        category: "invalid_argument",
        code: error.code,
      });
    }
  };
  return {
    backend: {
      ...backend,
      isSimulated: backend.isSimulated && mode === "record",
      options: { ...backend.options, fetch, simulated: backend.isSimulated },
    },
    done: () => (isRefused ? tape.discard() : tape.done()),
  };
}

import { chmodSync } from "node:fs";
import { join, resolve } from "node:path";

import type { Environment, Fetch } from "mull";

import { makeFolder } from "../config/make-folder.ts";
import type { Io } from "../frame/io.ts";
import { UsageError } from "../frame/usage-error.ts";
import { fileTrouble, isFileTrouble } from "../wire-tools/input.ts";

/** Asks the services and records what passes. */
export interface GatewayTape {
  readonly fetch: Fetch;
  /** Writes the cassette. Errors are reported, and do not fail the program that ran. */
  readonly done: () => Promise<void>;
}

/** One cassette a run, named for its start; keys are hidden in it. */
export async function startTape(
  folder: string,
  env: Environment,
  live: Fetch | undefined,
  io: Io,
): Promise<GatewayTape> {
  const { isVcrError, vcr } = await import("@mull/vcr");
  const directory = resolve(io.cwd, folder);
  try {
    makeFolder(directory);
  } catch (error) {
    throw new UsageError(`--record: cannot make ${directory}: ${fileTrouble(error)}`);
  }
  const name = `gateway-${new Date(io.now()).toISOString().replaceAll(/[:.]/g, "-")}.jsonl`;
  const direct: Fetch = live ?? ((input, init) => globalThis.fetch(input, init));
  const cassette = join(directory, name);
  const tape = vcr(cassette, {
    mode: "record",
    env,
    fetch: (input, init) => direct(input, init ?? {}),
  });
  let state: "unused" | "recording" | "broken" = "unused";
  const warn = (why: string): void =>
    io.err(`⚠ --record: nothing is kept in ${directory}: ${why}\n`);
  const recorded: Fetch = async (input, init) => {
    if (state === "broken") return direct(input, init);
    state = "recording";
    try {
      return await tape(input, init);
    } catch (error) {
      // A full disk must not keep the program from its answers.
      if (!isVcrError(error) && !isFileTrouble(error)) throw error;
      state = "broken";
      warn(fileTrouble(error));
      return direct(input, init);
    }
  };
  return {
    // An emulator still answers, and only an emulator opens its own seals.
    fetch: live === undefined ? recorded : Object.assign(recorded, { simulated: true as const }),
    done: async () => {
      try {
        if (state !== "recording") return await tape.discard();
        await tape.done();
        // What was said stands in it, and the folder may be open to others.
        chmodSync(cassette, 0o600);
      } catch (error) {
        warn(fileTrouble(error));
      }
    },
  };
}

import { statSync } from "node:fs";
import { resolve } from "node:path";

import { ask } from "../commands/ask.ts";
import type { Given } from "../frame/command.ts";
import type { Io } from "../frame/io.ts";
import { UsageError } from "../frame/usage-error.ts";
import { inCommands, type CassetteTape } from "../session/tape.ts";

/** The first word is the cassette, the others are the question. */
export async function runWithTape(
  mode: CassetteTape["mode"],
  given: Given,
  io: Io,
): Promise<number> {
  const [cassette, ...words] = given.words;
  const usage = `mull ${mode} FILE.jsonl "question"`;
  if (cassette === undefined) throw new UsageError(`Which cassette? ${usage}`);
  if (!cassette.endsWith(".jsonl")) {
    const isFolder = statSync(resolve(io.cwd, cassette), { throwIfNoEntry: false })?.isDirectory();
    const said =
      isFolder === true
        ? `${cassette} is a folder. Name one of the cassettes in it.`
        : `Cassette files must end in .jsonl; ${JSON.stringify(cassette)} does not.`;
    throw new UsageError(said, usage);
  }
  const { isVcrError } = await import("@mull/vcr");
  try {
    return await ask({ ...given, words }, io, { mode, path: resolve(io.cwd, cassette) });
  } catch (error) {
    if (isVcrError(error)) throw new UsageError(inCommands(error.message));
    throw error;
  }
}

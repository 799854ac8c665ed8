import type { Io } from "../frame/io.ts";
import { UsageError } from "../frame/usage-error.ts";
import type { Given } from "../frame/command.ts";
import type { BatchLine } from "./batch.ts";
import { asCurl } from "./curl.ts";
import { asEnvelope } from "./envelope.ts";
import { asHar } from "./har.ts";
import { parseJson, readInput } from "./input.ts";
import { mendNotJson } from "./not-json.ts";

/** A request as a file has it, in any of the forms that people have. */
export interface GivenRequest {
  readonly envelope: BatchLine;
  /** Which of several requests it is, in words. */
  readonly which?: string;
  /** The body as it is written, if the file is the body. */
  readonly text?: string;
}

/** A body, a curl command, an envelope or a HAR file; stdin for `-` and nothing. */
export async function readRequest(file: string | undefined, io: Io): Promise<GivenRequest> {
  const text = await readInput(file, io);
  const found = asHar(text);
  if (found !== undefined) return found;
  const envelope = asEnvelope(text, ["body", "body_text"]) ?? asCurl(text);
  if (envelope !== undefined) return { envelope };
  const name = file === undefined || file === "-" ? "What was piped in" : file;
  return { envelope: { body: parseJson(text, name, mendNotJson) }, text };
}

/** Options that say of a request what its file does not. */
export function requestFlags(given: Given): BatchLine {
  const named = ["wire", "model", "provider", "path"].flatMap((name) => {
    const text = given.text(name);
    return text === undefined ? [] : [[name, text] as const];
  });
  return {
    ...Object.fromEntries(named),
    ...(given.has("header") && {
      headers: Object.fromEntries(given.texts("header").map(readHeader)),
    }),
  };
}

function readHeader(text: string): readonly [string, string] {
  const colon = text.indexOf(":");
  if (colon > 0) return [text.slice(0, colon).trim().toLowerCase(), text.slice(colon + 1).trim()];
  throw new UsageError(`--header: ${JSON.stringify(text)} is not of the form 'name: value'.`);
}

import { createReadStream } from "node:fs";
import { resolve } from "node:path";

import { isMullError } from "mull";

import type { Io } from "../frame/io.ts";
import { UsageError } from "../frame/usage-error.ts";
import { fileTrouble, isFileTrouble } from "./input.ts";

export type BatchLine = Readonly<Record<string, unknown>>;

export interface BatchOutcome {
  readonly lines: number;
  readonly failed: number;
}

/**
 * Reads one envelope a line and writes one JSON line each, in order, with its `id`. A line that
 * cannot be worked on becomes an error line; the others go on. Only one line is held at a time.
 */
export async function runBatch(
  path: string,
  io: Io,
  work: (envelope: BatchLine) => Promise<object> | object,
): Promise<BatchOutcome> {
  let number = 0;
  let lines = 0;
  let failed = 0;
  try {
    for await (const line of linesOf(path, io)) {
      number++;
      if (line.trim() === "") continue;
      lines++;
      const answer = await answerLine(line, number, work);
      if ("error" in answer) failed++;
      await io.out(`${JSON.stringify(answer)}\n`);
      io.signal.throwIfAborted();
    }
  } catch (error) {
    if (isFileTrouble(error)) throw new UsageError(`Cannot read ${path}: ${fileTrouble(error)}`);
    throw error;
  }
  return { lines, failed };
}

/** Lines end at LF only: other line ends may stand inside a JSON string. */
async function* linesOf(path: string, io: Io): AsyncGenerator<string> {
  const source = path === "-" ? io.stdin : createReadStream(resolve(io.cwd, path));
  const decoder = new TextDecoder();
  let open: string[] = [];
  for await (const chunk of source as AsyncIterable<Uint8Array | string>) {
    const text = typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true });
    const lines = text.split("\n");
    for (const line of lines.slice(0, -1)) {
      yield open.join("") + line;
      open = [];
    }
    open.push(lines.at(-1) ?? "");
  }
  yield open.join("");
}

async function answerLine(
  line: string,
  number: number,
  work: (envelope: BatchLine) => Promise<object> | object,
): Promise<object> {
  let id: unknown = number;
  try {
    const envelope: unknown = JSON.parse(line);
    if (typeof envelope !== "object" || envelope === null || Array.isArray(envelope)) {
      throw new UsageError(`Line ${number} is not a JSON object.`);
    }
    id = (envelope as BatchLine)["id"] ?? number;
    return withId(id, await work(envelope as BatchLine));
  } catch (error) {
    return { id, error: describeTrouble(error, number) };
  }
}

/** The line's id comes first; an answer has one of its own, which moves aside. */
function withId(id: unknown, answer: object): object {
  if (!("id" in answer)) return { id, ...answer };
  const { id: replyId, ...rest } = answer;
  return { id, ...rest, replyId };
}

function describeTrouble(error: unknown, line: number): object {
  if (isMullError(error)) {
    const { category, status, code, message } = error;
    return { category, status, code, message };
  }
  const message =
    error instanceof SyntaxError ? `Line ${line} is not JSON.` : (error as Error).message;
  const isUsage = error instanceof UsageError || error instanceof SyntaxError;
  return { category: isUsage ? "invalid_argument" : "unknown", code: "bad_line", message };
}

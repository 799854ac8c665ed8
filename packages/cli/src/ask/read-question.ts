import { readFile } from "node:fs/promises";
import { resolve } from "node:path";

import type { UserPart } from "mull";

import type { Given } from "../frame/command.ts";
import type { Io } from "../frame/io.ts";
import { UsageError } from "../frame/usage-error.ts";
import { fileTrouble, readAll } from "../wire-tools/input.ts";
import { filePart } from "./file-part.ts";

/** Files first, then what is piped in, then the words of the question. */
export async function readQuestion(given: Given, io: Io): Promise<readonly UserPart[]> {
  const files = await Promise.all(given.texts("file").map((path) => readFilePart(path, io)));
  const words = given.words.join(" ").trim();
  const piped = io.terminal.stdin ? "" : await readPiped(words !== "", io);
  const text = [piped, words].filter((piece) => piece.trim() !== "").join("\n\n");
  return [...files, ...(text === "" ? [] : [{ type: "text" as const, text }])];
}

async function readFilePart(path: string, io: Io): Promise<UserPart> {
  let bytes: Buffer;
  try {
    bytes = await readFile(resolve(io.cwd, path));
  } catch (error) {
    throw new UsageError(`Cannot read ${path}: ${fileTrouble(error)}`);
  }
  return filePart(path, bytes);
}

/** A program that starts us often leaves an open, silent stdin: with a question at hand, do not wait for it. */
const silenceMs = 500;

async function readPiped(hasQuestion: boolean, io: Io): Promise<string> {
  if (!hasQuestion || !io.mayBeSilent) return readAll(io.stdin);
  const reader = io.stdin[Symbol.asyncIterator]();
  const first = reader.next();
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<undefined>((done) => {
    timer = setTimeout(() => done(undefined), silenceMs);
  });
  const step = await Promise.race([first, silence]);
  clearTimeout(timer);
  if (step === undefined || step.done) return "";
  return readAll(startingWith(step.value, reader));
}

/** A character may begin in the first piece and end in the second, so they are read as one. */
async function* startingWith(
  first: Uint8Array | string,
  reader: AsyncIterator<Uint8Array | string>,
): AsyncGenerator<Uint8Array | string> {
  yield first;
  yield* { [Symbol.asyncIterator]: () => reader };
}

import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { onTestFinished } from "vitest";

/** A directory that is gone after the test. */
export const makeDirectory = async (): Promise<string> => {
  const directory = await mkdtemp(join(tmpdir(), "mull-vcr-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
};

/** Every byte of every file under a directory, as latin1, names included. */
export const readEverything = async (directory: string): Promise<string> => {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const texts = await Promise.all(
    entries.map(async (entry) =>
      entry.isFile()
        ? `${entry.name}\n${await readFile(join(entry.parentPath, entry.name), "latin1")}`
        : entry.name,
    ),
  );
  return texts.join("\n");
};

/** A server on loopback until the test ends; returns its address. */
export const serve = async (
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<string> => {
  const server = createServer(answer);
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return `http://127.0.0.1:${address.port}`;
};

/** A body that comes in these pieces. */
export const streamOf = (pieces: readonly (string | Uint8Array)[]): ReadableStream<Uint8Array> => {
  const left = pieces.map((piece) => (typeof piece === "string" ? Buffer.from(piece) : piece));
  return new ReadableStream<Uint8Array>({
    pull: (controller) => {
      const next = left.shift();
      if (next === undefined) controller.close();
      else controller.enqueue(Uint8Array.from(next));
    },
  });
};

/** What arrives, piece by piece. */
export const readPieces = async (response: Response): Promise<readonly Buffer[]> => {
  const pieces: Buffer[] = [];
  if (response.body !== null) {
    for await (const piece of response.body) pieces.push(Buffer.from(piece));
  }
  return pieces;
};

import { createReadStream, existsSync } from "node:fs";
import { mkdir, mkdtemp, open, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

import type { RecordedRequest } from "./cassette.ts";
import { cassetteVersion, writeHeader } from "./cassette.ts";
import { VcrError } from "./error.ts";
import type { ExchangeWriter } from "./exchange-writer.ts";
import { createExchangeWriter } from "./exchange-writer.ts";
import type { Redactor } from "./redact.ts";
import type { StreamRedactor } from "./redact-stream.ts";
import { describeFindings } from "./scan.ts";
import type { SecretFinding } from "./scan-file.ts";
import { scanFile } from "./scan-file.ts";

/**
 * A cassette in the making. Everything is written into a directory beside the cassette; only a
 * whole and clean one is renamed to its place, in one step.
 */
export interface Recording {
  /** Exchanges are in the cassette in the order of these calls. */
  readonly open: (request: RecordedRequest, redactor: StreamRedactor) => Promise<ExchangeWriter>;
  /** Copies an exchange from another cassette as it is. */
  readonly adopt: (source: string) => Promise<void>;
  readonly finish: () => Promise<void>;
  readonly discard: () => Promise<void>;
}

export interface RecordingOptions {
  readonly file: string;
  readonly ignore: readonly string[];
  readonly recorded: string;
  readonly redactor: Redactor;
}

export const createRecording = (options: RecordingOptions): Recording => {
  const { file } = options;
  const writers: ExchangeWriter[] = [];
  let parts = 0;
  let directory: Promise<string> | undefined;

  const nextPart = async (): Promise<string> => {
    parts += 1;
    const name = partName(parts);
    directory ??= makeDirectory(file);
    return join(await directory, name);
  };
  const discard = async (): Promise<void> => {
    await Promise.all(writers.map((writer) => writer.close()));
    const made = await directory?.catch(() => undefined);
    if (made !== undefined) await rm(made, { recursive: true, force: true });
  };
  return {
    open: async (request, redactor) => {
      const writer = await createExchangeWriter(await nextPart(), request, redactor);
      writers.push(writer);
      return writer;
    },
    adopt: async (source) => writeFile(await nextPart(), source, { flag: "wx" }),
    discard,
    finish: async () => {
      try {
        if (directory === undefined) {
          throw new VcrError(`${file}: nothing was recorded: no request was made.`, {
            code: "unfinished",
            file,
          });
        }
        if (writers.some((writer) => writer.isOpen())) {
          throw new VcrError(
            `${file}: a request has no response yet. Await it, and read the response, before done().`,
            { code: "unfinished", file },
          );
        }
        const whole = await assemble(await directory, parts, options);
        await refuseSecrets(whole, options);
        await rename(whole, file);
      } finally {
        await discard();
      }
    },
  };
};

const partName = (part: number): string => `exchange-${part}`;

const makeDirectory = async (file: string): Promise<string> => {
  try {
    await makeFolder(dirname(file));
    return await mkdtemp(`${file}.recording-`);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const said = `${file}: no cassette can be written there (${why}).`;
    throw new VcrError(said, { code: "unwritable", file }, { cause: error });
  }
};

/**
 * Node's own recursive `mkdir` never returns if an existing folder calls every new entry missing,
 * as `/proc` does. Another recording may make the same folder at the same time.
 */
const makeFolder = async (path: string): Promise<void> => {
  if (existsSync(path)) return;
  await makeFolder(dirname(path));
  await mkdir(path).catch((error: unknown) => {
    if (!existsSync(path)) throw error;
  });
};

const assemble = async (
  directory: string,
  parts: number,
  { ignore, recorded }: RecordingOptions,
): Promise<string> => {
  const whole = join(directory, "whole");
  const handle = await open(whole, "wx");
  try {
    const header = { version: cassetteVersion, recorded, exchanges: parts, ignore };
    await handle.writeFile(`${writeHeader(header)}\n`);
    for (let part = 1; part <= parts; part += 1) {
      const source = createReadStream(join(directory, partName(part)));
      for await (const chunk of source) await handle.writeFile(chunk);
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  return whole;
};

/** Fails closed: the bytes that were written are searched, not the ones that were meant. */
const refuseSecrets = async (
  whole: string,
  { file, redactor }: RecordingOptions,
): Promise<void> => {
  const findings: SecretFinding[] = [];
  for await (const finding of scanFile(whole, redactor.finder)) findings.push({ ...finding, file });
  const [first] = findings;
  if (first === undefined) return;
  throw new VcrError(
    `The recording holds ${findings.length === 1 ? "a secret" : `${findings.length} secrets`} and was deleted; ${file} is as it was.\n${describeFindings(findings)}`,
    { code: "secret", file, line: first.line },
  );
};

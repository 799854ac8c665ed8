import { createHash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import { open } from "node:fs/promises";

import type { BodyEnd, RecordedFailure, RecordedRequest, RecordedResponse } from "./cassette.ts";
import {
  checksum,
  writeDelivery,
  writeEnd,
  writeFailure,
  writeRequest,
  writeResponse,
} from "./cassette.ts";
import type { Delivery, StreamRedactor } from "./redact-stream.ts";

/** Writes one exchange to a file of its own, as it passes: exchanges may run side by side. */
export interface ExchangeWriter {
  readonly respond: (response: RecordedResponse, at: number) => Promise<void>;
  readonly fail: (failure: RecordedFailure, at: number) => Promise<void>;
  /** Returns when the bytes are written or safely kept back: awaiting it is the back pressure. */
  readonly deliver: (bytes: Uint8Array, at: number) => Promise<void>;
  readonly end: (how: BodyEnd, at: number, error?: RecordedFailure) => Promise<void>;
  readonly isOpen: () => boolean;
  readonly close: () => Promise<void>;
}

export const createExchangeWriter = async (
  file: string,
  request: RecordedRequest,
  redactor: StreamRedactor,
): Promise<ExchangeWriter> => {
  const handle = await open(file, "wx");
  const requestLine = writeRequest(request);
  await writeLine(handle, requestLine);
  const sums = { request: checksum([requestLine]), response: "", body: "" };
  const body = createBodyWriter(handle);
  let isOpen = true;

  const answer = async (line: string): Promise<void> => {
    sums.response = checksum([line]);
    await writeLine(handle, line);
  };
  const close = async (): Promise<void> => {
    if (!isOpen) return;
    isOpen = false;
    await handle.close();
  };
  const end = async (how: BodyEnd, at: number, error?: RecordedFailure): Promise<void> => {
    if (!isOpen) return;
    await body.write(redactor.end());
    const { deliveries, bytes, sum } = await body.end();
    const sha256 = { ...sums, body: sum };
    const line = { how, ...(error !== undefined && { error }), deliveries, bytes, sha256 };
    await writeLine(handle, writeEnd(line, at));
    await close();
  };
  return {
    respond: (response, at) => answer(writeResponse(response, at)),
    fail: async (failure, at) => {
      await answer(writeFailure(failure, at));
      await end("complete", at);
    },
    deliver: (bytes, at) => body.write(redactor.push(bytes, at)),
    end,
    isOpen: () => isOpen,
    close,
  };
};

const writeLine = async (handle: FileHandle, line: string): Promise<void> => {
  await handle.writeFile(`${line}\n`);
};

/** The first delivery is held until a second one or the end decides between `_body` and `_chunk`. */
const createBodyWriter = (
  handle: FileHandle,
): {
  readonly write: (deliveries: readonly Delivery[]) => Promise<void>;
  readonly end: () => Promise<{ deliveries: number; bytes: number; sum: string }>;
} => {
  const hash = createHash("sha256");
  let held: Delivery | undefined;
  let count = 0;
  let total = 0;

  const put = async (kind: "_body" | "_chunk", deliveries: readonly Delivery[]): Promise<void> => {
    if (deliveries.length === 0) return;
    const lines = deliveries.map(({ bytes, at }) => writeDelivery(kind, bytes, at));
    for (const line of lines) hash.update(line).update("\n");
    await writeLine(handle, lines.join("\n"));
  };
  return {
    write: async (deliveries) => {
      if (deliveries.length === 0) return;
      total += deliveries.reduce((sum, { bytes }) => sum + bytes.length, 0);
      count += deliveries.length;
      if (count === 1) {
        held = deliveries[0];
        return;
      }
      const all = held === undefined ? deliveries : [held, ...deliveries];
      held = undefined;
      await put("_chunk", all);
    },
    end: async () => {
      if (held !== undefined) await put("_body", [held]);
      return { deliveries: count, bytes: total, sum: hash.digest("hex").slice(0, 16) };
    },
  };
};

import { createReadStream } from "node:fs";

export interface LogLine {
  /** Counted from 1. */
  readonly line: number;
  /** Position of its first byte. */
  readonly offset: number;
  readonly bytes: number;
  /** Absent: the line is longer than any record can be. */
  readonly text?: string;
  /** `false`: the file ends before the newline. */
  readonly ended: boolean;
}

const newline = 0x0a;
/** A record is at most 16 MB; the rest is for the fields around it. */
const longestLine = 24 * 1024 * 1024;

/** The lines of a file, one at a time. Never holds a line longer than `longestLine`. */
export async function* readLines(path: string): AsyncGenerator<LogLine> {
  let line = 1;
  let offset = 0;
  let bytes = 0;
  let pieces: Buffer[] = [];
  const take = (ended: boolean): LogLine => {
    const text = bytes > longestLine ? undefined : Buffer.concat(pieces).toString("utf8");
    const taken = { line, offset, bytes, ended, ...(text !== undefined && { text }) };
    line += 1;
    offset += bytes + (ended ? 1 : 0);
    bytes = 0;
    pieces = [];
    return taken;
  };
  const keep = (piece: Buffer): void => {
    bytes += piece.length;
    if (bytes > longestLine) pieces = [];
    else if (piece.length > 0) pieces.push(piece);
  };
  for await (const chunk of createReadStream(path, { highWaterMark: 256 * 1024 })) {
    const buffer = chunk as Buffer;
    let start = 0;
    for (let end = buffer.indexOf(newline); end >= 0; end = buffer.indexOf(newline, start)) {
      keep(buffer.subarray(start, end));
      yield take(true);
      start = end + 1;
    }
    keep(buffer.subarray(start));
  }
  if (bytes > 0) yield take(false);
}

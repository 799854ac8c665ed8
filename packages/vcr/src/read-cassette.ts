import { readFileSync } from "node:fs";

import type {
  BodyEnd,
  Cassette,
  CassetteHeader,
  Checksums,
  EndLine,
  Exchange,
  RecordedDelivery,
  RecordedFailure,
  RecordedRequest,
  RecordedResponse,
} from "./cassette.ts";
import { cassetteVersion, checksum } from "./cassette.ts";
import { VcrError } from "./error.ts";

/** Reads and checks a whole cassette. Every defect is a `bad-cassette` with file and line. */
export const readCassette = (file: string): Cassette => {
  const lines = splitLines(readBytes(file), file);
  const header = readHeader(lines, file);
  const exchanges: Exchange[] = [];
  const cursor: Cursor = { file, lines, next: 1 };
  while (cursor.next < lines.length) exchanges.push(readExchange(cursor));
  if (exchanges.length !== header.exchanges) {
    throw bad(
      file,
      lines.length,
      `holds ${exchanges.length} of ${header.exchanges} exchanges: the file is cut, or was put together by hand`,
    );
  }
  return { file, header, exchanges };
};

interface Cursor {
  readonly file: string;
  readonly lines: readonly string[];
  next: number;
}

const bad = (file: string, line: number, what: string, cause?: unknown): VcrError =>
  new VcrError(
    `${file}:${line}: ${what}. Restore the file or record it again (VCR_RECORD=1).`,
    { code: "bad-cassette", file, line },
    { cause },
  );

const readBytes = (file: string): Buffer => {
  try {
    return readFileSync(file);
  } catch (cause) {
    throw new VcrError(
      `${file}: this cassette does not exist yet. Record it with VCR_RECORD=1.`,
      { code: "bad-cassette", file },
      { cause },
    );
  }
};

const splitLines = (bytes: Buffer, file: string): readonly string[] => {
  if (bytes.length === 0) throw bad(file, 1, "the file is empty");
  if (bytes[0] === 0xef) throw bad(file, 1, "the file begins with a byte-order mark");
  const lines: string[] = [];
  let start = 0;
  while (start < bytes.length) {
    const end = bytes.indexOf(0x0a, start);
    if (end < 0) throw bad(file, lines.length + 1, "the line is cut: it has no end");
    if (bytes[end - 1] === 0x0d) {
      throw bad(
        file,
        lines.length + 1,
        "the line ends in CRLF; git does that, `*.jsonl -text` in .gitattributes prevents it",
      );
    }
    lines.push(bytes.toString("utf8", start, end));
    start = end + 1;
  }
  return lines;
};

type Line = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Line =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const parseLine = (file: string, text: string, line: number): Line => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw bad(file, line, "the line is not JSON: it was cut or edited", cause);
  }
  if (!isObject(value)) throw bad(file, line, "the line is not a JSON object");
  return value;
};

const readHeader = (lines: readonly string[], file: string): CassetteHeader => {
  const header = parseLine(file, lines[0] ?? "", 1)["_cassette"];
  if (!isObject(header)) throw bad(file, 1, "the first line is not a cassette header");
  const { version, recorded, exchanges, ignore } = header;
  if (version !== cassetteVersion) {
    throw bad(
      file,
      1,
      `cassette version ${JSON.stringify(version)} is not ${cassetteVersion}, the one this @mull/vcr reads`,
    );
  }
  const fields = Array.isArray(ignore) ? ignore.filter((field) => typeof field === "string") : [];
  if (typeof exchanges !== "number") throw bad(file, 1, "the header has no number of exchanges");
  if (!Array.isArray(ignore) || fields.length !== ignore.length) {
    throw bad(file, 1, "`ignore` in the header is not a list of fields");
  }
  return {
    version,
    recorded: typeof recorded === "string" ? recorded : "",
    exchanges,
    ignore: fields,
  };
};

interface Taken {
  readonly value: Line;
  readonly at: number;
  readonly line: number;
  readonly text: string;
  readonly parsed: Line;
}

/** Takes the next line if it is of this kind. */
const take = (cursor: Cursor, kind: string): Taken | undefined => {
  const text = cursor.lines[cursor.next];
  if (text === undefined) return undefined;
  const line = cursor.next + 1;
  const parsed = parseLine(cursor.file, text, line);
  if (!(kind in parsed)) return undefined;
  cursor.next += 1;
  const value = parsed[kind];
  const at = parsed["at"];
  return {
    value: isObject(value) ? value : {},
    at: typeof at === "number" && at >= 0 ? at : 0,
    line,
    text,
    parsed,
  };
};

const expected = (cursor: Cursor, what: string): VcrError => {
  const text = cursor.lines[cursor.next];
  const line = cursor.next + 1;
  if (text === undefined) return bad(cursor.file, line, `${what} is missing: the file ends here`);
  const found = Object.keys(parseLine(cursor.file, text, line))[0] ?? "an empty object";
  return bad(cursor.file, line, `${what} is missing: found ${found}`);
};

const readExchange = (cursor: Cursor): Exchange => {
  const first = cursor.next;
  const request = take(cursor, "_request");
  if (request === undefined) throw expected(cursor, "a `_request`");
  const response = take(cursor, "_response") ?? take(cursor, "_failure");
  if (response === undefined) throw expected(cursor, "the `_response` of this request");
  const deliveries = readDeliveries(cursor);
  const endLine = take(cursor, "_end");
  if (endLine === undefined) throw expected(cursor, "the `_end` of this exchange");
  const end = readEnd(cursor.file, endLine);
  const texts = cursor.lines.slice(first, cursor.next);
  checkSums(cursor.file, request.line, texts, end.sha256);
  const failure = "_failure" in response.parsed;
  return {
    line: request.line,
    request: readRequest(cursor.file, request),
    ...(failure
      ? { failure: readFailure(response.value) }
      : { response: readResponse(cursor.file, response) }),
    responseAt: response.at,
    deliveries,
    end: end.how,
    ...(end.error !== undefined && { broken: end.error }),
    endAt: endLine.at,
    source: texts.map((text) => `${text}\n`).join(""),
  };
};

const readDeliveries = (cursor: Cursor): readonly RecordedDelivery[] => {
  const deliveries: RecordedDelivery[] = [];
  for (;;) {
    const delivery = take(cursor, "_body") ?? take(cursor, "_chunk");
    if (delivery === undefined) return deliveries;
    const { parsed, line, at } = delivery;
    const content = parsed["_body"] ?? parsed["_chunk"];
    if (typeof content !== "string") throw bad(cursor.file, line, "the content is not a string");
    const encoding = parsed["encoding"] === "base64" ? "base64" : "utf8";
    deliveries.push({ line, at, bytes: Buffer.from(content, encoding) });
  }
};

/** The lines after the response and before the end are the body. */
const checkSums = (file: string, line: number, texts: readonly string[], sums: Checksums): void => {
  const parts = [
    { what: "request", lines: texts.slice(0, 1), sum: sums.request, line },
    { what: "response", lines: texts.slice(1, 2), sum: sums.response, line: line + 1 },
    { what: "body", lines: texts.slice(2, -1), sum: sums.body, line: line + 2 },
  ];
  for (const part of parts) {
    if (checksum(part.lines) !== part.sum) {
      throw bad(file, part.line, `the ${part.what} was edited: its checksum is not ${part.sum}`);
    }
  }
};

const readRequest = (file: string, { value, line }: Taken): RecordedRequest => {
  const { method, url, headers, json, text, base64 } = value;
  if (typeof method !== "string" || typeof url !== "string" || !isObject(headers)) {
    throw bad(file, line, "the request needs `method`, `url` and `headers`");
  }
  return {
    method,
    url,
    headers: readHeaders(headers),
    ...("json" in value && { json }),
    ...(typeof text === "string" && { text }),
    ...(typeof base64 === "string" && { base64 }),
  };
};

const readResponse = (file: string, { value, line }: Taken): RecordedResponse => {
  const { status, statusText, headers } = value;
  if (typeof status !== "number" || !isObject(headers)) {
    throw bad(file, line, "the response needs `status` and `headers`");
  }
  return {
    status,
    statusText: typeof statusText === "string" ? statusText : "",
    headers: readHeaders(headers),
  };
};

const readHeaders = (headers: Line): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));

const readFailure = ({ name, message, code }: Line): RecordedFailure => ({
  name: String(name),
  message: String(message),
  ...(typeof code === "string" && { code }),
});

const bodyEnds: readonly BodyEnd[] = ["complete", "cancelled", "broken"];

const readEnd = (file: string, { value, line }: Taken): EndLine => {
  const { how, error, deliveries, bytes, sha256 } = value;
  const end = bodyEnds.find((known) => known === how);
  if (end === undefined || !isObject(sha256)) {
    throw bad(file, line, "the end needs `how` and `sha256`");
  }
  return {
    how: end,
    ...(isObject(error) && { error: readFailure(error) }),
    deliveries: Number(deliveries),
    bytes: Number(bytes),
    sha256: {
      request: String(sha256["request"]),
      response: String(sha256["response"]),
      body: String(sha256["body"]),
    },
  };
};

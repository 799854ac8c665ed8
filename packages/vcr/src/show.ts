import type { Cassette, Exchange } from "./cassette.ts";
import { readCassette } from "./read-cassette.ts";

/** Settings of `showCassette`. */
export interface ShowOptions {
  /** Print the bodies too. */
  readonly bodies?: boolean;
}

/** A cassette as text: one line for each exchange, with the bodies if you ask for them. */
export const showCassette = (file: string, options: ShowOptions = {}): string => {
  const cassette = readCassette(file);
  return [
    describeHeader(cassette),
    ...cassette.exchanges.map((exchange, index) => {
      const line = describeExchange(exchange, index + 1);
      return options.bodies === true ? `${line}\n${describeBodies(exchange)}` : line;
    }),
  ].join("\n");
};

const describeHeader = ({ file, header }: Cassette): string => {
  const { exchanges, recorded, ignore } = header;
  const count = `${exchanges} ${exchanges === 1 ? "exchange" : "exchanges"}`;
  const fields = ignore.length > 0 ? `, ignores ${ignore.join(" ")}` : "";
  return visible(`${file}: ${count}, recorded ${recorded}${fields}`);
};

const describeExchange = (exchange: Exchange, number: number): string => {
  const { request, response, failure, line, deliveries, endAt, end } = exchange;
  const size = deliveries.reduce((sum, { bytes }) => sum + bytes.length, 0);
  const answer =
    response === undefined
      ? `failed: ${failure?.message ?? ""}`
      : `${response.status} ${response.headers["content-type"] ?? "no type"}`;
  const pieces = `${deliveries.length} ${deliveries.length === 1 ? "delivery" : "deliveries"}`;
  const ending = end === "complete" ? "" : `, ${end}`;
  return visible(
    `${number}. line ${line}: ${request.method} ${request.url} -> ${answer}, ${pieces}, ${size} bytes, ${endAt} ms${ending}`,
  );
};

const describeBodies = ({ request, deliveries }: Exchange): string => {
  const { json, text, base64 } = request;
  const sent = json === undefined ? (text ?? base64 ?? "") : JSON.stringify(json, undefined, 2);
  const received = Buffer.concat(deliveries.map(({ bytes }) => bytes)).toString("utf8");
  return `${indent("> ", sent)}\n${indent("< ", received)}`;
};

const indent = (mark: string, text: string): string =>
  text
    .split(/\r?\n/)
    .map((line) => `   ${mark}${visible(line)}`.trimEnd())
    .join("\n");

/** Control characters as escapes: a recorded answer must not move anybody's cursor. */
const visible = (text: string): string =>
  // oxlint-disable-next-line no-control-regex
  text.replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, (mark) =>
    JSON.stringify(mark).length > 3
      ? JSON.stringify(mark).slice(1, -1)
      : `\\u${mark.codePointAt(0)?.toString(16).padStart(4, "0")}`,
  );

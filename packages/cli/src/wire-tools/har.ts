import type { JsonObject } from "mull";

import { UsageError } from "../frame/usage-error.ts";
import type { BatchLine } from "./batch.ts";
import { hostOf } from "./curl.ts";
import { fieldOf } from "./field-of.ts";
import { guessWire } from "./guess-wire.ts";

/** A request found in a recording of a browser or a proxy. */
interface HarRequest {
  readonly envelope: BatchLine;
  /** Which request it is, in words: a file may hold many. */
  readonly which: string;
  readonly isRefused: boolean;
}

/**
 * The request of a HAR file: the last one to a language model that was refused, or else the last
 * one. `undefined` if the text is not a HAR file.
 */
export function asHar(text: string): Pick<HarRequest, "envelope" | "which"> | undefined {
  if (!/^[\uFEFF\s]*\{\s*"log"\s*:/.test(text)) return undefined;
  const entries = fieldOf(fieldOf(parsed(text.replace(/^\uFEFF/, "")), "log"), "entries");
  if (!Array.isArray(entries)) return undefined;
  const found = entries.flatMap((entry, at) => requestOf(entry, `${at + 1} of ${entries.length}`));
  const chosen = found.findLast(({ isRefused }) => isRefused) ?? found.at(-1);
  if (chosen !== undefined) return chosen;
  throw new UsageError(
    `None of the ${entries.length} requests in this HAR file goes to a language model.`,
    "Export it with contents, so that the bodies are in it.",
  );
}

function requestOf(entry: unknown, place: string): readonly HarRequest[] {
  const request = fieldOf(entry, "request");
  const url = textOf(fieldOf(request, "url"));
  const text = textOf(fieldOf(fieldOf(request, "postData"), "text"));
  const body = parsed(text);
  const path = url.replace(/^https?:\/\/[^/]*/, "");
  if (typeof body !== "object" || body === null || Array.isArray(body)) return [];
  if (guessWire(body as JsonObject, path) === undefined) return [];
  const status = fieldOf(fieldOf(entry, "response"), "status");
  const answered = typeof status === "number" && status > 0 ? `, answered ${status}` : "";
  return [
    {
      envelope: {
        path,
        headers: headersOf(fieldOf(request, "headers")),
        body,
        url,
        ...hostOf(url),
      },
      which: `request ${place}: ${url.replace(/\?.*/, "")}${answered}`,
      isRefused: typeof status === "number" && status >= 400,
    },
  ];
}

const headersOf = (list: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(
    (Array.isArray(list) ? list : []).map((header) => [
      textOf(fieldOf(header, "name")).toLowerCase(),
      textOf(fieldOf(header, "value")),
    ]),
  );

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

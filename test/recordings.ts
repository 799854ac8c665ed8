import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { JsonObject, JsonValue, Reply, StreamEvent } from "mull";
import { type StreamDecoder, createFraming } from "mull/wire";
import { findRecordings, recordingTests } from "./find-recordings.ts";

/** One exchange of real traffic, and what a reader that is not ours found in its answer. */
export interface Recording {
  readonly id: string;
  readonly api: string;
  readonly provider: string;
  readonly stream: boolean;
  readonly features: readonly string[];
  readonly request: {
    readonly url_path: string;
    readonly query: Readonly<Record<string, string>> | null;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: JsonObject | null;
  };
  readonly response: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body_text: string;
  };
  readonly expected: Expected;
}

export interface Expected {
  readonly thinking: string;
  readonly thinking_parts?: readonly string[];
  readonly text: string;
  readonly refusal?: string;
  readonly tool_calls: readonly {
    readonly id: string | null;
    readonly name: string;
    readonly args: JsonValue;
  }[];
  readonly signature_sha256?: readonly string[];
  readonly encrypted_details?: number;
  readonly redacted?: number;
  readonly finish?: string | number | null;
  readonly finish_detail?: string;
  readonly block_reason?: string;
  readonly usage?: JsonObject | null;
  readonly reasoning_tokens?: number;
  readonly model?: string;
  readonly id?: string;
  readonly error?: unknown;
  readonly terminal?: string;
  readonly in_stream_error?: { readonly message: string };
}

/** Real traffic of one service or of all. */
export function readRecordings(api?: string): readonly Recording[] {
  const file = findRecordings();
  if (file === undefined)
    throw new Error(
      `There are no recordings here. Tests that read them are named like ${recordingTests.join(", ")}: vitest.config.ts leaves those out.`,
    );
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line): Recording => JSON.parse(line))
    .filter((recording) => api === undefined || recording.api === api);
}

/** How the recordings name a seal. */
export const fingerprint = (seal: unknown): string =>
  createHash("sha256").update(String(seal)).digest("hex").slice(0, 16);

/** Reads a recorded body as the transport hands it over, in pieces of `size` bytes. */
export function decodeBody(
  body: string,
  decoder: StreamDecoder,
  events: StreamEvent[],
  size: number = 1 << 20,
): void {
  const framing = createFraming((data, event) => decoder.push(data, event, events));
  const bytes = new TextEncoder().encode(body);
  for (let at = 0; at < bytes.length; at += size) framing.push(bytes.subarray(at, at + size));
  framing.end();
  decoder.end(events);
}

/** The whole answer at the end of a stream. */
export function finishOf(events: readonly StreamEvent[]): Reply {
  const last = events.at(-1);
  if (last?.type !== "finish") throw new Error("no finish event");
  return last.reply;
}

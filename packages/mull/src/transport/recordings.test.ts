import { existsSync, readFileSync } from "node:fs";
import { createParser } from "eventsource-parser";
import { expect, test } from "vitest";
import { createFraming } from "./framing.ts";

const path = new URL("../../../../../shared/recordings/recordings.jsonl", import.meta.url);
const bodies = existsSync(path) ? readFileSync(path, "utf8").split("\n").flatMap(streamedBody) : [];
if (bodies.length === 0)
  console.warn("No recordings beside the checkout: only invented bodies are read.");

function streamedBody(line: string): readonly string[] {
  const exchange: unknown = line === "" ? undefined : JSON.parse(line);
  const response: unknown = Reflect.get(Object(exchange), "response");
  const body: unknown = Reflect.get(Object(response), "body_text");
  return typeof body === "string" && /^\s*(?:data|event|:)/.test(body) ? [body] : [];
}

function framesOf(body: string, size: number): string[] {
  const frames: string[] = [];
  const framing = createFraming((data, event) => frames.push(`${event ?? ""}|${data}`));
  const bytes = new TextEncoder().encode(body);
  for (let at = 0; at < bytes.length; at += size) framing.push(bytes.subarray(at, at + size));
  framing.end();
  return frames;
}

function reference(body: string): string[] {
  const frames: string[] = [];
  const parser = createParser({
    onEvent: ({ data, event }) => frames.push(`${event ?? ""}|${data}`),
  });
  // Some recorders cut the blank line behind the last event.
  parser.feed(`${body}\n\n`);
  return frames;
}

const invented = ["data: a\n\n", ": hi\r\n\r\nevent: x\r\ndata: {}\r\n\r\ndata: [DONE]"];

test.each([1, 7, 64, 4096, 1 << 20])(
  "S1 S2: every recorded stream in chunks of %i bytes reads as eventsource-parser reads it",
  (size) => {
    for (const body of [...invented, ...bodies]) {
      expect(framesOf(body, size)).toEqual(reference(body));
    }
  },
);

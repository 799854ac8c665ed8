import { createReadStream } from "node:fs";

import type { SecretFinder } from "./find-secrets.ts";
import { toLatin1 } from "./redact.ts";

/** A secret that was found in a file. */
export interface SecretFinding {
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  readonly kind: string;
  /** Its first characters and its length; never the secret. */
  readonly hint: string;
}

/**
 * Every secret in a file: in its text, and in the bodies of cassettes once more as they were sent,
 * because a secret may be spread over several deliveries or hidden in base64.
 */
export async function* scanFile(file: string, finder: SecretFinder): AsyncGenerator<SecretFinding> {
  const body = createBodyScanner(finder);
  const seen = new Set<string>();
  let number = 0;
  for await (const line of readLines(file)) {
    number += 1;
    // A delivery may begin in the middle of a word: it is judged only together with its neighbours.
    const bytes = deliveryOf(line);
    const found =
      bytes === undefined
        ? [...body.end(), ...findIn(line, finder, number)]
        : body.take(bytes, number);
    for (const finding of found) {
      const key = `${finding.line} ${finding.kind} ${finding.hint}`;
      if (seen.has(key)) continue;
      seen.add(key);
      yield { file, ...finding };
    }
  }
  for (const finding of body.end()) yield { file, ...finding };
}

type Found = Omit<SecretFinding, "file">;

function* findIn(bytes: string, finder: SecretFinder, line: number): Generator<Found> {
  for (const { kind, start, end } of finder.find(bytes)) {
    yield { line, kind, hint: hintOf(bytes.slice(start, end)) };
  }
}

const hintOf = (secret: string): string =>
  `${secret.slice(0, Math.min(4, Math.floor(secret.length / 4)))}… (${secret.length} characters)`;

/** Lines as latin1, one at a time. */
async function* readLines(file: string): AsyncGenerator<string> {
  let rest = "";
  const stream = createReadStream(file, { encoding: "latin1", highWaterMark: 256 * 1024 });
  for await (const chunk of stream) {
    const text = String(chunk);
    // Splitting what has no line end yet, again and again, would take quadratic time.
    if (!text.includes("\n")) {
      rest += text;
      continue;
    }
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") yield rest;
}

const overlap = 32 * 1024;
const contextBytes = 64;
const window = 256 * 1024;

/** Puts the deliveries of a body together again and searches it in overlapping pieces. */
const createBodyScanner = (
  finder: SecretFinder,
): {
  readonly take: (bytes: string, number: number) => readonly Found[];
  readonly end: () => readonly Found[];
} => {
  let text = "";
  // What precedes is only there for patterns to look back at.
  let searched = 0;
  let marks: { readonly start: number; readonly line: number }[] = [];

  const search = (keep: number): readonly Found[] => {
    const found = finder.find(text, searched).map(({ kind, start, end }) => ({
      line: marks.findLast((mark) => mark.start <= start)?.line ?? 1,
      kind,
      hint: hintOf(text.slice(start, end)),
    }));
    const dropped = Math.max(0, text.length - keep);
    text = text.slice(dropped);
    searched = Math.min(text.length, contextBytes);
    marks = marks
      .filter(
        (mark, index) => (marks[index + 1]?.start ?? Infinity) > dropped || mark.start >= dropped,
      )
      .map(({ start, line }) => ({ start: Math.max(0, start - dropped), line }));
    return found;
  };

  return {
    take: (bytes, number) => {
      marks.push({ start: text.length, line: number });
      text += bytes;
      return text.length < window ? [] : search(overlap);
    },
    end: () => {
      const found = text === "" ? [] : search(0);
      searched = 0;
      return found;
    },
  };
};

const deliveryOf = (line: string): string | undefined => {
  if (!line.startsWith('{"_body":') && !line.startsWith('{"_chunk":')) return undefined;
  try {
    const parsed: unknown = JSON.parse(Buffer.from(line, "latin1").toString("utf8"));
    const { content, encoding } = readDelivery(parsed);
    return content === undefined ? undefined : toLatin1(Buffer.from(content, encoding));
  } catch {
    return undefined;
  }
};

const readDelivery = (
  line: unknown,
): { readonly content: string | undefined; readonly encoding: BufferEncoding } => {
  const members = new Map(typeof line === "object" && line !== null ? Object.entries(line) : []);
  const content: unknown = members.get("_body") ?? members.get("_chunk");
  return {
    content: typeof content === "string" ? content : undefined,
    encoding: members.get("encoding") === "base64" ? "base64" : "utf8",
  };
};

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { countAllocation } from "../../bench/gate/allocation.ts";
import { type Count, isWithin } from "../../bench/gate/count.ts";
import { countDecoding, createReader, type Reader } from "../../bench/gate/decoding.ts";
import {
  type Check,
  countChecking,
  countEncoding,
  type Encode,
} from "../../bench/gate/encoding.ts";
import { countModules } from "../../bench/gate/loading.ts";

const wire = "anthropic-messages";

const failures = (counts: readonly Count[]): readonly string[] =>
  counts.filter((count) => !isWithin(count)).map(({ what }) => what.replace(/ \(.*\)$/, ""));

/** The library's reader with a bad habit. */
const withHabit = (habit: (chunk: Uint8Array, at: number) => void) => (): Reader => {
  const reader = createReader(wire);
  let at = 0;
  return {
    push: (chunk) => {
      habit(chunk, at++);
      return reader.push(chunk);
    },
    end: reader.end,
  };
};

const repeat = (times: number, go: () => void): void => {
  for (let i = 0; i < times; i++) go();
};

const everyLine = (chunk: Uint8Array, go: (rest: number) => void): void => {
  for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) go(at + 1);
};

const habits: readonly (readonly [string, ReturnType<typeof withHabit>, readonly string[]])[] = [
  [
    "parses a frame for every line",
    withHabit((chunk) => everyLine(chunk, () => JSON.parse("{}") as unknown)),
    ["frames parsed per 100 events"],
  ],
  [
    "decodes every chunk as a whole, too",
    withHabit((chunk) => new TextDecoder().decode(chunk)),
    ["bytes decoded per byte"],
  ],
  ["copies every chunk", withHabit((chunk) => chunk.slice()), ["bytes copied per byte"]],
  [
    "joins chunks into a buffer",
    withHabit((chunk) => new Uint8Array(chunk.length).set(chunk)),
    ["bytes copied per byte"],
  ],
  [
    "goes over what came before with every chunk",
    withHabit((_, at) => repeat(at, () => JSON.parse("{}") as unknown)),
    ["frames parsed per 100 events", "exponent of length", "exponent of argument length"],
  ],
  [
    "copies the rest of the chunk for every line",
    withHabit((chunk) => everyLine(chunk, (rest) => chunk.slice(rest))),
    ["bytes copied per byte", "exponent of chunk size"],
  ],
];

describe("R163: what can be counted without a clock", () => {
  test("reading and writing are within every limit", () => {
    const counts = [...countDecoding(wire), ...countEncoding(wire), ...countChecking(wire)];
    expect(failures(counts)).toEqual([]);
  });

  test.each(habits)("a reader that %s is found", (_, makeReader, expected) => {
    expect(failures(countDecoding(wire, makeReader))).toEqual(
      expect.arrayContaining(expected.map((what) => `${wire}: ${what}`)),
    );
  });

  const writers: readonly (readonly [string, Encode, string])[] = [
    [
      "looks for every message from the start",
      (messages) => messages.map((message) => messages.indexOf(message)),
      "exponent of reads by history",
    ],
    [
      "makes more of every message the more there are",
      (messages) => messages.map(() => Array.from({ length: messages.length / 20 }, () => ({}))),
      "exponent of objects by history",
    ],
  ];
  test.each(writers)("a writer that %s is found", (_, encode, expected) => {
    expect(failures(countEncoding(wire, encode))).toContain(`${wire}: ${expected}`);
  });

  const checks: readonly (readonly [string, Check, string])[] = [
    [
      "reads the history once for every rule",
      ({ body }) => {
        repeat(9, () => JSON.stringify(body["messages"]));
      },
      "reads of a message by rules",
    ],
    [
      "looks for every message from the start",
      ({ body }) => {
        const messages = body["messages"] as readonly unknown[];
        for (const message of messages) messages.indexOf(message);
      },
      "exponent of reads by rules",
    ],
  ];
  test.each(checks)("a check that %s is found", (_, check, expected) => {
    expect(failures(countChecking(wire, check))).toContain(`${wire}: ${expected}`);
  });

  test("a reader that allocates twice as much is found", () => {
    const module = new URL("wasteful-reader.ts", import.meta.url).href;
    expect(failures(countAllocation([wire], { module, name: "wasteful" }))).toEqual([
      `${wire}: bytes allocated per event, x floor`,
    ]);
  }, 60_000);

  test("a module that loads one more is found, and so are its bytes", () => {
    const folder = mkdtempSync(join(tmpdir(), "mull-gate-"));
    try {
      const entry = join(folder, "entry.js");
      writeFileSync(entry, 'import "./one.js";\nexport { two } from "./two.js";\n');
      writeFileSync(join(folder, "one.js"), 'import "./two.js";\n');
      writeFileSync(join(folder, "two.js"), "export const two = 2;\n");
      const counted = countModules({
        name: "entry",
        entry: pathToFileURL(entry),
        mostModules: 2,
        mostBytes: 80,
      });
      expect(counted.map((count) => count.counted)).toEqual([3, 92]);
      expect(failures(counted)).toEqual(["modules loaded by entry", "bytes loaded by entry"]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test("what could not be counted is not within its limit", () => {
    expect(isWithin({ what: "", most: 1, counted: NaN })).toBe(false);
    expect(isWithin({ what: "", most: NaN, counted: 1 })).toBe(false);
  });
});

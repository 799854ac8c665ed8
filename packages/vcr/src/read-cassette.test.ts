import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { isVcrError } from "./error.ts";
import { play } from "./play.ts";
import { readCassette } from "./read-cassette.ts";
import { record } from "./record.ts";
import { makeDirectory, streamOf } from "./testing/loopback.ts";

const url = "https://api.example.test/v1/chat";

/** Two exchanges: a stream in three deliveries (lines 2 to 7), then a whole answer (lines 8 to 11). */
const recordTwo = async (): Promise<{ readonly file: string; readonly text: string }> => {
  const file = join(await makeDirectory(), "two.jsonl");
  const live = record({
    cassette: file,
    fetch: async (_, init) =>
      init?.method === "POST" ? new Response(streamOf(["a", "b", "c"])) : Response.json({ b: 1 }),
  });
  await live(url, { method: "POST", body: '{"a":1}' });
  await live(url);
  await live.done();
  return { file, text: await readFile(file, "utf8") };
};

const edit = (text: string, line: number, change: (line: string) => string | undefined): string =>
  text
    .split("\n")
    .flatMap((content, index) => (index === line - 1 ? (change(content) ?? []) : content))
    .join("\n");

const defects: readonly {
  readonly name: string;
  readonly break: (text: string) => string;
  readonly line: number;
  readonly says: string;
}[] = [
  { name: "empty", break: () => "", line: 1, says: "empty" },
  { name: "no header", break: (text) => edit(text, 1, () => undefined), line: 1, says: "header" },
  {
    name: "newer version",
    break: (text) => text.replace('"version":1', '"version":2'),
    line: 1,
    says: "version 2",
  },
  {
    name: "truncated line",
    break: (text) => edit(text, 5, (line) => line.slice(0, 8)),
    line: 5,
    says: "not JSON",
  },
  {
    name: "cut in the last line",
    break: (text) => text.slice(0, -9),
    line: 11,
    says: "the line is cut",
  },
  {
    name: "missing response",
    break: (text) => edit(text, 3, () => undefined),
    line: 3,
    says: "`_response` of this request is missing",
  },
  {
    name: "missing end",
    break: (text) => edit(text, 7, () => undefined),
    line: 7,
    says: "`_end` of this exchange is missing: found _request",
  },
  {
    name: "missing request",
    break: (text) => edit(text, 8, () => undefined),
    line: 8,
    says: "a `_request` is missing",
  },
  {
    name: "edited body",
    break: (text) => edit(text, 10, (line) => line.replace("1", "2")),
    line: 10,
    says: "the body was edited",
  },
  {
    name: "delivery taken out",
    break: (text) => edit(text, 5, () => undefined),
    line: 4,
    says: "the body was edited",
  },
  {
    name: "edited request",
    break: (text) => edit(text, 2, (line) => line.replace('{"a":1}', '{"a":2}')),
    line: 2,
    says: "the request was edited",
  },
  {
    name: "edited status",
    break: (text) => edit(text, 9, (line) => line.replace("200", "500")),
    line: 9,
    says: "the response was edited",
  },
  { name: "CRLF by git", break: (text) => text.replaceAll("\n", "\r\n"), line: 1, says: "CRLF" },
  { name: "byte-order mark", break: (text) => `\uFEFF${text}`, line: 1, says: "byte-order mark" },
  {
    name: "an exchange lost",
    break: (text) => text.split("\n").slice(0, 7).join("\n").concat("\n"),
    line: 7,
    says: "1 of 2 exchanges",
  },
  {
    name: "a line of something else",
    break: (text) => edit(text, 8, (line) => `[]\n${line}`),
    line: 8,
    says: "not a JSON object",
  },
];

describe("F-V3 a bad cassette", () => {
  test.each(defects)("$name: one clear error with file and line", async (defect) => {
    const { file, text } = await recordTwo();
    await writeFile(file, defect.break(text));
    expect(() => play(file)).toThrow(
      expect.objectContaining({
        code: "bad-cassette",
        file,
        line: defect.line,
        message: expect.stringContaining(defect.says),
      }),
    );
  });

  test("cut at any byte it is never taken for whole", async () => {
    const { file, text } = await recordTwo();
    for (let length = 0; length < text.length; length += 1) {
      await writeFile(file, text.slice(0, length));
      let thrown: unknown;
      try {
        readCassette(file);
      } catch (error) {
        thrown = error;
      }
      expect(isVcrError(thrown), `cut after ${length} bytes`).toBe(true);
    }
    await writeFile(file, text);
    expect(readCassette(file).exchanges).toHaveLength(2);
  });

  test("R268 a missing one says how to record it", () => {
    expect(() => play("no/such.jsonl")).toThrow(
      "no/such.jsonl: this cassette does not exist yet. Record it",
    );
  });

  test("the ignored fields in the header may be edited", async () => {
    const { file, text } = await recordTwo();
    await writeFile(file, text.replace('"ignore":[]', '"ignore":["body.a"]'));
    const replay = play(file);
    expect(await (await replay(url, { method: "POST", body: '{"a":2}' })).text()).toBe("abc");
  });
});

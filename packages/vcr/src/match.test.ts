import { join } from "node:path";

import { describe, expect, test } from "vitest";

import type { RecordedRequest } from "./cassette.ts";
import { compareRequests, describeDifferences } from "./match.ts";
import { play } from "./play.ts";
import { record } from "./record.ts";
import { makeDirectory } from "./testing/loopback.ts";

const url = "https://api.example.test/v1/messages";

const requestOf = (json: unknown, more: Partial<RecordedRequest> = {}): RecordedRequest => ({
  method: "POST",
  url,
  headers: {},
  json,
  ...more,
});

const fieldsOf = (
  expected: RecordedRequest,
  actual: RecordedRequest,
  ignore?: readonly string[],
): readonly string[] => compareRequests(expected, actual, ignore).map(({ field }) => field);

describe("R270 P-J4 F-V4 requests are compared by structure", () => {
  test("keys in another order, and other white space, are the same", () => {
    const text = '{ "b": [1, {"d": 4, "c": 3}],\n "a": null }';
    const { json: _, ...withoutJson } = requestOf(undefined);
    expect(
      fieldsOf(requestOf({ a: null, b: [1, { c: 3, d: 4 }] }), { ...withoutJson, text }),
    ).toEqual([]);
  });

  test.each([
    ["a changed value", { a: { b: 1 } }, { a: { b: 2 } }, ["body.a.b"]],
    ["a type", { a: "1" }, { a: 1 }, ["body.a"]],
    ["null for absent", { a: null }, {}, ["body.a"]],
    ["another order of a list", [1, 2], [2, 1], ["body[0]", "body[1]"]],
    ["a longer list", { m: [{ t: 1 }] }, { m: [{ t: 1 }, { t: 2 }] }, ["body.m[1]"]],
    ["an object for a list", { m: [] }, { m: {} }, ["body.m"]],
    ["an inherited name", {}, { constructor: 1 }, ["body.constructor"]],
  ])("%s differs", (_, expected, actual, fields) => {
    expect(fieldsOf(requestOf(expected), requestOf(actual))).toEqual(fields);
  });

  test("method, address, query and headers count", () => {
    const expected = requestOf(
      {},
      { url: `${url}?alt=sse&a=1`, headers: { "anthropic-beta": "x", accept: "a" } },
    );
    const actual = requestOf(
      {},
      { method: "PUT", url: "https://other.test/v2?a=1&a=2", headers: { accept: "b" } },
    );
    expect(fieldsOf(expected, actual)).toEqual([
      "method",
      "url.origin",
      "url.path",
      "query.alt",
      "query.a",
      "headers.anthropic-beta",
    ]);
  });

  test("the port of a server on loopback does not count", () => {
    const one = requestOf({}, { url: "http://127.0.0.1:4001/v1" });
    expect(fieldsOf(one, requestOf({}, { url: "http://localhost:4002/v1" }))).toEqual([]);
  });

  test.each([
    ["body.metadata.user_id", { metadata: { user_id: "a" } }, {}],
    ["body.metadata", { metadata: { x: 1 } }, { metadata: { y: [2] } }],
    ["body.messages[*].id", { messages: [{ id: 1 }] }, { messages: [{ id: 2 }] }],
    ["body.messages.0.id", { messages: [{ id: 1 }] }, { messages: [{ id: 2 }] }],
    ["body.**.id", { a: { b: [{ id: 1, c: 1 }] } }, { a: { b: [{ id: 2, c: 1 }] } }],
    ["**.id", { id: 1 }, { id: 2 }],
  ])("%s can be ignored", (ignore, expected, actual) => {
    expect(fieldsOf(requestOf(expected), requestOf(actual), [ignore])).toEqual([]);
    expect(fieldsOf(requestOf(expected), requestOf(actual))).not.toEqual([]);
    const other = { ...actual, other: true };
    expect(fieldsOf(requestOf(expected), requestOf(other), [ignore])).toEqual(["body.other"]);
  });

  test("long values show where they part, long lists say how many more", () => {
    const start = "x".repeat(5000);
    const text = describeDifferences(
      compareRequests(requestOf({ t: `${start}ONE` }), requestOf({ t: `${start}TWO` })),
    );
    expect(text).toContain("ONE");
    expect(text).toContain("TWO");
    expect(text.length).toBeLessThan(600);
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`k${index}`, 1]));
    expect(describeDifferences(compareRequests(requestOf({}), requestOf(many)))).toContain(
      "and 10 more",
    );
  });
});

const recordOne = async (): Promise<string> => {
  const cassette = join(await makeDirectory(), "one.jsonl");
  const live = record({ cassette, fetch: async () => new Response("ok") });
  await live(url, { method: "POST", body: '{"thinking":{"budget_tokens":1024},"key":1}' });
  await live.done();
  return cassette;
};

describe("F-V4 P-J4 a request without its recording", () => {
  test("is an error with field, expected, actual, file and line", async () => {
    const cassette = await recordOne();
    const replay = play(cassette);
    const body = '{"thinking":{"budget_tokens":2048},"temperature":1,"key":1}';
    const miss = {
      code: "no-match",
      file: cassette,
      line: 2,
      message: `No recorded exchange answers POST ${url}
The nearest is ${cassette}:2 and differs in
  body.thinking.budget_tokens
    expected 1024
    actual   2048
  body.temperature
    expected (absent)
    actual   1
Record it again with VCR_RECORD=1, or name fields that may differ in \`ignore\`.`,
    };
    await expect(replay(url, { method: "POST", body })).rejects.toMatchObject(miss);
    await expect(replay.done()).rejects.toMatchObject(miss);
  });

  test("shows no secret in its diff", async () => {
    const replay = play(await recordOne());
    const key = ["sk-", "ant-", "api03-0000000000000000"].join("");
    const failure = await replay(url, { method: "POST", body: JSON.stringify({ key }) }).catch(
      String,
    );
    expect(failure).toContain("REDACTED");
    expect(failure).not.toContain(key);
  });

  test("each exchange answers once; the second time is an error", async () => {
    const replay = play(await recordOne());
    const init = { method: "POST", body: '{"key":1,"thinking":{"budget_tokens":1024}}' };
    expect(await (await replay(url, init)).text()).toBe("ok");
    await expect(replay(url, init)).rejects.toThrow("recorded once and asked for again");
  });

  test("an exchange nobody asked for is an error with file and line", async () => {
    const cassette = await recordOne();
    await expect(play(cassette).done()).rejects.toMatchObject({
      code: "unused",
      file: cassette,
      line: 2,
      message: expect.stringContaining(`${cassette}:2 POST ${url}`),
    });
    await play(cassette).discard();
  });
});

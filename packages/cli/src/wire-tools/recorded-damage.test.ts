import { expect, test } from "vitest";

import { emptyHome, jsonLines, mull } from "../testing/fake-io.ts";
import { createRandom, mutate, mutateBody } from "../testing/mutate.ts";
import { readRecordings } from "../../../../test/recordings.ts";

const random = createRandom(7);
const recordings = readRecordings();
const home = emptyHome();
const targets = ["claude-sonnet-4-5/high", "gpt-6-sol/low", "gemini-3.8-flash/low"];

/** A line that failed for no reason the command knows is a bug in it. */
const bugsOf = async (command: string, lines: readonly object[]): Promise<readonly unknown[]> => {
  const stdin = lines.map((line) => JSON.stringify(line)).join("\n");
  const answers = jsonLines((await mull([command, "--batch", "-"], { stdin, home })).out);
  expect(answers).toHaveLength(lines.length);
  return answers.filter((answer) => {
    const error = answer["error"] as { category: string; code?: string } | undefined;
    return error?.code === "bad_line" && error.category === "unknown";
  });
};

test("F-S2 F-N4 answers that are damaged or cut anywhere are read or refused, never a crash", async () => {
  const lines = recordings.flatMap(({ id, api, stream, response }) => {
    const { length } = response.body_text;
    return [
      { id, wire: api, stream, body_text: mutateBody(response.body_text, random) },
      { id, wire: api, stream, body_text: response.body_text.slice(0, random() * length) },
    ];
  });
  expect(await bugsOf("decode", lines)).toEqual([]);
});

test("requests that are damaged are judged and repaired, never a crash", async () => {
  const lines = recordings.flatMap(({ id, api, request }) =>
    request.body === null
      ? []
      : [{ id, wire: api, path: request.url_path, body: { ...mutated(request.body) } }],
  );
  expect(await bugsOf("lint", lines)).toEqual([]);
});

test("damaged answers are handed off or refused, never a crash", async () => {
  const lines = recordings.map(({ id, api, stream, response }, index) => ({
    id,
    wire: api,
    stream,
    from: "openai-chat:unknown",
    to: targets[index % targets.length],
    results: ["done"],
    body_text: mutateBody(response.body_text, random),
  }));
  expect(await bugsOf("handoff", lines)).toEqual([]);
});

const mutated = (body: object): object => {
  const value = mutate(body, random);
  return typeof value === "object" && value !== null ? value : {};
};

import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { readRecordings, type Recording } from "../../../test/recordings.ts";
import { createSecretFinder } from "./find-secrets.ts";
import { play } from "./play.ts";
import { record } from "./record.ts";
import { makeDirectory, streamOf } from "./testing/loopback.ts";

const recordings = readRecordings();

const cut = (text: string): readonly Buffer[] => {
  const bytes = Buffer.from(text);
  const pieces: Buffer[] = [];
  for (let start = 0; start < bytes.length; start += 1009) {
    pieces.push(bytes.subarray(start, start + 1009));
  }
  return pieces;
};

/** Opaque values long enough that a client which sends them back changed would be refused. */
const sealsIn = (text: string): readonly string[] =>
  [
    ...text.matchAll(/"(?:signature|encrypted_content|thoughtSignature|data)":\s*"([^"]{40,})"/g),
  ].map(([, seal = ""]) => seal);

const ask = ({ id, request }: Recording): readonly [string, RequestInit] => [
  `https://api.example.test${request.url_path}?id=${id}`,
  { method: "POST", body: JSON.stringify(request.body) },
];

describe("real traffic", () => {
  test("P-J5 comes back byte for byte, but for what is secret; no seal is touched", async () => {
    const cassette = join(await makeDirectory(), "real.jsonl");
    const finder = createSecretFinder();
    let current = "";
    const live = record({ cassette, fetch: async () => new Response(streamOf(cut(current))) });
    for (const recording of recordings) {
      current = recording.response.body_text;
      await (await live(...ask(recording))).text();
    }
    if (recordings.length > 0) await live.done();

    const changed: string[] = [];
    const broken: string[] = [];
    const replay = recordings.length > 0 ? play(cassette) : undefined;
    for (const recording of recordings) {
      const before = recording.response.body_text;
      const after = (await (await replay?.(...ask(recording)))?.text()) ?? "";
      if (after !== before) changed.push(recording.id);
      const secret = finder.find(Buffer.from(before).toString("latin1")).length > 0;
      if (after !== before && !secret) broken.push(recording.id);
      if (sealsIn(after).join("\n") !== sealsIn(before).join("\n")) broken.push(recording.id);
    }
    await replay?.done();
    expect(broken).toEqual([]);
    expect(changed.length).toBeLessThan(recordings.length / 10 + 1);
  }, 180_000);
});

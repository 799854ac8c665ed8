import { describe, expect, it } from "vitest";

import { createClock } from "../world/clock.ts";
import { parseFaults } from "./fault.ts";
import { applyFault, bytesOf, playSegments, type Segment } from "./segments.ts";

const body = ['data: {"a":1}\n\n', 'data: {"b":"é"}\n\n', 'data: {"c":3}\n\n'];
const clock = createClock(undefined);
const never = new AbortController().signal;

const play = async (faults: string): Promise<{ text: string; bytes: number; broken: boolean }> => {
  let segments: readonly Segment[] = body.map(bytesOf);
  for (const fault of parseFaults(faults))
    segments = applyFault(segments, fault, () => "data: E\n\n");
  const reader = playSegments(segments, clock, never).getReader();
  const chunks: Uint8Array[] = [];
  let broken = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      chunks.push(value);
    }
  } catch {
    broken = true;
  }
  const bytes = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  return { text: Buffer.concat(chunks).toString(), bytes, broken };
};

describe("faults of a body", () => {
  it("F-N3 cut it after so many bytes, and the reader sees it", async () => {
    expect(await play("cut=20")).toMatchObject({ bytes: 20, broken: true });
    expect(await play("cut=9999")).toMatchObject({ broken: true });
  });

  it("F-N4 end it early without an error", async () => {
    expect(await play("end=7")).toEqual({ text: "data: {", bytes: 7, broken: false });
  });

  it("F-R8 put an error event behind so many events", async () => {
    expect((await play("error=529@2")).text).toBe(`${body[0]}${body[1]}data: E\n\n`);
  });

  it("F-S14 break the JSON of one event", async () => {
    expect((await play("malformed=1")).text).toBe(`${body[0]}data: {"b":"é",\n\n${body[2]}`);
  });

  it("F-S3 end inside a character", async () => {
    const { text, broken } = await play("utf8");
    expect(text.endsWith("�")).toBe(true);
    expect(broken).toBe(false);
  });

  it("F-N8 send nothing", async () => {
    expect(await play("empty")).toEqual({ text: "", bytes: 0, broken: false });
  });

  it("F-N15 fall silent until the reader leaves", async () => {
    const segments = applyFault(body.map(bytesOf), { type: "silence", events: 1 }, () => "");
    const abort = new AbortController();
    const reader = playSegments(segments, clock, abort.signal).getReader();
    expect((await reader.read()).done).toBe(false);
    const waiting = reader.read();
    abort.abort(new Error("left"));
    await expect(waiting).rejects.toThrow("left");
  });

  it("wait between events, and stop waiting when cancelled", async () => {
    const segments = applyFault(body.map(bytesOf), { type: "pace", ms: 60_000 }, () => "");
    const reader = playSegments(segments, clock, never).getReader();
    const waiting = reader.read();
    await reader.cancel();
    expect((await waiting).done).toBe(true);
  });

  it.each(["", " ; "])("are none in %j", (text) => {
    expect(parseFaults(text)).toEqual([]);
  });

  it("read every form of a wait", () => {
    expect(parseFaults("latency=5; status=429:date:3000;cut-block=1:after; html; silence")).toEqual(
      [
        { type: "latency", ms: 5 },
        { type: "status", failure: { status: 429, retry: { form: "date", ms: 3000 } } },
        { type: "cut-block", block: 1, where: "after" },
        { type: "html", status: 502 },
        { type: "silence", events: 1 },
      ],
    );
  });

  it.each([
    "boom",
    "latency",
    "latency=soon",
    "status=200",
    "status=429:whenever",
    "cut-block=0:near",
  ])("refuse %s and name what they know", (text) => {
    expect(() => parseFaults(text)).toThrow("Known: latency=200");
  });
});

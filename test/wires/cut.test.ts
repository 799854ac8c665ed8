import { isDeepStrictEqual } from "node:util";

import { isMullError, type Reply } from "mull";
import { createFraming } from "mull/wire";
import { describe, expect, test } from "vitest";

import { outcomeOf, streamsOf, wireIds, type Outcome, type RecordedStream } from "./streams.ts";

type Part = Reply["message"]["parts"][number];

/** What may stay of a part when its stream breaks: all of it, or what a person can read of it. */
function isFaithful(part: Part, whole: readonly Part[]): boolean {
  if (!("cut" in part)) return whole.some((other) => isDeepStrictEqual(other, part));
  return part.send === false && part.seal === undefined;
}

/** What is wrong with the outcome of a cut; `undefined` when it is as promised. */
function faultIn({ reply, error }: Outcome, whole: Reply): string | undefined {
  if (reply !== undefined) {
    return isDeepStrictEqual(reply.message, whole.message) ? undefined : "a short success";
  }
  if (error === undefined) return "nothing at all";
  if (error.category === "unknown" || error.code === undefined) return "an untyped error";
  const kept = error.partial?.message.parts ?? [];
  return kept.every((part) => isFaithful(part, whole.message.parts))
    ? undefined
    : `a part that was never sent: ${JSON.stringify(kept)}`;
}

/** How much there is to read and to send back. */
const lengthOf = ({ reply, error }: Outcome): number =>
  (reply ?? error?.partial)?.message.parts
    .map((part) => ("text" in part ? part.text.length : 1) + (part.seal === undefined ? 0 : 1))
    .reduce((sum, length) => sum + length, 0) ?? 0;

type Frame = readonly [data: string, event: string | undefined];

/** The frames of a body that ends here, and whether the framing itself complained. */
function framesOf(bytes: Uint8Array): {
  readonly frames: readonly Frame[];
  readonly outcome?: Outcome;
} {
  const frames: Frame[] = [];
  const framing = createFraming((data, event) => frames.push([data, event]));
  try {
    framing.push(bytes);
    framing.end();
  } catch (error) {
    if (isMullError(error)) return { frames, outcome: { error } };
    throw error;
  }
  return { frames };
}

/**
 * Most cuts fall inside a frame and leave the same frames as their neighbours. Each set of frames is
 * decoded once: the whole body for one, all its beginnings for the others.
 */
function faultsOf({ wire, bytes, name }: RecordedStream): readonly string[] {
  const { reply: whole } = outcomeOf(wire, bytes);
  if (whole === undefined) return [`${name}: not whole to begin with`];
  const all = framesOf(bytes).frames;
  const judged = new Map<string, string | undefined>();
  const faults: string[] = [];
  let mostKept = 0;
  for (let end = 0; end < bytes.length; end++) {
    const { frames, outcome } = framesOf(bytes.subarray(0, end));
    const last = frames.at(-1);
    const isPrefix = frames.slice(0, -1).every((frame, at) => isDeepStrictEqual(frame, all[at]));
    if (!isPrefix) faults.push(`${name} at ${end}: other frames`);
    const key = JSON.stringify([frames.length, last, outcome?.error?.code]);
    if (!judged.has(key)) {
      const cut = outcomeOf(wire, bytes.subarray(0, end));
      const kept = lengthOf(cut);
      judged.set(key, kept < mostKept ? "less than was there before" : faultIn(cut, whole));
      mostKept = Math.max(mostKept, kept);
    }
    const fault = judged.get(key);
    if (fault !== undefined) faults.push(`${name} at ${end}: ${fault}`);
  }
  return faults.slice(0, 3);
}

describe.each(wireIds)("%s", (wire) => {
  const streams = streamsOf(wire);

  test("F-N3 F-N4 F-S17 F-S18 F-G2 cut at every byte: whole, or an error with what was finished", () => {
    expect(streams.length).toBeGreaterThanOrEqual(3);
    expect(streams.flatMap(faultsOf)).toEqual([]);
  }, 60_000);
});

import { encodeSse, mirrors, type WireMirror } from "mull/wire";
import { describe, expect, test } from "vitest";

import { outcomeOf, streamsOf } from "./streams.ts";

/** What each service says when it has no room left, and what that is here. */
const busy: readonly (readonly [WireMirror, string])[] = [
  [mirrors["anthropic-messages"], "overloaded_error"],
  [mirrors["openai-responses"], "server_error"],
  [mirrors["openai-chat"], "server_error"],
  [mirrors["google-generate"], "UNAVAILABLE"],
];

const frameEnds = (bytes: Uint8Array): readonly number[] =>
  [
    ...Buffer.from(bytes)
      .toString("latin1")
      .matchAll(/\r?\n\r?\n/g),
  ].map(({ index, 0: gap }) => index + gap.length);

describe.each(busy.map(([mirror, type]) => [mirror.id, mirror, type] as const))(
  "%s",
  (wire, mirror, type) => {
    const failure = Buffer.from(
      mirror
        .openStream({ model: "m", id: "r", created: 1, pieces: (text) => [text] })
        .fail({ status: 503, type, message: "No room left." })
        // The number of an event that was counted before would be taken for a repetition.
        .map(({ data, ...frame }) => ({
          ...frame,
          data: data.replace(/"sequence_number":\d+,/, ""),
        }))
        .map((frame) => encodeSse(frame))
        .join(""),
    );

    test("F-R8 F-G10 an error behind any event is the service's, with what had come", () => {
      const { bytes } = streamsOf(wire).find(({ name }) => /streaming_thinking/.test(name))!;
      const ends = frameEnds(bytes);
      expect(ends.length).toBeGreaterThan(3);
      for (const end of [0, ...ends.slice(0, -2)]) {
        const before = outcomeOf(wire, bytes.subarray(0, end));
        if (before.reply !== undefined) continue;
        const { error } = outcomeOf(wire, Buffer.concat([bytes.subarray(0, end), failure]));
        expect(error?.category).toMatch(/^(?:overloaded|server)$/);
        expect(error?.message).toContain("No room left.");
        expect(error?.partial?.message.parts ?? []).toEqual(
          before.error?.partial?.message.parts ?? [],
        );
      }
    });
  },
);

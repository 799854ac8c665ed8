import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../../../../../test/runs.ts";
import type { JsonObject } from "../../../types/json.ts";
import { run, partialOf, added, delta, thought, message, call } from "../testing/frames.ts";

const orders = [
  [
    "type",
    "sequence_number",
    "item_id",
    "output_index",
    "content_index",
    "delta",
    "logprobs",
    "obfuscation",
  ],
  [
    "type",
    "content_index",
    "delta",
    "item_id",
    "logprobs",
    "obfuscation",
    "output_index",
    "sequence_number",
  ],
  ["sequence_number", "type", "content_index", "delta", "item_id", "output_index", "logprobs"],
  ["delta", "type", "output_index", "item_id"],
];

const textFrame = (more: string): string =>
  `{"type":"response.output_text.delta","output_index":0,"content_index":0,"sequence_number":${more}}`;

describe("templates", () => {
  const piece = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom('"', "\\", '\\"', "\n", "", "é"),
  );
  it("give the same events as the parser, whatever the order of keys", () => {
    const deltaRun = fc.record({
      order: fc.constantFrom(...orders),
      kind: fc.constantFrom("output_text", "reasoning_summary_text", "function_call_arguments"),
      pieces: fc.array(piece, { minLength: 1, maxLength: 8 }),
      spaced: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(deltaRun, { minLength: 1, maxLength: 4 }), (deltaRuns) => {
        const items = {
          output_text: message,
          reasoning_summary_text: thought,
          function_call_arguments: call,
        };
        let sequence = 0;
        const frames = deltaRuns.flatMap(({ order, kind, pieces, spaced }, position) => [
          JSON.stringify({
            ...added(position, items[kind]),
            sequence_number: sequence++,
          }),
          ...pieces.map((text) => {
            const all: JsonObject = {
              ...delta(kind, position, text, { content_index: 0 }),
              sequence_number: sequence++,
              logprobs: [],
              obfuscation: "q".repeat(sequence % 5),
            };
            const frame = Object.fromEntries(order.map((key) => [key, all[key]]));
            return JSON.stringify(frame, null, spaced ? 1 : 0);
          }),
        ]);
        const slow = run(frames, false);
        expect(run(frames).events).toEqual(slow.events);
        expect(partialOf(run(frames))).toEqual(partialOf(slow));
      }),
      { seed: 7, numRuns: runs(300) },
    );
  });

  it("are left as soon as a byte differs", () => {
    const head = [
      JSON.stringify(added(0, message)),
      textFrame('1,"delta":"a"'),
      textFrame('2,"delta":"b"'),
    ];
    const padded = (padding: string): string =>
      textFrame(`3,"delta":"c","obfuscation":"${padding}"`);
    for (const padding of ["x", "\\\\", '\\"']) {
      const frames = [
        ...head,
        padded("a"),
        padded("b").replace("3", "4"),
        padded(padding).replace("3", "5"),
      ];
      expect(run(frames).events).toEqual(run(frames, false).events);
    }
    const open = [...head, padded("a"), padded("b").replace("3", "4"), padded("c").slice(0, -2)];
    expect(run(open).error?.code).toBe("invalid_json");
    const tails = ['3,"delta":"c","x":1', '3, "delta":"c"', '"3","delta":"c"', '3,"delta":5'];
    for (const tail of tails) {
      const frames = [...head, textFrame(tail), textFrame('4,"delta":"d"')];
      expect(run(frames).events).toEqual(run(frames, false).events);
    }
    for (const broken of [
      '03,"delta":"c"',
      ',"delta":"c"',
      '3,"delta":"c',
      '3,"delta":"\\x"',
      '12345678901234567890,"delta":"c"',
    ]) {
      const frames = [...head, textFrame(broken)];
      const fast = run(frames);
      const slow = run(frames, false);
      expect(fast.error?.code).toBe(slow.error?.code);
      expect(fast.events).toEqual(slow.events);
    }
  });
});

import { array, assert, constantFrom, integer, property } from "fast-check";
import { describe, expect, it } from "vitest";
import { createTagSplitter, type TagPair } from "./think-tags.ts";

const think: TagPair = ["<think>", "</think>"];
const kimi: TagPair = ["◁think▷", "◁/think▷"];

interface Halves {
  readonly thinking: string;
  readonly text: string;
  readonly order: string;
}

function split(
  pieces: readonly string[],
  pairs: readonly TagPair[] = [think],
  implied = false,
): Halves {
  const splitter = createTagSplitter(pairs, implied);
  const halves = { thinking: "", text: "", order: "" };
  const sink = (kind: "thinking" | "text", piece: string): void => {
    halves[kind] += piece;
    halves.order += kind === "thinking" ? "T" : "t";
  };
  for (const piece of pieces) splitter.push(piece, sink);
  splitter.flush(sink);
  return { ...halves, order: halves.order.replaceAll(/(.)\1+/g, "$1") };
}

describe("inline thinking", () => {
  it("P-E5 leaves text without tags alone", () => {
    expect(split(["a < b", " and <thin air"])).toEqual({
      thinking: "",
      text: "a < b and <thin air",
      order: "t",
    });
  });

  it("P-E5 splits tags that are cut anywhere", () => {
    const whole = "<think>\nfirst\nthen\n</think>\n\nThe answer";
    for (let at = 0; at <= whole.length; at++) {
      expect(split([whole.slice(0, at), whole.slice(at)])).toEqual({
        thinking: "first\nthen",
        text: "The answer",
        order: "Tt",
      });
    }
  });

  it("P-E5 drops a closing tag that nobody opened", () => {
    expect(split(["tail</thi", "nk>\n\nThe answer"])).toEqual({
      thinking: "",
      text: "tailThe answer",
      order: "t",
    });
  });

  it("P-E5 reads thinking whose opening tag the template swallowed", () => {
    expect(split(["hm", "m\n</think>\nYes"], [think], true)).toEqual({
      thinking: "hmm",
      text: "Yes",
      order: "Tt",
    });
    expect(split(["<think>\nhmm</think>Yes"], [think], true)).toEqual({
      thinking: "hmm",
      text: "Yes",
      order: "Tt",
    });
  });

  it("P-E5 gives out what looked like a tag and was none", () => {
    expect(split(["<think>a</thi"])).toEqual({ thinking: "a</thi", text: "", order: "T" });
    expect(split(["x<th"])).toEqual({ thinking: "", text: "x<th", order: "t" });
  });

  it("P-E5 knows several pairs and several thoughts", () => {
    const pieces = ["◁think▷a◁/think▷b<think>c</think>d"];
    expect(split(pieces, [think, kimi])).toEqual({ thinking: "ac", text: "bd", order: "TtTt" });
  });

  it("P-E5 an empty thought is none", () => {
    expect(split(["<think>\n", "</think>\n", "\nRuby"])).toEqual({
      thinking: "",
      text: "Ruby",
      order: "t",
    });
  });

  it("P-E5 gives the same however the text is cut", () => {
    const words = constantFrom("<think>", "</think>", "\n", "<", "a", "think>", "</", "◁/think▷");
    assert(
      property(
        array(words, { maxLength: 12 }),
        array(integer({ min: 1, max: 5 }), { minLength: 1 }),
        (all, sizes) => {
          const text = all.join("");
          const pieces: string[] = [];
          for (let at = 0, turn = 0; at < text.length; turn++) {
            const size = sizes[turn % sizes.length] ?? 1;
            pieces.push(text.slice(at, at + size));
            at += size;
          }
          expect(split(pieces, [think, kimi])).toEqual(split([text], [think, kimi]));
        },
      ),
    );
  });
});

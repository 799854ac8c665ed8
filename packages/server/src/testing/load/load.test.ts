import { describe, expect, it } from "vitest";
import { median, quantile, ratios, spread, type Line } from "./row.ts";
import { burstEvents, serviceDialect, uiDialect, type Dialect } from "./script.ts";
import { createStampReader } from "./stamps.ts";
import { fillTable, tableOf } from "./table.ts";

const pieces = (dialect: Dialect): number =>
  burstEvents(dialect, 500).filter((event) => /"(?:text|thinking|delta)":"[^"]/.test(event)).length;

describe("the load program", () => {
  it("finds every stamp of a stream, wherever it is cut", () => {
    const stamps = [7, 36 ** 3, 123_456_789_012];
    const text = stamps.map((at) => `{"delta":"@${at.toString(36)};"}`).join("\n\n");
    for (let cut = 0; cut <= text.length; cut++) {
      const seen: number[] = [];
      const read = createStampReader((at) => seen.push(at));
      read(Buffer.from(text.slice(0, cut)));
      read(Buffer.from(text.slice(cut)));
      expect(seen).toEqual(stamps);
    }
  });

  it("has the bare server and the service say the same number of pieces", () => {
    expect(pieces(uiDialect)).toBe(500);
    expect(pieces(serviceDialect)).toBe(500);
  });

  it("takes medians of the ratios of each round", () => {
    expect(quantile([5, 1, 3, 2, 4], 0.99)).toBe(5);
    expect(median(ratios([2, 9, 4], [1, 3, 4]))).toBe(2);
    expect(spread([2, 3, 1])).toBe("2.00 [1.00, 3.00]");
  });

  it("writes what holds, what does not and what has no target, and finds its place", () => {
    const line: Line = { measure: "a", mull: "1", beside: "", ratio: "", target: "" };
    const table = tableOf([line, { ...line, holds: true }, { ...line, holds: false }]);
    expect(table.split("\n").slice(2)).toEqual([
      "| a | 1 | | | | |",
      "| a | 1 | | | | yes |",
      "| a | 1 | | | | **no** |",
    ]);
    const page = "x\n<!-- measured: load -->\nstale\n<!-- end: load -->\ny";
    expect(fillTable(page, "load", table)).toContain(table);
    expect(fillTable(page, "load", table)).not.toContain("stale");
    expect(() => fillTable("no place", "load", table)).toThrow(/no place/);
  });
});

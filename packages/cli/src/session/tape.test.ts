import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { emptyHome, mull } from "../testing/fake-io.ts";

describe("a cassette that refuses is the whole story (ux 1.2)", () => {
  test("V4: replay names what differs, once, and does not try again", async () => {
    const home = emptyHome();
    const cassette = join(home, "sums", "one.jsonl");
    expect(await mull(["record", cassette, "What is 2 + 2?"], { home })).toMatchObject({ code: 0 });
    const { code, out, err } = await mull(["replay", cassette, "What is 3 + 3?"], { home });
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(/^✗ No recorded exchange answers POST [^]*What is 3 \+ 3\?/);
    expect(err.match(/✗/g)).toHaveLength(1);
    const same = await mull(["replay", cassette, "What is 2 + 2?"], { home });
    expect(same).toMatchObject({ code: 0, out: expect.stringContaining("4") });
  });

  test("record: a place that takes no file is named at once, and nothing is left behind", async () => {
    const home = emptyHome();
    writeFileSync(join(home, "file"), "");
    const places = [join(home, "file", "one.jsonl")];
    // A folder that calls every new entry missing: Node's own recursive mkdir never returns there.
    if (existsSync("/proc/self")) places.push("/proc/mull/one.jsonl");
    for (const place of places) {
      const { code, out, err } = await mull(["record", place, "What is 2 + 2?"], { home });
      expect({ code, out }).toEqual({ code: 2, out: "" });
      expect(err).toContain(`✗ ${place}: no cassette can be written there (`);
      expect(err).not.toContain("connection");
    }
    expect(readdirSync(home).filter((name) => name.includes("recording"))).toEqual([]);
  });
});

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { mirrors, replyDecoders, wireIds, wires } from "mull/wire";
import { rulesOf } from "mull/rules";
import { describe, expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const guide = readFileSync(join(root, "docs/contributing/adding-a-wire.md"), "utf8");
const files = [...guide.matchAll(/^\| \d \| `([^`]+)` \|/gm)].map(([, file]) => file!);

describe("R227 what the guide says of a wire is true of every wire", () => {
  test.each(wireIds)("%s", (id) => {
    expect(files).toHaveLength(7);
    for (const file of files) {
      expect([file, existsSync(join(root, "packages/mull/src/wire", id, file))]).toEqual([
        file,
        true,
      ]);
    }
    const { encode, decodeStream, decodeError } = wires[id];
    for (const step of [encode, replyDecoders[id], decodeStream, decodeError])
      expect(step).toBeTypeOf("function");
    expect(wires[id].id).toBe(id);
    expect(rulesOf(id).length).toBeGreaterThan(10);
    expect(mirrors[id].id).toBe(id);
  });
});

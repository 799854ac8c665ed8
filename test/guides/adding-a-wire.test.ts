import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { mirrors, replyDecoders, wireIds, wires } from "mull/wire";
import { rulesOf } from "mull/rules";
import { describe, expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const guide = readFileSync(join(root, "docs/contributing/adding-a-wire.md"), "utf8");
/** Per step the file, or the files of which a wire has one. */
const steps = [...guide.matchAll(/^\| \d \| ([^|]+) \|/gm)].map(([, cell]) =>
  [...cell!.matchAll(/`([^`]+)`/g)].map(([, file]) => file!),
);

describe("R227 what the guide says of a wire is true of every wire", () => {
  test.each(wireIds)("%s", (id) => {
    const folder = join(root, "packages/mull/src/wire", id);
    const index = readFileSync(join(folder, "index.ts"), "utf8");
    expect(steps).toHaveLength(7);
    for (const files of steps) {
      const isUsed = (file: string): boolean =>
        existsSync(join(folder, file)) && (files.length === 1 || index.includes(file));
      expect([files, files.filter(isUsed).length]).toEqual([files, 1]);
    }
    const { encode, decodeStream, decodeError } = wires[id];
    for (const step of [encode, replyDecoders[id], decodeStream, decodeError])
      expect(step).toBeTypeOf("function");
    expect(wires[id].id).toBe(id);
    expect(rulesOf(id).length).toBeGreaterThan(10);
    expect(mirrors[id].id).toBe(id);
  });
});

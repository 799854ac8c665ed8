import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { usePostgres } from "../testing/use-postgres.ts";
import { crashStage } from "./testing/stage.ts";

const stage = crashStage("import");
const { local } = usePostgres();

/**
 * Kills an import before each of these writes, and lets one finish. Returns what each left behind.
 */
async function killAt(target: string, writes: readonly number[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const write of [...writes, "never", "check"]) {
    const importer = stage.children.start("importer", target, String(write));
    found.push((await importer.waitFor("have ")).slice("have ".length));
    const isKilled = (await importer.ended) === null;
    expect([write, isKilled, importer.errors()]).toEqual([
      write,
      writes.includes(Number(write)),
      "",
    ]);
  }
  return found;
}

describe("F-D1: an import that is killed leaves nothing", () => {
  test("in a conversation file", { timeout: 120_000 }, async () => {
    const found = await killAt(join(stage.folder, `${randomUUID()}.jsonl`), [1, 2, 3, 4, 5]);
    expect(found).toEqual(["[]", "[]", "[]", "[]", "[]", "[]", "[2200]"]);
  });

  test("in PGlite", { timeout: 300_000 }, async () => {
    const found = await killAt(join(stage.folder, randomUUID()), [2, 6]);
    expect(found).toEqual(["[]", "[]", "[]", "[2200]"]);
  });

  test("in Postgres", { timeout: 120_000 }, async () => {
    const server = local();
    if (server === undefined) return;
    const found = await killAt(server.url, [1, 2, 6, 9]);
    expect(found).toEqual(["[]", "[]", "[]", "[]", "[]", "[2200]"]);
  });
});

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll } from "vitest";
import { prepareChildren, type Children } from "./child.ts";

/** The folder and the processes of a test file. */
export interface CrashStage {
  readonly folder: string;
  readonly children: Children;
}

/**
 * A folder and processes for a test file: processes end with their test, and everything ends with
 * the file.
 */
export function crashStage(name: string): CrashStage {
  const stage = {} as { folder: string; children: Children };
  beforeAll(async () => {
    stage.folder = await mkdtemp(join(tmpdir(), `mull-${name}-`));
    stage.children = await prepareChildren();
  }, 60_000);
  afterEach(() => stage.children.kill());
  afterAll(async () => {
    await stage.children.remove();
    await rm(stage.folder, { recursive: true, force: true });
  }, 60_000);
  return stage;
}

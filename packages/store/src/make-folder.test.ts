import { mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { mkdir, rmdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { jsonlConversation } from "./jsonl/conversation.ts";
import { makeFolder } from "./make-folder.ts";

const scratches: string[] = [];
afterAll(() => {
  for (const folder of scratches) rmSync(folder, { recursive: true, force: true });
});

function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), "mull-folder-"));
  scratches.push(folder);
  return folder;
}

describe("F-C3: a folder for data", () => {
  test("is made with those above it, for the owner alone, also by two at once", async () => {
    const path = join(scratch(), "a", "b", "c");
    await Promise.all([makeFolder(path), makeFolder(path)]);
    await makeFolder(path);
    expect(statSync(path).mode & 0o777).toBe(0o700);
  });

  test("that others take away while it is looked at is made again", async () => {
    const path = join(scratch(), "a");
    for (let round = 0; round < 200; round++) {
      await mkdir(path).catch(() => undefined);
      const takeAway = (): Promise<void> => rmdir(path).catch(() => undefined);
      const make = (): Promise<void> => makeFolder(path);
      const all = Promise.all([make(), make(), takeAway(), make(), takeAway(), make()]);
      await expect(all).resolves.toHaveLength(6);
    }
  });

  test("may be the end of a link, but not of one that leads nowhere", async () => {
    const folder = scratch();
    const link = join(folder, "link");
    symlinkSync(join(folder, "end"), link);
    await expect(makeFolder(link)).rejects.toThrow("a file is in its place");
    await makeFolder(join(folder, "end"));
    await makeFolder(link);
  });

  test("below a file is refused", async () => {
    const file = join(scratch(), "file");
    writeFileSync(file, "");
    await expect(makeFolder(join(file, "a", "b"))).rejects.toMatchObject({ code: "ENOTDIR" });
    await expect(makeFolder(file)).rejects.toThrow("a file is in its place");
  });

  test.runIf(process.platform === "linux")("where none may be says what to do", async () => {
    const refused = makeFolder("/sys/kernel/mull");
    await expect(refused).rejects.toThrow(
      "Cannot make the folder /sys/kernel/mull: you have no permission to write there. Choose another folder",
    );
  });

  test.runIf(process.platform === "linux")(
    "where none can be is refused, not tried for ever",
    async () => {
      await expect(makeFolder("/proc/nowhere/mull")).rejects.toThrow(
        "Cannot make a folder at /proc/nowhere: there can be no folder there. Choose another place.",
      );
      await expect(jsonlConversation("/proc/nowhere/mull/a.jsonl")).rejects.toThrow(
        "/proc/nowhere",
      );
    },
  );
});

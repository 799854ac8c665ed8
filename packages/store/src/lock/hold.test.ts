import { mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { askHolder } from "./ask-holder.ts";
import { holdName } from "./hold-name.ts";
import { hold } from "./hold.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "mull-hold-"));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

describe("F-D4: one process holds a place", () => {
  test("of 20 that ask at once exactly one gets it, and each after it in turn", async () => {
    const place = join(folder, "data");
    for (let round = 0; round < 3; round++) {
      const asked = await Promise.allSettled(Array.from({ length: 20 }, () => hold(place)));
      const held = asked.filter((outcome) => outcome.status === "fulfilled");
      expect(held).toHaveLength(1);
      const refused = asked.filter((outcome) => outcome.status === "rejected");
      expect(new Set(refused.map(({ reason }) => (reason as { code: string }).code))).toEqual(
        new Set(["held"]),
      );
      await held[0]?.value.release();
    }
    expect(await readdir(folder)).toEqual([]);
  });

  test("the refusal names the process and the place", async () => {
    const place = join(folder, "data");
    const held = await hold(place);
    await expect(hold(place)).rejects.toThrow(`${place} is in use by process ${process.pid}.`);
    await held.release();
    await (await hold(place)).release();
  });

  test("a socket nobody listens on is a dead process, however new it is", async () => {
    const place = join(folder, "data");
    await mkdir(`${place}.lock`);
    const dead = createServer();
    await new Promise<void>((done) => dead.listen(join(`${place}.lock`, "bound"), done));
    await rename(join(`${place}.lock`, "bound"), join(`${place}.lock`, "4242-dead"));
    await new Promise((done) => dead.close(done));
    const held = await hold(place);
    expect(await readdir(`${place}.lock`)).toHaveLength(1);
    await held.release();
  });

  test("a holder that does not answer is alive", async () => {
    const place = join(folder, "data");
    await mkdir(`${place}.lock`);
    const silent = createServer();
    await new Promise<void>((done) => silent.listen(join(`${place}.lock`, "4242-busy"), done));
    await expect(hold(place)).rejects.toThrow("process 4242.");
    await new Promise((done) => silent.close(done));
  });

  test("an answer that lay unread while this process was held up is heard", async () => {
    const path = join(folder, "4242-waits");
    const waiting = createServer((socket) =>
      socket.on("error", () => undefined).end("4242 waits\n"),
    );
    await new Promise<void>((done) => waiting.listen(path, done));
    const answer = askHolder(path);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
    expect(await answer).toBe("waits");
    await new Promise((done) => waiting.close(done));
  });

  test("of those who wait too long the first by name still gets it", async () => {
    const place = join(folder, "data");
    await mkdir(`${place}.lock`);
    const startedAt = performance.now();
    const slow = createServer((socket) => {
      socket.on("error", () => undefined).end("4242 waits\n");
      // Longer than a claimant waits for another.
      if (performance.now() - startedAt > 2000) slow.close();
    });
    await new Promise<void>((done) => slow.listen(join(`${place}.lock`, "last-by-name"), done));
    await (await hold(place)).release();
    expect(await readdir(folder)).toEqual([]);
  });

  test.each([
    ["a path", undefined],
    ["a path, in a place for temporary files that is", "temporary".repeat(12)],
  ])("%s too long for a socket is held all the same", async (_, temporary) => {
    const place = join(folder, "deep".repeat(30), "data");
    if (temporary !== undefined) vi.stubEnv("TMPDIR", join(folder, temporary));
    const held = await hold(place);
    await expect(hold(place)).rejects.toMatchObject({ code: "held" });
    await held.release();
    await (await hold(place)).release();
  });

  test("names of the system (named pipes, abstract sockets) hold in the same way", async () => {
    const name = `\0mull-${process.pid}-${Math.random()}`;
    const held = await holdName(name, "data");
    await expect(holdName(name, "data")).rejects.toThrow(`process ${process.pid}.`);
    await held.release();
    await (await holdName(name, "data")).release();
  });
});

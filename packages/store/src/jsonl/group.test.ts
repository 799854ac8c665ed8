import { mkdtemp, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { History, type Message } from "mull";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { answers, says } from "../testing/material.ts";
import { openForAppend, type OpenForAppend } from "./append-file.ts";
import { jsonlConversation } from "./conversation.ts";
import { readJsonlConversation } from "./read-conversation.ts";

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "mull-group-"));
  path = join(folder, "talk.jsonl");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const talk: readonly Message[] = [says("one"), answers("two"), says("three")];

async function write(): Promise<Buffer> {
  const conversation = await jsonlConversation(path, { now: () => 1 });
  await conversation.append(says("before"));
  await conversation.save(conversation.history().append(...talk));
  await conversation.close();
  return readFile(path);
}
const read = async (): Promise<readonly Message[]> =>
  (await readJsonlConversation(path)).messages.map(({ message }) => message);

describe("what is saved together", () => {
  test("F-D1: cut at any byte it is there whole, or not at all, and can be saved again", async () => {
    const whole = await write();
    const begins = whole.indexOf(`{"type":"begin"`);
    for (let length = begins; length < whole.length; length++) {
      await writeFile(path, whole);
      await truncate(path, length);
      const { messages, damage } = await readJsonlConversation(path);
      // Once its last record is written, the group is complete: a cut after that removes only its
      // end mark.
      const isWhole = length >= whole.lastIndexOf("\n", -2);
      expect([length, messages.length]).toEqual([length, isWhole ? 4 : 1]);
      const isTold = damage.some(({ kind }) => kind === "torn-tail");
      expect(isTold || isWhole || length === begins).toBe(true);
    }
    await truncate(path, begins + 300);
    const again = await jsonlConversation(path);
    await again.save(again.history().append(...talk));
    await again.close();
    expect((await readJsonlConversation(path)).damage).toEqual([]);
    expect(await read()).toEqual([says("before"), ...talk]);
  });

  test.each([
    ["the word that ends it", /\{"type":"commit"\}/, 4],
    ["the word that begins it", /\{"type":"begin"/, 4],
    ["one of its records", /\{"type":"message"(?=.*"two")/, 3],
  ])("F-D9: damage to %s costs no other record", async (_, pattern, left) => {
    const whole = (await write()).toString();
    await writeFile(path, whole.replace(pattern, "rot"));
    const conversation = await jsonlConversation(path);
    expect(conversation.damage).toMatchObject([{ kind: "bad-line" }]);
    await conversation.append(says("after"));
    await conversation.close();
    expect(await read()).toHaveLength(left + 1);
  });

  test("F-D3: zeros that a power cut left in it take all of it, unless more was stored behind", async () => {
    const whole = (await write()).toString();
    const holes = whole.replace(/\{"type":"message"[^\n]*"two"[^\n]*\n/, (line) =>
      "\0".repeat(line.length),
    );
    await writeFile(path, holes);
    const { messages, damage } = await readJsonlConversation(path);
    expect([messages.length, damage.map(({ kind }) => kind)]).toEqual([1, ["torn-tail"]]);
    await writeFile(path, `${holes}{"type":"head","id":null}\n`);
    // The zeros replaced a line end: two records are lost, no more.
    expect((await readJsonlConversation(path)).messages).toHaveLength(2);
  });

  test("F-D9: a line of it that was taken out by hand costs no other record", async () => {
    const lines = (await write()).toString().split("\n");
    await writeFile(path, lines.filter((line) => !line.includes(`"two"`)).join("\n"));
    expect(await read()).toEqual([says("before"), says("one"), says("three")]);
  });

  test("F-D8: on a full disk none of it is written, and the conversation goes on", async () => {
    const disk = { room: Infinity, canCut: true };
    const conversation = await jsonlConversation(path, { open: diskWith(disk) });
    await conversation.append(says("before"));
    const history = conversation.history().append(...talk);
    disk.room = 200;
    await expect(conversation.save(history)).rejects.toMatchObject({ code: "full" });
    expect([conversation.entries.length, (await read()).length]).toEqual([1, 1]);
    disk.room = Infinity;
    await conversation.save(history);
    await conversation.close();
    expect(await read()).toEqual([says("before"), ...talk]);
  });

  test("F-D8: half of it that cannot be cut off swallows nothing that is acknowledged", async () => {
    const disk = { room: Infinity, canCut: true };
    const conversation = await jsonlConversation(path, { open: diskWith(disk) });
    await conversation.append(says("before"));
    Object.assign(disk, { room: 200, canCut: false });
    const history = conversation.history().append(...talk);
    await expect(conversation.save(history)).rejects.toMatchObject({ code: "full" });
    Object.assign(disk, { room: Infinity, canCut: true });
    await expect(conversation.append(says("lost"))).rejects.toMatchObject({ code: "broken" });
    await conversation.close();
    expect(await read()).toEqual([says("before")]);
  });

  test("a history of one message is one record", async () => {
    const conversation = await jsonlConversation(path);
    await conversation.save(History.from([says("one")]));
    await conversation.close();
    expect((await readFile(path, "utf8")).match(/"type":"(begin|commit)"/g)).toBeNull();
  });
});

/** A disk with limited room, on which a file may be stuck at its length. */
const diskWith =
  (disk: { room: number; readonly canCut: boolean }): OpenForAppend =>
  async (file) => {
    const handle = await openForAppend(file);
    return {
      write: async (bytes, offset, length) => {
        if (disk.room <= 0) throw Object.assign(new Error("full"), { code: "ENOSPC" });
        const taken = Math.min(length, disk.room);
        disk.room -= taken;
        return handle.write(bytes, offset, taken);
      },
      datasync: () => handle.datasync(),
      truncate: (length) =>
        disk.canCut ? handle.truncate(length) : Promise.reject(new Error("stuck")),
      close: () => handle.close(),
    };
  };

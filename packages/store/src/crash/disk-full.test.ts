import { randomUUID } from "node:crypto";
import { readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { smallDisk, type SmallDisk } from "../../../../test/small-disk.ts";
import { jsonlConversation } from "../jsonl/conversation.ts";
import { readJsonlConversation } from "../jsonl/read-conversation.ts";
import { pgliteDriver } from "../pglite/pglite-driver.ts";
import { postgresStore } from "../postgres/postgres-store.ts";
import { answers, newTalk, says } from "../testing/material.ts";
import { pause, prepareChildren, type Children } from "./testing/child.ts";

const megabyte = 1024 * 1024;
let disk: SmallDisk | undefined;
let children: Children;
beforeAll(async () => {
  disk = await smallDisk(256);
  children = await prepareChildren();
}, 60_000);
afterEach(async () => {
  await children.kill();
  await disk?.empty();
}, 60_000);
afterAll(async () => {
  await children.remove();
  await disk?.remove();
}, 60_000);

test("F-D8: in a file on a full disk nothing is half written, and it works again", async () => {
  if (disk === undefined) return;
  const path = join(disk.folder, "talk.jsonl");
  const conversation = await jsonlConversation(path);
  await conversation.append(says("one"));
  await disk.fill(256 * 1024);
  const { size } = await stat(path);
  await expect(conversation.append(says("x".repeat(megabyte)))).rejects.toMatchObject({
    code: "full",
    status: 507,
  });
  expect((await stat(path)).size).toBe(size);
  await disk.empty();
  await conversation.append(says("two"));
  await conversation.close();
  const { damage, messages } = await readJsonlConversation(path);
  expect(damage).toEqual([]);
  expect(messages.map(({ message }) => message)).toEqual([says("one"), says("two")]);
});

test("F-D8: a full disk leaves no lock and no empty file behind a conversation", async () => {
  if (disk === undefined) return;
  const path = join(disk.folder, "new.jsonl");
  await disk.fill(0);
  const conversation = await jsonlConversation(path);
  await expect(conversation.append(says("x".repeat(megabyte)))).rejects.toMatchObject({
    code: "full",
  });
  expect(await readdir(disk.folder)).not.toContain("new.jsonl");
  await disk.empty();
  await conversation.append(says("kept"));
  await conversation.close();
  expect((await readJsonlConversation(path)).messages).toHaveLength(1);
  expect(await readdir(disk.folder)).not.toContain("new.jsonl.lock");
});

test("F-D8: where no lock fits any more, that is said, and no part of one stays", async () => {
  const files = await smallDisk(8, 3);
  if (files === undefined) return;
  const path = join(files.folder, "talk.jsonl");
  await writeFile(join(files.folder, "one"), "");
  for (const left of ["a folder", "nothing"]) {
    if (left === "nothing") await writeFile(join(files.folder, "two"), "");
    await expect(jsonlConversation(path)).rejects.toMatchObject({ code: "full", status: 507 });
    expect(await readdir(files.folder)).not.toContain("talk.jsonl.lock");
  }
  await files.remove();
});

test(
  "F-D8: PGlite refuses writes while there still is room for its log",
  { timeout: 120_000 },
  async () => {
    if (disk === undefined) return;
    const store = await postgresStore(await pgliteDriver(join(disk.folder, randomUUID())));
    const talk = await newTalk(store);
    const send = { ...talk, idempotencyKey: "k", expectedHead: null, message: says("hi") };
    await disk.fill(32 * megabyte);
    await expect.poll(() => codeOf(newTalk(store))).toBe("full");
    await expect(store.beginTurn(send)).rejects.toMatchObject({ code: "full", status: 507 });
    expect(await store.listMessages(talk.userId, talk.conversationId)).toEqual([]);
    await disk.empty();
    await expect.poll(() => codeOf(newTalk(store))).toBeUndefined();
    const { turn } = await store.beginTurn(send);
    await store.finishTurn(talk.userId, turn.id, { state: "done", messages: [answers("ho")] });
    expect(await store.listMessages(talk.userId, talk.conversationId)).toHaveLength(2);
    await store.close();
  },
);

test("F-D8: a first start on a full disk says so, and works when there is room", async () => {
  if (disk === undefined) return;
  const folder = join(disk.folder, randomUUID());
  await disk.fill(4 * megabyte);
  await expect(pgliteDriver(folder)).rejects.toMatchObject({ code: "full", status: 507 });
  await disk.empty();
  await (await pgliteDriver(folder)).close();
}, 120_000);

const codeOf = (attempt: Promise<unknown>): Promise<unknown> =>
  attempt.then(
    () => undefined,
    (error: unknown) => (error as { readonly code?: unknown }).code,
  );

test(
  "F-D8: a disk that fills at one stroke in a turn loses nothing acknowledged",
  { timeout: 300_000 },
  async () => {
    if (disk === undefined) return;
    const target = join(disk.folder, "struck");
    for (const life of ["0", "1"]) {
      const writer = children.start("turn-writer", target, life);
      await writer.waitFor("have ");
      await pause(100);
      await disk.fill(0);
      // The process ends by itself, with a refusal or broken.
      expect(await writer.ended).not.toBe(0);
      await disk.empty();
      const check = children.start("turn-writer", target, "check");
      const found = JSON.parse((await check.waitFor("have ")).slice("have ".length)) as string[];
      const acknowledged = writer.lines.filter((line) => /^[uaf]\d/.test(line));
      expect(acknowledged.filter((label) => !found.includes(label))).toEqual([]);
      expect([await check.ended, check.errors()]).toEqual([0, ""]);
    }
  },
);

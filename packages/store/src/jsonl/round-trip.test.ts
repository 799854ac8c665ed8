import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { History } from "mull";
import { afterAll, beforeAll, expect, test } from "vitest";
import { randomMessages, seededRandom } from "../testing/random-messages.ts";
import { jsonlConversation } from "./conversation.ts";
import { readJsonlConversation } from "./read-conversation.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "mull-round-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test(
  "F-H4: random histories come back deep equal, seals byte for byte",
  { timeout: 60_000 },
  async () => {
    const path = join(folder, "all.jsonl");
    const random = seededRandom(11);
    const messages = Array.from({ length: 1000 }, () => randomMessages(random)).flat();
    const conversation = await jsonlConversation(path);
    for (let at = 0; at < messages.length; at += 50) {
      const history = conversation.history().append(...messages.slice(at, at + 50));
      await conversation.save(history);
    }
    await conversation.close();
    const read = await readJsonlConversation(path);
    expect(read.damage).toEqual([]);
    expect(read.messages.map(({ message }) => JSON.stringify(message.parts))).toEqual(
      messages.map(({ parts }) => JSON.stringify(parts)),
    );
    expect(read.messages.map(({ message }) => message)).toEqual(messages);
  },
);

test("F-H4: histories streamed part by part come back as they were finished", async () => {
  const path = join(folder, "streamed.jsonl");
  const random = seededRandom(12);
  const messages = Array.from({ length: 100 }, () => randomMessages(random))
    .flat()
    .filter(({ role }) => role === "assistant" || role === "tool");
  const conversation = await jsonlConversation(path);
  for (const message of messages) {
    if (message.role !== "assistant" && message.role !== "tool") continue;
    for (const part of message.parts) await conversation.appendPart(message.role, part);
    await conversation.finish(message);
  }
  await conversation.close();
  expect(History.from(messages).messages).toEqual(
    (await readJsonlConversation(path)).messages.map(({ message }) => message),
  );
});

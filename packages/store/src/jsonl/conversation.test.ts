import {
  appendFile,
  mkdtemp,
  readFile,
  readdir,
  rm,
  stat,
  truncate,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { History, type AssistantMessage, type Message, type ThinkingPart } from "mull";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openForAppend, type OpenForAppend } from "./append-file.ts";
import { jsonlConversation, type JsonlConversation, type JsonlOptions } from "./conversation.ts";
import { readJsonlConversation } from "./read-conversation.ts";
import { wrong } from "../../../../test/stubs.ts";

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "mull-jsonl-"));
  path = join(folder, "deep", "quiet-otter.jsonl");
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((conversation) => conversation.close()));
  await rm(folder, { recursive: true, force: true });
});

const opened: JsonlConversation[] = [];
const open = async (at: string, options?: JsonlOptions): Promise<JsonlConversation> => {
  const conversation = await jsonlConversation(at, options);
  opened.push(conversation);
  return conversation;
};

const origin = { wire: "anthropic-messages", provider: "anthropic", model: "m" } as const;
const user = (text: string): Message => ({ role: "user", parts: [{ type: "text", text }] });
const thought: ThinkingPart = {
  type: "thinking",
  text: "Split it.",
  visibility: "full",
  seal: { origin, data: { signature: "c2VhbA==" } },
};
const answer: AssistantMessage = {
  role: "assistant",
  parts: [thought, { type: "text", text: "1,081" }],
  origin,
  effort: "med",
};

test("F-D1: finished blocks are in the file before the message ends", async () => {
  const conversation = await open(path);
  await conversation.append(user("What is 23 * 47?"));
  await conversation.appendPart("assistant", thought);

  const cut = await readJsonlConversation(path);
  expect(cut.messages.map((entry) => entry.message)).toEqual([
    user("What is 23 * 47?"),
    { role: "assistant", parts: [thought], interrupted: true },
  ]);

  await conversation.appendPart("assistant", { type: "text", text: "1,081" });
  await conversation.finish(answer);
  const whole = await readJsonlConversation(path);
  expect(whole.messages.at(-1)?.message).toEqual(answer);
  expect(whole.head).toBe(whole.messages.at(-1)?.id);
});

test("a finished message that differs from its streamed parts replaces them", async () => {
  const conversation = await open(path);
  await conversation.append(user("hi"));
  await conversation.appendPart("assistant", { type: "text", text: "draft" });
  await conversation.finish(answer);
  const read = await readJsonlConversation(path);
  expect(read.messages.map((entry) => entry.message)).toEqual([user("hi"), answer]);
});

test("R242: a conversation is reloaded with branches, head, info, turns and seals", async () => {
  const first = await open(path);
  let history = first.history().append(user("one"), answer);
  await first.save(history);
  history = history.fork(1).append({ role: "assistant", parts: [{ type: "text", text: "other" }] });
  await first.save(history);
  await first.setInfo({ name: "quiet-otter", model: "claude-opus-5-5/high" });
  await first.setInfo({ name: "loud-otter" });
  await first.appendTurn({ usage: { input: 3 } });
  await first.close();

  const second = await open(path);
  expect(second.id).toBe(first.id);
  expect(second.history().toJSON()).toEqual(history.toJSON());
  expect(second.info).toEqual({ name: "loud-otter", model: "claude-opus-5-5/high" });
  expect(second.turns.map((turn) => turn.data)).toEqual([{ usage: { input: 3 } }]);
  expect(second.history().branches()).toHaveLength(2);
});

test("save finishes the message being made and follows a fork", async () => {
  const conversation = await open(path);
  const asked = conversation.history().append(user("one"));
  await conversation.save(asked);
  await conversation.appendPart("assistant", thought);
  const answered = asked.append(answer);
  await conversation.save(answered);
  const lines = (await readFile(path, "utf8")).trim().split("\n");
  expect(lines.map((line) => (JSON.parse(line) as { type: string }).type)).toEqual([
    "conversation",
    "message",
    "part",
    "message",
  ]);
  await conversation.save(answered.fork(1));
  const read = await readJsonlConversation(path);
  expect(read.head).toBe(read.messages.at(0)?.id);
});

test("F-H3 F-S23: NUL, lone surrogates and large texts come back unchanged", async () => {
  const texts = ["a\u0000b", "\ud800", "x\udc00y", "é𝄞\n\r\u2028", "x".repeat(10 * 1024 * 1024)];
  const conversation = await open(path);
  for (const text of texts) await conversation.append(user(text));
  await conversation.close();
  const read = await readJsonlConversation(path);
  expect(read.messages.map((entry) => entry.message)).toEqual(texts.map(user));
});

test("F-H6: a value nested deeper than 512 is refused and nothing is written", async () => {
  const conversation = await open(path);
  await conversation.append(user("before"));
  const size = (await stat(path)).size;
  let deep: unknown = 1;
  for (let level = 0; level < 8000; level++) deep = [deep];
  const message = { role: "assistant", parts: [{ type: "text", text: "", extra: deep }] };
  await expect(conversation.append(wrong(message))).rejects.toMatchObject({
    code: "too_deep",
  });
  expect((await stat(path)).size).toBe(size);
});

test(
  "F-D9: cut at every offset of the last two records, only the torn tail is lost",
  { timeout: 120_000 },
  async () => {
    const made = await open(path, { now: () => 1 });
    for (const text of ["one", "two", "three"]) await made.append(user(text));
    await made.close();
    const whole = await readFile(path);
    const starts = [0];
    whole.forEach((byte, at) => byte === 10 && starts.push(at + 1));
    for (let length = starts.at(-3) ?? 0; length < whole.length; length++) {
      await writeFile(path, whole);
      await truncate(path, length);
      const conversation = await open(path);
      const kept = starts.slice(2).filter((start) => length >= start - 1).length;
      expect(conversation.entries.length).toBe(kept);
      const isTorn = !starts.some((start) => start === length || start - 1 === length);
      expect(conversation.damage.map((damage) => damage.kind)).toEqual(isTorn ? ["torn-tail"] : []);
      await conversation.append(user("next"));
      await conversation.close();
      const read = await readJsonlConversation(path);
      expect(read.damage).toEqual([]);
      expect(read.messages.at(-1)?.message).toEqual(user("next"));
      expect(read.messages).toHaveLength(kept + 1);
    }
  },
);

test("F-D9: a bad line is set aside, what follows it is kept", async () => {
  const made = await open(path);
  await made.append(user("one"));
  await made.append(user("two"));
  await made.append(user("three"));
  await made.close();
  const lines = (await readFile(path, "utf8")).split("\n");
  await writeFile(
    path,
    [lines[0], lines[1], (lines[2] ?? "").slice(0, 30), lines[3], ""].join("\n"),
  );
  const conversation = await open(path);
  expect(conversation.damage).toMatchObject([{ line: 3, kind: "bad-line" }]);
  expect(conversation.history().messages).toEqual([user("one"), user("three")]);
});

test.each(["my notes\nwithout a newline", "one line", '{"name": "settings"}\n', "{}\n[1]\n"])(
  "F-D9: a file that isn't a conversation is refused and stays as it is: %j",
  async (text) => {
    const file = join(folder, "notes.txt");
    await writeFile(file, text);
    await expect(open(file)).rejects.toMatchObject({ code: "foreign" });
    expect(await readFile(file, "utf8")).toBe(text);
  },
);

test.each(["", '{"type":"conv', '{"type":"conversation","v":1,"id', "\0\0\0\0"])(
  "F-D9: a first record that was cut is begun again: %j",
  async (text) => {
    const file = join(folder, "begun.jsonl");
    await writeFile(file, text);
    await (await open(file)).append(user("one"));
    expect((await readJsonlConversation(file)).messages.map(({ message }) => message)).toEqual([
      user("one"),
    ]);
  },
);

test("F-D9: a file of a newer version is refused, not half read", async () => {
  const made = await open(path);
  await made.append(user("one"));
  await made.close();
  await writeFile(path, (await readFile(path, "utf8")).replace('"v":1', '"v":2'));
  await expect(open(path)).rejects.toMatchObject({ code: "newer" });
  await rm(path);
  await (await open(path)).close();
});

test("F-D8: a full disk leaves no half record, and works again when there is room", async () => {
  let room = Infinity;
  const smallDisk: OpenForAppend = async (file) => {
    const handle = await openForAppend(file);
    return {
      write: async (bytes, offset, length) => {
        if (room <= 0) throw Object.assign(new Error("full"), { code: "ENOSPC" });
        const taken = Math.min(length, room);
        room -= taken;
        return handle.write(bytes, offset, taken);
      },
      datasync: () => handle.datasync(),
      truncate: (length) => handle.truncate(length),
      close: () => handle.close(),
    };
  };
  const conversation = await open(path, { open: smallDisk });
  await conversation.append(user("one"));
  const size = (await stat(path)).size;
  room = 20;
  await expect(conversation.append(user("two"))).rejects.toMatchObject({
    code: "full",
    status: 507,
  });
  expect((await stat(path)).size).toBe(size);
  room = Infinity;
  await conversation.append(user("three"));
  const read = await readJsonlConversation(path);
  expect(read.damage).toEqual([]);
  expect(read.messages.map((entry) => entry.message)).toEqual([user("one"), user("three")]);
});

test("a failed sync ends all acknowledgement", async () => {
  let isFailing = false;
  const conversation = await open(path, {
    open: async (file) => {
      const handle = await openForAppend(file);
      return {
        write: (bytes, offset, length) => handle.write(bytes, offset, length),
        datasync: () => (isFailing ? Promise.reject(new Error("EIO")) : handle.datasync()),
        truncate: (length) => handle.truncate(length),
        close: () => handle.close(),
      };
    },
  });
  await conversation.append(user("one"));
  isFailing = true;
  await expect(conversation.append(user("two"))).rejects.toMatchObject({ code: "broken" });
  isFailing = false;
  await expect(conversation.append(user("three"))).rejects.toMatchObject({ code: "broken" });
  await conversation.close();
});

test("F-D11: one file has one writer; the second is told who; readers are free", async () => {
  const first = await open(path);
  await first.append(user("one"));
  await expect(open(path)).rejects.toThrow(`process ${process.pid}`);
  expect((await readJsonlConversation(path)).messages).toHaveLength(1);
  await first.close();
  const second = await open(path);
  expect(second.entries).toHaveLength(1);
});

test("F-C5: files are 0600 in 0700, and none is made before the first record", async () => {
  const conversation = await open(path);
  await conversation.close();
  expect(await readdir(dirname(path))).toEqual([]);
  const used = await open(path);
  await used.append(user("one"));
  await used.close();
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect((await stat(dirname(path))).mode & 0o777).toBe(0o700);
  expect(await readdir(dirname(path))).toEqual(["quiet-otter.jsonl"]);
});

test("appends asked for at once are written in order, and none after close", async () => {
  const conversation = await open(path);
  await Promise.all(["a", "b", "c"].map((text) => conversation.append(user(text))));
  await conversation.close();
  await expect(conversation.append(user("d"))).rejects.toMatchObject({ code: "closed" });
  const read = await readJsonlConversation(path);
  expect(History.parse(conversation.history().toJSON()).messages).toEqual(
    ["a", "b", "c"].map(user),
  );
  expect(read.messages.map((entry) => entry.parent)).toEqual([
    null,
    read.messages.at(0)?.id,
    read.messages.at(1)?.id,
  ]);
});

test("a line longer than any record is skipped without being held", async () => {
  const made = await open(path);
  await made.append(user("one"));
  await made.close();
  await appendFile(path, `${"x".repeat(25 * 1024 * 1024)}\n`);
  const again = await open(path);
  expect(again.damage).toMatchObject([{ kind: "bad-line" }]);
  await again.append(user("two"));
  await again.close();
  expect((await readJsonlConversation(path)).messages).toHaveLength(2);
});

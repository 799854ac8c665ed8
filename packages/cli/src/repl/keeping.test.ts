import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { says, script, thinks } from "@mull/emulator";
import { readJsonlConversation } from "@mull/store/jsonl";
import { History } from "mull";
import { emptyHome } from "../testing/fake-io.ts";
import { Keeper } from "./keeper.ts";
import { startChat, type TestChat } from "./testing/chat.ts";

const folderOf = (chat: TestChat): string => join(chat.home, ".local/share/mull/conversations");
const filesOf = (chat: TestChat): readonly string[] =>
  readdirSync(folderOf(chat)).filter((name) => name.endsWith(".jsonl"));

const answers = [
  script({ text: "first" }, [thinks("A sealed thought."), says("One.")]),
  script({ text: "second" }, [says("Two.")]),
];

test("/resume lists a row each, however long the question was", async () => {
  const chat = startChat({ columns: 100, settings: { plain: true } });
  await chat.sees("you:");
  chat.type("Tell me something about the sea and the land and the sky above them, please\n");
  await chat.sees(/answer: [^]*you:$/);
  chat.type("/resume\n");
  await chat.sees(
    / {2}\S+ +\S+ \S+ {2}1 answer +Tell me something about the sea and the la[^\n]*\n?[^\n]*…\n/,
  );
  chat.type("/exit\n");
  expect(await chat.code).toBe(0);
});

describe("conversations", () => {
  test("promise 6: taken up again with every seal; leaving says how", async () => {
    const chat = startChat({ scripts: answers });
    await chat.say("first");
    expect(await chat.leave()).toBe(0);
    const last = (await chat.lines()).at(-1);
    const [file] = filesOf(chat);
    expect(last).toBe(`mull -r ${file?.replace(".jsonl", "")}`);
    const again = startChat({ scripts: answers, home: chat.home, resume: "" });
    await again.sees("1 question so far");
    await again.say("second");
    const body = JSON.stringify(again.emulator.journal().at(-1)?.body);
    expect(again.emulator.journal().at(-1)?.status).toBe(200);
    expect(body).toContain("A sealed thought.");
    expect(body).toContain('"signature"');
    const lines = await again.say("/cost");
    expect(lines.join("\n")).toMatch(/ 1 {2}claude-opus-5-5[\s\S]* 2 {2}claude-opus-5-5/);
    await again.leave();
    expect(filesOf(again)).toHaveLength(1);
  });

  test("F-C5: the file is the owner's alone", async () => {
    const chat = startChat({ scripts: answers });
    await chat.say("first");
    expect(await chat.leave()).toBe(0);
    expect(statSync(folderOf(chat)).mode & 0o777).toBe(0o700);
    expect(statSync(join(folderOf(chat), filesOf(chat).at(0) ?? "")).mode & 0o777).toBe(0o600);
  });

  test("two chats at once: the second goes on in a copy, and neither harms the other", async () => {
    const one = startChat({ scripts: answers });
    await one.say("first");
    const two = startChat({ scripts: answers, home: one.home, resume: "" });
    await two.sees("so you continue in a copy");
    await two.say("second");
    await one.say("second");
    await two.leave();
    await one.leave();
    expect(filesOf(one)).toHaveLength(2);
    for (const file of filesOf(one)) {
      const lines = readFileSync(join(folderOf(one), file), "utf8")
        .trimEnd()
        .split("\n");
      expect(lines.map((line) => typeof JSON.parse(line))).not.toContain("undefined");
    }
  });

  test("nothing is written when nothing was said, or when saving is off", async () => {
    const silent = startChat();
    await silent.sees("? for keys");
    await silent.leave();
    expect(existsSync(folderOf(silent))).toBe(false);
    const unsaved = startChat({ scripts: answers, settings: { save: false } });
    await unsaved.say("first");
    await unsaved.leave();
    expect(existsSync(folderOf(unsaved))).toBe(false);
  });

  test("/edit, /fork, /name, /export and /new", async () => {
    const chat = startChat({
      scripts: [...answers, script({ text: "changed" }, [says("Three.")])],
    });
    await chat.say("first");
    await chat.say("/name markets");
    await chat.sees("✓ This conversation is now called markets.");
    chat.type("/edit\r");
    await chat.sees(/❯ first\n.*\? for keys/);
    chat.type("\u0015changed\r");
    await chat.sees(/Three\.[\s\S]*\? for keys$/);
    await chat.say("/fork 1");
    await chat.sees(/✓ Forked after answer 1: this is \S+, markets stays as it/);
    await chat.say("/export talk.json");
    await chat.sees("✓ Written to");
    const talk = JSON.parse(readFileSync(join(chat.home, "talk.json"), "utf8")) as {
      version: number;
    };
    expect(talk.version).toBe(1);
    await chat.say("/export talk.json");
    await chat.sees("exists already");
    await chat.say("/new");
    await chat.sees("✓ A new conversation.");
    chat.type("/resume\r");
    await chat.sees(/ first .* · markets\n/);
    chat.type("\u001b");
    await chat.sees("? for keys");
    expect(await chat.leave()).toBe(0);
    expect(filesOf(chat)).toContain("markets.jsonl");
    chmodSync(chat.home, 0o700);
  });

  test("/think is kept in the user's file, and the rest of it stays", async () => {
    const chat = startChat({ scripts: answers });
    const config = join(chat.home, ".config/mull/config.json");
    mkdirSync(join(chat.home, ".config/mull"), { recursive: true });
    writeFileSync(config, '{"level":"low","think":"peek"}');
    await chat.say("/think full");
    await chat.sees("✓ Thinking is shown: full");
    await chat.leave();
    expect(JSON.parse(readFileSync(config, "utf8"))).toEqual({ level: "low", think: "full" });
  });

  test.each(["/dev/null/nowhere", "/proc/nowhere"])(
    "F-C3: %s for data: one warning, nothing hangs",
    async (folder) => {
      const chat = startChat({ scripts: answers, env: { XDG_DATA_HOME: folder } });
      await chat.say("first");
      await chat.sees("⚠ Not saved:");
      await chat.say("second");
      await chat.sees("Two.");
      expect(await chat.leave()).toBe(0);
    },
  );

  test("/think where nothing can be written: for this chat only", async () => {
    const chat = startChat({ scripts: answers, env: { XDG_CONFIG_HOME: "/proc/nowhere" } });
    await chat.say("/think hide");
    await chat.sees("⚠ For this chat only: Cannot");
    expect(await chat.leave()).toBe(0);
  });

  test("F-C3: a lost terminal saves and ends", async () => {
    const chat = startChat({ scripts: answers });
    await chat.say("first");
    chat.hangUp();
    expect(await chat.code).toBe(130);
    expect(filesOf(chat)).toHaveLength(1);
  });
});

test("an answer that is in the history before its parts are told is kept once", async () => {
  const folder = emptyHome();
  const part = { type: "text", text: "Hello." } as const;
  const history = History.from([
    { role: "user", parts: [{ type: "text", text: "hi" }] },
    { role: "assistant", parts: [part] },
  ]);
  const keeper = new Keeper({ folder, onTrouble: expect.unreachable });
  keeper.take({ type: "answer", step: 0, event: { type: "part", index: 0, part } }, history);
  await keeper.keep(history);
  await keeper.end();
  const { messages } = await readJsonlConversation(join(folder, `${keeper.name}.jsonl`));
  expect(messages.map(({ message }) => message.role)).toEqual(["user", "assistant"]);
});

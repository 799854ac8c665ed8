import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { says, script } from "@mull/emulator";
import { startChat } from "../repl/testing/chat.ts";
import { emptyHome, mull } from "../testing/fake-io.ts";

describe("a question with a file", () => {
  test("is named by the file and its words in lists", async () => {
    const home = emptyHome();
    writeFileSync(join(home, 'a "b".txt'), "a long story");
    await mull(["-f", 'a "b".txt', "What of it?"], { home });
    const { out } = await mull(["conversations"], { home });
    expect(out).toContain('[a "b".txt] What of it?');
    expect(out).not.toContain("a long story");
  });

  test("is named as a shell writes names, too", async () => {
    const chat = startChat();
    writeFileSync(join(chat.home, "a note.txt"), "a long story");
    for (const written of ["a note.txt", '"a note.txt"', "'a note.txt'", "a\\ note.txt"])
      await chat.say(`/file ${written}`);
    await chat.sees(/(?:▸ a note\.txt · 12 B[^]*){4}/);
    expect(await chat.leave()).toBe(0);
  });

  test("F-C3: /edit puts the words into the editor and sends the file along again, once", async () => {
    const chat = startChat({ scripts: [script({}, [says("One.")], [says("Two.")])] });
    writeFileSync(join(chat.home, "note.txt"), "a long story");
    await chat.say("/file note.txt");
    await chat.say("What of it?");
    chat.type("/edit\r");
    await chat.sees(/❯ What of it\?\n.*\? for keys/);
    chat.type(" And why?\r");
    await chat.sees("Two.");
    const sent = JSON.stringify(chat.emulator.journal().at(-1)?.body);
    expect(sent).toContain("What of it? And why?");
    expect(sent.split("a long story")).toHaveLength(2);
    expect(await chat.leave()).toBe(0);
    const again = startChat({ home: chat.home, resume: "" });
    await again.sees("❯ [note.txt] What of it? And why?");
    expect(await again.leave()).toBe(0);
  });
});

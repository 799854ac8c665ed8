import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { cuts, fails, says, script, thinks } from "@mull/emulator";
import { startChat, type TestChat } from "./testing/chat.ts";

const refusal = { status: 400, type: "invalid_request_error", message: "No." };

/** What the last request was asked with. */
const lastMessages = (chat: TestChat): unknown =>
  (chat.emulator.journal().at(-1)!.body as { readonly messages: unknown }).messages;

const text = (words: string): unknown => ({ type: "text", text: words });

describe("/retry after a failure", () => {
  test("F-C3: a refused second question is asked again, and the first answer stays", async () => {
    const chat = startChat({
      settings: { repair: false },
      scripts: [
        script({ text: "first" }, [says("One.")]),
        script({ text: "second" }, [fails(refusal)], [says("Two.")]),
      ],
    });
    await chat.say("first");
    chat.type("second\r");
    await chat.sees("Your message is back in the editor.");
    chat.type("/retry\r");
    await chat.sees("Two.");
    expect(lastMessages(chat)).toMatchObject([
      { role: "user", content: [text("first")] },
      { role: "assistant" },
      { role: "user", content: [text("second")] },
    ]);
    expect(await chat.leave()).toBe(0);
  });

  test("P-E8: a question whose answer broke off is sent once, with its file", async () => {
    const chat = startChat({
      scripts: [
        script({ text: "hello" }, [says("Half an answer of two."), cuts()], [says("Whole.")]),
      ],
    });
    writeFileSync(join(chat.home, "note.txt"), "a note");
    await chat.say("/file note.txt");
    chat.type("hello\r");
    await chat.sees("broke off");
    chat.type("/retry\r");
    await chat.sees("Whole.");
    const sent = JSON.stringify(lastMessages(chat));
    expect(sent.split("hello")).toHaveLength(2);
    expect(sent.split("note.txt")).toHaveLength(2);
    expect(await chat.leave()).toBe(0);
  });
});

describe("/retry with another model", () => {
  const scripts = [
    script(
      { model: "gpt-6-sol" },
      [thinks("Short."), says("One.")],
      [thinks("More."), says("Two.")],
    ),
    script({ model: "claude-*" }, [says("Another.")]),
  ];

  test("the thought of the answer it replaces is not said to be withheld", async () => {
    const chat = startChat({ model: "gpt-6-sol", scripts });
    await chat.say("first");
    await chat.say("/retry claude-opus-5-5/low");
    const lines = await chat.sees("Another.");
    expect(lines.join("\n")).not.toContain("withheld");
    expect(await chat.leave()).toBe(0);
  });

  test("those of the answers before it are", async () => {
    const chat = startChat({ model: "gpt-6-sol", scripts });
    await chat.say("first");
    await chat.say("second");
    const lines = await chat.say("/retry claude-opus-5-5/low");
    expect(lines.join("\n")).toContain("1 sealed thought of gpt-6-sol stays here");
    expect(await chat.leave()).toBe(0);
  });

  test("a model that cannot be used leaves the answer where it is; Tab completes those that can", async () => {
    const chat = startChat({ model: "gpt-6-sol", scripts });
    await chat.say("first");
    await chat.say("/retry gpt-6-sol/extreme");
    await chat.sees('✗ Unknown level "extreme".');
    await chat.say("/receipt");
    await chat.sees("receipt · answer 1 · gpt-6-sol");
    chat.type("/retry gpt-6-as\t");
    await chat.sees("/retry gpt-6-astra   ");
    chat.type("\u0003\u0003\u0003");
    expect(await chat.code).toBe(0);
  });
});

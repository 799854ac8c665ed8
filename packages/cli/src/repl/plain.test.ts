import { describe, expect, test } from "vitest";
import { calls, says, script, stalls, thinks } from "@mull/emulator";
import { startChat } from "./testing/chat.ts";

describe("plain lines", () => {
  test("labelled, in order, without any control sequence", async () => {
    const chat = startChat({
      settings: { plain: true },
      scripts: [
        script(
          { text: "markets" },
          [thinks("I look it up."), calls("searchWeb", { query: "markets" })],
          [says("Stocks closed mixed.\nBonds too.")],
        ),
      ],
    });
    await chat.sees("you:");
    chat.type("the markets?\n");
    const text = (await chat.sees(/Bonds too\.[\s\S]*you:$/)).join("\n");
    expect(text).toMatch(
      /thinking: I look it up\.\nthinking: thought .* tokens · summary\ntool: searchWeb \{"query":"markets"\} ✓ .*\nanswer: Stocks closed mixed\.\nBonds too\.\n/,
    );
    chat.type("/model o3/med\n");
    await chat.sees("✓ Switched to OpenAI o3 (Responses API)\n  Thinking: medium effort");
    chat.type("/exit\n");
    expect(await chat.code).toBe(0);
    expect(chat.written()).not.toContain("\u001b");
  });

  test("F-C1: control characters are made visible here too", async () => {
    const chat = startChat({
      settings: { plain: true },
      scripts: [script({ text: "evil" }, [says("\u001b]52;c;aGk=\u0007 done")])],
    });
    await chat.sees("you:");
    chat.type("evil\n");
    await chat.sees(/␛\]52;c;aGk=␇ done[\s\S]*you:$/);
    chat.interrupt();
    expect(await chat.code).toBe(0);
    const last = (await chat.lines()).slice(-2);
    expect(last).toEqual(["you:", expect.stringMatching(/^mull -r /)]);
    expect(chat.written()).not.toContain("\u001b");
  });

  test("a question mark lists what there is, and asks no model", async () => {
    const chat = startChat({ settings: { plain: true } });
    await chat.sees("you:");
    chat.type("?\n");
    const text = (await chat.sees(/\/exit[\s\S]*you:$/)).join("\n");
    expect(text).not.toContain("answer:");
    chat.type("/model\n");
    await chat.sees(/\/model NAME\/LEVEL switches\.\n/);
    chat.type("/exit\n");
    expect(await chat.code).toBe(0);
    expect(chat.written()).not.toContain("Tab completes");
  });

  test("no key is named that does nothing here", async () => {
    const chat = startChat({
      settings: { plain: true },
      level: "none",
      scripts: [script({ text: "hello" }, [says("Hello.")], [says("Hello again.")])],
    });
    await chat.sees("you:");
    chat.type("hello\n");
    await chat.sees("⚠ asked none, got low: this model cannot turn thinking off · /receipt");
    chat.type("/edit\n");
    await chat.sees(
      "note: your message was: hello\nnote: Your next message replaces that question.",
    );
    chat.type("hello, mull\n");
    await chat.sees("Hello again.");
    expect(JSON.stringify(chat.emulator.journal().at(-1)?.body)).not.toContain("Hello.");
    chat.type("/help\n");
    await chat.sees(/\^D {10}leave, on an empty line\n/);
    expect(chat.written()).not.toMatch(/\^[ORTGLZ]|Tab/);
    chat.type("/exit\n");
    expect(await chat.code).toBe(0);
  });

  test("nor is one named where an answer was stopped", async () => {
    const chat = startChat({
      settings: { plain: true },
      scripts: [script({ text: "slow" }, [thinks("Hm."), says("Well.\nOr"), stalls(60_000)])],
    });
    await chat.sees("you:");
    chat.type("slow\n");
    await chat.sees("answer: Well.");
    chat.interrupt();
    await chat.sees(/thinking: thought .* · summary\nnote: ■ stopped\n/);
    await chat.sees(/stopped\n.*\nyou:$/);
    chat.type("/exit\n");
    expect(await chat.code).toBe(0);
  });

  test("no UTF-8 locale: ASCII signs", async () => {
    const chat = startChat({ env: { LANG: "C" } });
    await chat.sees("? for keys");
    chat.type("/model o3-mini/none\r");
    const text = (await chat.sees("ok Switched to OpenAI o3-mini")).join("\n");
    expect(text).toContain("  ! This model does not support disabling thinking");
    expect(text).toMatch(/^> \/model o3-mini\/none$/m);
    expect(await chat.leave()).toBe(0);
  });
});

import { describe, expect, test } from "vitest";
import { cuts, fails, says, script, thinks } from "@mull/emulator";
import { startChat } from "./testing/chat.ts";

const refusal = {
  status: 400,
  type: "invalid_request_error",
  message:
    "messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`.",
};

describe("errors", () => {
  test("a refusal has its rule and its fix, and the message is back in the editor", async () => {
    const chat = startChat({
      model: "claude-sonnet-4-5",
      settings: { repair: false },
      scripts: [script({ text: "weather" }, [fails(refusal)], [says("Sunny.")])],
    });
    await chat.sees("? for keys");
    chat.type("the weather?\r");
    const text = (await chat.sees("Your message is back in the editor.")).join("\n");
    expect(text).toMatch(/✗ Anthropic refused the request · 400 invalid_argument ·\s+req_\w+/);
    expect(text).toContain(
      "  messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but\n  found `tool_use`.\n",
    );
    expect(text).toContain("rule  anthropic/leading-thinking");
    expect(text).toContain(
      "fix   /retry fix   send this turn with thinking off; the receipt will say so",
    );
    expect(text).toContain("/lint        every problem in this conversation");
    await chat.sees(/❯ the weather\?\n.*\? for keys/);
    chat.type("/retry fix\r");
    await chat.sees(/Sunny\.\n(?:.*\n)*❯\n.*\? for keys/);
    expect(JSON.stringify(chat.emulator.journal().at(-1)?.body)).not.toContain("budget_tokens");
    expect(await chat.leave()).toBe(0);
  });

  test("a slash begins a command in place of an unsent message, which then comes back", async () => {
    const chat = startChat({
      settings: { repair: false },
      scripts: [script({ text: "weather" }, [fails(refusal)], [says("Sunny.")])],
    });
    await chat.sees("? for keys");
    chat.type("the weather?\r");
    await chat.sees("Enter sends it again, / begins a command.");
    chat.type("/lev");
    await chat.sees(/❯ \/lev\n/);
    chat.type("\u007f".repeat(4));
    await chat.sees(/❯ the weather\?\n.*\? for keys/);
    chat.type("/level high\r");
    await chat.sees(/Thinking: .*high[^❯]*❯ the weather\?\n.*\? for keys/);
    chat.type("\r");
    await chat.sees(/Sunny\.\n(?:.*\n)*❯\n.*\? for keys/);
    expect(await chat.leave()).toBe(0);
  });

  test("a slash typed into a message that was changed or moved about in is a slash", async () => {
    const chat = startChat({
      settings: { repair: false },
      scripts: [script({ text: "weather" }, [fails(refusal), says("Sunny.")])],
    });
    await chat.sees("? for keys");
    chat.type("the weather?\r");
    await chat.sees("Enter sends it again, / begins a command.");
    chat.type("\u001b[D/");
    await chat.sees("❯ the weather/?");
    chat.type("\u0003");
    await chat.losesSight("❯ the weather/?");
    chat.type("/level high\r");
    await chat.sees(/Thinking: .*high[^❯]*❯\n.*\? for keys/);
    expect(await chat.leave()).toBe(0);
  });

  test("promise 7: with repair on, the same refusal is repaired, and the answer says so", async () => {
    const chat = startChat({
      model: "claude-sonnet-4-5",
      scripts: [script({ text: "weather" }, [fails(refusal)], [says("Sunny.")])],
    });
    await chat.say("the weather?");
    await chat.sees("⚠ repaired:");
    chat.type("\u000f");
    const text = (await chat.sees("receipt · answer 1")).join("\n");
    expect(text).toContain("(anthropic/leading-thinking)");
    expect(await chat.leave()).toBe(0);
  });

  test("an adjusted answer ends with one line; ^O opens the receipt", async () => {
    const chat = startChat({
      level: "none",
      scripts: [script({ text: "hello" }, [thinks("Hm."), says("Hello.")])],
    });
    await chat.say("hello");
    await chat.sees("⚠ asked none, got low: this model cannot turn thinking off · ^O");
    chat.type("\u000f");
    const text = (await chat.sees("total")).join("\n");
    for (const line of [
      /receipt · answer 1 · claude-opus-5-5 · simulated ·/,
      /^ {2}asked {5}none$/m,
      /^ {2}applied {3}low {10,}\S/m,
      /^ {2}sent {6}thinking \{"type":"adaptive","display":"summarized"\}$/m,
      /^ {12}output_config \{"effort":"low"\}$/m,
      /^ {2}room {6}answer [\d,]+ · thinking [\d,]+ more, one cap of [\d,]+$/m,
      /^ {2}shown {5}summary {10,}repaired {2}nothing$/m,
      /^ {2}tokens {4}in \d+ · thinking \d+ reported · out \d+$/m,
      /^ {2}cost {6}\$\d\.\d{4} · first token \d\.\d s · .*total \d\.\d s$/m,
    ])
      expect(text).toMatch(line);
    expect(await chat.leave()).toBe(0);
  });

  test("an answer sent as asked prints no such line", async () => {
    const chat = startChat({ scripts: [script({ text: "hello" }, [says("Hello.")])] });
    const lines = await chat.say("hello");
    expect(lines.join("\n")).not.toContain("⚠");
    expect(await chat.leave()).toBe(0);
  });

  test.each([
    ["/mdoel x", "✗ Unknown command /mdoel. Did you mean /model? /help lists them."],
    ["/thinking", "✗ Unknown command /thinking. Did you mean /think? /help lists them."],
    ["/ex a.md", "✗ /ex can be /export or /exit."],
    ["/receipt", "✗ There is no answer yet."],
    ["/k set openai word", "✗ /keys takes 2 words at most, not 3."],
    ["/keys stored", '✗ Unknown word "stored". /keys [list | set PROVIDER | remove PROVIDER]'],
    ["/plan clade-3-opus", "  claude-3-opus?"],
    ["/lint nobody", '✗ No provider is known for the model "nobody". /model lists the models.'],
    [
      "/level hgh",
      '✗ Unknown level "hgh". Levels: auto none min low med high max\n  Did you mean high?',
    ],
    ["/new what is love", "✗ /new takes no words. Send it alone: /new"],
    ["/exit now", "✗ /exit takes no words. Send it alone: /exit"],
    ["/help forks", "✗ Unknown command /forks. Did you mean /fork? /help lists them."],
    ["/help /co", "  /cost  the ledger of this conversation"],
    ["/keys set nobody", '✗ Unknown provider "nobody".'],
    ["/model claude-opsu-5-5/high", "claude-opsu-5-5 is not in the catalogue"],
    ["/file no-such-file", "✗ There is no file"],
    ["/think sometimes", "✗ /think sometimes: say peek, full, hide, or the number of an answer."],
    ["/resume nothing", "✗ There is no conversation yet."],
  ])("bad input: %s gets one clear sentence", async (line, expected) => {
    const chat = startChat();
    await chat.sees("? for keys");
    await chat.say(line);
    const lines = await chat.sees(expected);
    expect(lines.join("\n")).not.toContain("stays simulated");
    expect(await chat.leave()).toBe(0);
  });

  test.each(["/quit", "/q", "exit", "quit"])("%s leaves, as people know it", async (line) => {
    const chat = startChat();
    await chat.sees("? for keys");
    chat.type(`${line}\r`);
    expect(await chat.code).toBe(0);
    expect(chat.emulator.journal()).toEqual([]);
  });

  test("P-E8: a stream that breaks: what came stays, and the question can be asked again", async () => {
    const chat = startChat({
      scripts: [
        script({ text: "hello" }, [says("Half an answer of two."), cuts()], [says("Whole.")]),
      ],
    });
    await chat.sees("? for keys");
    chat.type("hello\r");
    await chat.sees(/✗ The answer of Anthropic broke off · network · req_\w+\n/);
    await chat.sees("Half an");
    await chat.sees("/retry       the same question again");
    chat.type("/retry\r");
    await chat.sees("Whole.");
    expect(await chat.leave()).toBe(0);
  });

  test("in a narrow window commands and paths to copy stay in one piece", async () => {
    const chat = startChat({ columns: 40, rows: 40 });
    await chat.sees("(simulated) · med"); // a narrow status line has no room for "? for keys"
    await chat.sees("\n  Real model\n  export ANTHROPIC_API_KEY=…   (or\n");
    chat.type("/file a-folder-that-is-not-there/and-a-file-in-it.json\r");
    const text = (await chat.sees("✗")).join("\n");
    expect(text.replaceAll("\n", "")).toContain("and-a-file-in-it.json");
    expect(await chat.leave()).toBe(0);
  });
});

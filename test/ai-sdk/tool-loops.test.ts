import {
  calls,
  emulate,
  redacts,
  says,
  script,
  thinks,
  type Action,
  type Emulator,
} from "@mull/emulator";
import type { ModelMessage } from "ai";
import { describe, expect, test } from "vitest";
import { versions } from "./versions.ts";

const refs = [
  "claude-sonnet-4-5/med",
  "claude-opus-5-5/med",
  "gpt-6-sol/med",
  "openai-chat:gpt-5.1/med",
  "gemini-3.8-flash/med",
];

const oneOfEachWire = refs.filter((ref) => !ref.startsWith("claude-opus"));

const questions = [
  "okay - what's going on in the markets today?",
  "And what about crypto specifically?",
  "What is the latest news on ethereum?",
];

/** Healing would hide a request that was wrong. */
const settings = (fetch: Emulator) => ({ fetch, apiKey: "test", heal: "fail" as const });

const refusalsOf = (emulator: Emulator): readonly unknown[] =>
  emulator.journal().filter((entry) => entry.status >= 400);

const bodiesOf = (emulator: Emulator): readonly string[] =>
  emulator.journal().map(({ body }) => JSON.stringify(body));

const ask = (text: string): ModelMessage => ({ role: "user", content: text });

const lookUp = (query: string): Action[] => [thinks("Well."), calls("searchWeb", { query })];

describe.each(versions)("$name", ({ answer }) => {
  test.each(refs)("P-J6 a three-turn thinking tool loop of %s is taken", async (ref) => {
    const emulator = emulate();
    const messages: ModelMessage[] = [];
    for (const text of questions) {
      messages.push(ask(text));
      const result = await answer({ settings: settings(emulator), refs: [ref], messages });
      expect(result.steps.some(({ toolCalls }) => toolCalls.length > 0)).toBe(true);
      expect(result.text).toContain("stocks closed mixed");
      messages.push(...result.messages);
    }
    expect(refusalsOf(emulator)).toEqual([]);
  });

  test.each(oneOfEachWire)("R36 the loop of %s goes through every wire and back", async (ref) => {
    const emulator = emulate({
      scripts: [script({}, ...["a", "b", "c", "d"].map(lookUp), [thinks("So."), says("Done.")])],
    });
    const at = oneOfEachWire.indexOf(ref);
    const inTurn = [...oneOfEachWire.slice(at), ...oneOfEachWire.slice(0, at), ref];
    const messages = [ask("Look it up.")];
    const result = await answer({ settings: settings(emulator), refs: inTurn, messages });
    expect(result.text).toBe("Done.");
    // And the next question, out of a database, to each of them.
    messages.push(...result.messages, ask("Thanks. And now?"));
    for (const next of oneOfEachWire)
      await answer({ settings: settings(emulator), refs: [next], messages });
    expect(refusalsOf(emulator)).toEqual([]);
  });

  test.each(["claude-sonnet-4-5/med", "gpt-6-sol/med", "gemini-3.8-flash/med"])(
    "R36 what %s sealed goes back to it, through a step of another model",
    async (ref) => {
      const other = ref.startsWith("gemini") ? "claude-sonnet-4-5/med" : "gemini-3.8-flash/med";
      const emulator = emulate({
        scripts: [
          script(
            {},
            [thinks("First."), calls("searchWeb", { query: "one" })],
            [thinks("Second."), calls("searchWeb", { query: "two" })],
            [says("Done.")],
          ),
        ],
      });
      const result = await answer({
        settings: settings(emulator),
        refs: [ref, other, ref],
        messages: [ask("Look it up.")],
      });
      const own = JSON.stringify(result.messages[0]);
      const [seal] =
        /(?<="(?:signature|encrypted_content|thoughtSignature)":")[^"]{20,}/.exec(own) ?? [];
      expect(seal).toBeDefined();
      const [, second, third] = bodiesOf(emulator);
      expect(second).not.toContain(seal);
      expect(third).toContain(seal);
      expect(refusalsOf(emulator)).toEqual([]);
    },
  );

  test("redacted thinking comes back as it was", async () => {
    const emulator = emulate({ scripts: [script({}, [redacts(), says("One.")], [says("Two.")])] });
    const messages = [ask("Hi.")];
    const first = await answer({
      settings: settings(emulator),
      refs: ["claude-sonnet-4-5/med"],
      messages,
    });
    messages.push(...first.messages, ask("Go on."));
    await answer({ settings: settings(emulator), refs: ["claude-sonnet-4-5/med"], messages });
    expect(bodiesOf(emulator)[1]).toContain('"redacted_thinking","data":"');
    expect(refusalsOf(emulator)).toEqual([]);
  });
});

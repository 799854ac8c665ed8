import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import { pauseAfterKeys } from "./testing/pause-after-keys.ts";
import { readKeys, type Stroke, replClock } from "./terminal.ts";

async function strokesOf(...chunks: readonly string[]): Promise<readonly Stroke[]> {
  const input = new PassThrough();
  const strokes: Stroke[] = [];
  const stop = readKeys(input, replClock, (stroke) => strokes.push(stroke));
  for (const chunk of chunks) {
    input.write(chunk);
    await pauseAfterKeys();
  }
  stop();
  return strokes;
}

const key = (name: string): Stroke => ({ type: "key", name });
const textIn = (strokes: readonly Stroke[]): string =>
  strokes.map((stroke) => (stroke.type === "key" ? `<${stroke.name}>` : stroke.text)).join("");

describe("keys", () => {
  test("a bracketed paste is one stroke, line ends made newlines, escape codes inside kept", async () => {
    const strokes = await strokesOf("\u001b[200~one\r\ntwo\rthree \u001b[31m\u001b[201~");
    expect(strokes).toEqual([{ type: "paste", text: "one\ntwo\nthree \u001b[31m" }]);
  });

  test("a line and its Enter in one read is a line and an Enter", async () => {
    expect(textIn(await strokesOf("go\r"))).toBe("go<return>");
  });

  test("an Enter inside a burst is a newline, at its end too when there was one before", async () => {
    expect(textIn(await strokesOf("one\rtwo\rthree"))).toBe("one<soft-enter>two<soft-enter>three");
    expect(textIn(await strokesOf("one\rtwo\r"))).toBe("one<soft-enter>two<soft-enter>");
  });

  test("typed at the speed of people, every Enter sends", async () => {
    expect(textIn(await strokesOf("a", "\r", "b", "\r"))).toBe("a<return>b<return>");
  });

  test.each([
    ["\u0003", "ctrl-c"],
    ["\u001b", "escape"],
    ["\n", "ctrl-j"],
    ["\u001b\r", "alt-return"],
    ["\u001b[13;2u", "alt-return"],
    ["\u001b[Z", "shift-tab"],
    ["\u001b[A", "up"],
    ["\u0014", "ctrl-t"],
    ["\u007f", "backspace"],
    ["\t", "tab"],
  ])("%j is %s", async (bytes, name) => {
    expect(await strokesOf(bytes)).toEqual([key(name)]);
  });

  test("joined emoji and accents arrive whole", async () => {
    expect(textIn(await strokesOf("né👩‍👩‍👧 日本"))).toBe("né👩‍👩‍👧 日本");
  });
});

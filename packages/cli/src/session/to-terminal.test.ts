import { describe, expect, it } from "vitest";

import { guardDrawn, guardPrinted, toTerminal } from "./to-terminal.ts";

const esc = "\u001b";
const attacks: readonly (readonly [string, string])[] = [
  ["the clipboard", `${esc}]52;c;ZXZpbA==\u0007`],
  ["the title", `${esc}]0;evil${esc}\\`],
  ["the screen", `${esc}[2J${esc}[3J`],
  ["a device string", `${esc}P+q544e${esc}\\`],
  ["an 8-bit sequence", "\u009b2J\u009d52;c;x\u009c"],
  ["hidden text", `${esc}[8mhidden${esc}[0;8m`],
  ["what the terminal is asked", `${esc}[6n${esc}[c${esc}[>q`],
  ["a row written over", "fine\b\b\b\bevil"],
  ["letters turned round", "exe.\u202Etxt"],
];

describe("a terminal is written to by us alone", () => {
  it.each(attacks)("%s", (_, attack) => {
    for (const guarded of [guardPrinted(attack), guardDrawn(attack), toTerminal(attack)]) {
      for (const mark of [esc, "\u0007", "\b", "\u009b", "\u009c", "\u009d", "\u202E"]) {
        expect(guarded).not.toContain(mark);
      }
      expect(guarded.length).toBeGreaterThanOrEqual(attack.length);
    }
  });

  it("a sequence split across writes", () => {
    const pieces = ["error: ", esc, "]52;c;", "eA==", "\u0007", esc, "[2", "J"];
    for (const guard of [guardPrinted, guardDrawn]) {
      expect(pieces.map(guard).join("")).toBe("error: ␛]52;c;eA==␇␛[2J");
    }
  });

  it("colours pass, and what the chat draws with", () => {
    const printed = `${esc}[1;31mred${esc}[0m plain\r\nnext\ttab`;
    expect(guardPrinted(printed)).toBe(printed);
    expect(guardPrinted("over\rwritten")).toBe("over␍written");
    const drawn = `${esc}[?2026h${esc}[3A\r${esc}[Ja${esc}[K${esc}[12C${esc}[?2026l${esc}[2L${esc}[M`;
    expect(guardDrawn(drawn)).toBe(drawn);
  });
});

import { describe, expect, it } from "vitest";

import { createSecretFinder } from "./find-secrets.ts";
import { createRedactor } from "./redact.ts";

const secret = "key-é/Ab1+9 😀x";
const hex = (code: number, digits: number): string => code.toString(16).padStart(digits, "0");
const units = (text: string): readonly number[] =>
  Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
const escaped = (text: string, slashes = "\\"): string =>
  units(text)
    .map((unit) => `${slashes}u${hex(unit, 4)}`)
    .join("");

const spellings: readonly (readonly [string, string])[] = [
  ["escapes of JSON", escaped(secret)],
  [
    "escapes in capitals",
    escaped(secret)
      .replaceAll(/[a-f](?=[\da-f]*)/g, (digit) => digit.toUpperCase())
      .replaceAll("\\U", "\\u"),
  ],
  ["escapes of JSON in JSON", escaped(secret, "\\\\")],
  ["one letter escaped", `k${escaped("e")}${secret.slice(2)}`],
  ["a slash escaped", secret.replace("/", String.raw`\/`) + escaped("")],
  ["percent signs", [...Buffer.from(secret)].map((byte) => `%${hex(byte, 2)}`).join("")],
  [
    "numbers of HTML",
    Array.from(secret, (letter) => `&#x${hex(letter.codePointAt(0)!, 1)};`).join(""),
  ],
];

describe("a known secret is found however it is spelled", () => {
  it.each(spellings)("%s", (_, spelled) => {
    const redactor = createRedactor({ secrets: [secret] });
    const body = `{"a":"x ${spelled} y","b":"${escaped("fine")}"}`;
    expect(redactor.text(body)).toBe(`{"a":"x REDACTED y","b":"${escaped("fine")}"}`);
  });

  it("in a megabyte of escapes, in linear time", () => {
    const finder = createSecretFinder([secret]);
    expect(finder.find(escaped("k").repeat(150_000))).toEqual([]);
  });
});

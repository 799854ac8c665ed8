import { describe, expect, it } from "vitest";
import { isCommonPassword } from "./common-passwords.ts";

describe("passwords that anyone tries first", () => {
  it.each([
    "password",
    "Password1!",
    "p4ssw0rd",
    "P@$$w0rd123",
    "12345678",
    "987654321",
    "qwertyuiop",
    "1qaz2wsx",
    "aaaaaaaa",
    "abababab",
    "iloveyou2",
    "!!letmein!!",
    "abc12345",
    "Summer2026!",
    "ann.smith1",
  ])("%s", (password) => expect(isCommonPassword(password, "ann.smith")).toBe(true));

  it.each([
    "correct horse battery staple",
    "open-sesame",
    "x9!kfT2q",
    "summer rain on tin roofs",
    "пароль-который-длинный",
    "Annapurna base camp",
  ])("not %s", (password) => expect(isCommonPassword(password, "ann")).toBe(false));
});

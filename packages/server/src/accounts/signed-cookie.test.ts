import { memoryStore } from "@mull/store";
import { describe, expect, it, vi } from "vitest";
import { cheapPasswords } from "../testing/test-server.ts";
import { openAuth, type Auth } from "./auth.ts";
import { createPasswords } from "./password.ts";
import { createCookieReader } from "./known-cookies.ts";
import { tokenIn } from "./signed-cookie.ts";

const secret = "one two three four five six seven";

const open = (): Promise<Auth> =>
  openAuth({
    store: memoryStore(),
    passwords: createPasswords(cheapPasswords),
    secret,
    isSecure: false,
    now: Date.now,
  });

const valueIn = (line: string): string => /^mull=([^;]+)/.exec(line)?.[1] ?? "";

describe("F-W22: the signature of a cookie", () => {
  it("F-W22: what the library signs is read here, encoded or not", async () => {
    const cookie = valueIn((await (await open()).signUp("ann", "correct horse")).setCookie);
    const token = cookie.split(".").at(0);
    expect(tokenIn(cookie, secret)).toBe(token);
    expect(tokenIn(decodeURIComponent(cookie), secret)).toBe(token);
    expect(tokenIn(cookie, secret.toUpperCase())).toBeUndefined();
  });

  it("F-W22: no variable of the library takes the place of the secret", async () => {
    for (const name of ["BETTER_AUTH_SECRET", "AUTH_SECRET"]) vi.stubEnv(name, "x".repeat(40));
    vi.stubEnv("BETTER_AUTH_SECRETS", `2:${"y".repeat(40)}`);
    const cookie = valueIn((await (await open()).signUp("ann", "correct horse")).setCookie);
    vi.unstubAllEnvs();
    expect(tokenIn(cookie, secret)).toBe(cookie.split(".").at(0));
  });

  it("F-W22: what is refused here is refused by the library, and ends no session", async () => {
    const auth = await open();
    const cookie = valueIn((await auth.signUp("ann", "correct horse")).setCookie);
    const [token = "", signature = ""] = cookie.split(".");
    const worthless = [
      token,
      `${token}.`,
      `${token}.${signature.slice(1)}`,
      `${token}.A${signature}`,
      `${token}.${"A".repeat(43)}%3D`,
      `${token}.%E0%A4%A`,
      `${token}.${signature}.${signature}`,
      `.${signature}`,
      "",
    ];
    for (const value of worthless) {
      expect(tokenIn(value, secret)).toBeUndefined();
      await auth.signOut(value);
      await expect(auth.changePassword(value, "correct horse", "x".repeat(9))).rejects.toThrow(
        "Sign in first.",
      );
    }
    expect(await auth.find(cookie)).toMatchObject({ name: "ann" });
  });

  it("F-W22: a cookie that is known opens nothing once its session has ended", async () => {
    const auth = await open();
    const cookie = valueIn((await auth.signUp("ann", "correct horse")).setCookie);
    for (let asked = 0; asked < 2; asked++) {
      expect(await auth.find(cookie)).toMatchObject({ name: "ann" });
    }
    await auth.signOut(cookie);
    expect(await auth.find(cookie)).toBeUndefined();
  });

  it("F-W22: cookies are told apart, whether they are known or not", async () => {
    const auth = await open();
    const names = ["ann", "bob", "eve"];
    const cookies = await Promise.all(
      names.map(async (name) => valueIn((await auth.signUp(name, "correct horse")).setCookie)),
    );
    const read = createCookieReader(secret, 2);
    const sessions = cookies.map(read);
    expect(new Set(sessions).size).toBe(3);
    expect(cookies.map(read)).toEqual(sessions);
    expect(read(`${cookies[2]}A`)).toBeUndefined();
  });
});

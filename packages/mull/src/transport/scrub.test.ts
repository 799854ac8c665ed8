import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { failureOf } from "../../../../test/loopback.ts";
import { MullError } from "../types/error.ts";
import { createScrubber } from "./failure.ts";
import { send } from "./send.ts";

const secret = "tok/en+with=odd&chars 9f8e7d";

describe("F-G4: no text that leaves carries a key", () => {
  test.each<[string, string]>([
    ["raw", secret],
    ["URL-encoded", encodeURIComponent(secret)],
    ["base64", Buffer.from(secret).toString("base64")],
    ["base64url", Buffer.from(secret).toString("base64url")],
    ["base64 behind one byte", Buffer.from(`:${secret}`).toString("base64")],
    ["base64 in basic credentials", Buffer.from(`me:${secret}`).toString("base64")],
    ["base64 in longer credentials", Buffer.from(`user:${secret}x`).toString("base64")],
  ])("%s", (_form, text) => {
    const clean = createScrubber([secret])(`before ${text} after`);
    expect(clean).toMatch(/^before .*\[redacted\].* after$/);
    expect(clean).not.toContain(text.slice(4, 16));
  });

  test("any value of six characters or more, wherever it stands", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 6, unit: "binary" }), fc.string(), (value, around) => {
        const clean = createScrubber([value])(`${around}${value}${around}`);
        fc.pre(!"[redacted]".includes(value));
        expect(clean.includes(value)).toBe(false);
      }),
    );
  });

  test("a value that quotes or breaks lines, as JSON writes it", () => {
    const odd = 'a"b\\c\nd123';
    expect(createScrubber([odd])(JSON.stringify({ odd }))).toBe('{"odd":"[redacted]"}');
  });

  const body = "x1y2".repeat(8);
  test.each([
    ["an Anthropic key", ["sk", "ant", "api03", body].join("-")],
    ["an OpenAI key", ["sk", "proj", body].join("-")],
    ["a masked OpenAI key", ["sk", "proj", `********${body}`].join("-")],
    ["a Google key", ["AI", "za", body].join("")],
    ["a Google token", ["AQ", body].join(".")],
    ["a Groq key", ["gsk", body].join("_")],
    ["a bearer token", `Bearer ${body}`],
    ["a key in a query", `https://h.test/v1?alt=sse&key=${body}&x=1`],
    ["a key header", `x-api-key: ${body}`],
    ["a quoted key header", `{"x-goog-api-key":"${body}"}`],
    ["a cookie", `set-cookie: ${body}`],
    ["a password in an address", `postgres://mull:${body}@db.test/chats`],
  ])("looks: %s", (_name, text) => {
    const clean = createScrubber([])(`Incorrect: ${text} given`);
    expect(clean).toContain("[redacted]");
    expect(clean).not.toContain(body);
    expect(clean).toMatch(/ given$/);
  });

  test("ordinary text is left alone", () => {
    const text =
      "Bearer of news: the task-runner asks for a risk-free token, key by key; max_tokens=5";
    expect(createScrubber(["x", ""])(text)).toBe(text);
  });

  test("nothing of an error that send throws shows the key, its headers or its cause", async () => {
    const key = "value-known-to-us-1234";
    const error = await failureOf(
      send(
        {
          url: `https://h.test/?key=${key}`,
          headers: { authorization: `Bearer ${key}` },
          body: key,
          secrets: [key],
          decodeError: ({ body: text }) =>
            new MullError(
              text,
              { category: "auth", code: key, fix: `do not use ${key}` },
              { cause: new Error(text) },
            ),
        },
        {
          maxAttempts: 1,
          fetch: async () => new Response(`bad key ${key}`, { status: 401 }),
        },
      ),
    );
    const everything = [error.message, error.stack, error.code, error.fix, String(error.cause)];
    expect(everything.join("\n")).not.toContain(key);
    expect(JSON.stringify(error)).not.toContain(key);
    expect(error).not.toHaveProperty("headers");
  });
});

import { describe, expect, it } from "vitest";
import { findProvider } from "mull";
import { checkAddresses, chooseUpstream, readConfig } from "./config.ts";

const emulator = (): Promise<Response> => Promise.reject(new Error("not asked"));

const simulated = (env: Readonly<Record<string, string>>): readonly (boolean | string)[] =>
  ["anthropic", "openai", "ollama"].map((id) => {
    const { isSimulated, hasKey } = chooseUpstream(env, emulator)(findProvider(id));
    return isSimulated ? "simulated" : hasKey === true;
  });

describe("who answers", () => {
  it("the emulator for everyone without a key, until one vendor has one", () => {
    expect(simulated({})).toEqual(["simulated", "simulated", "simulated"]);
    expect(simulated({ OPENAI_API_KEY: "k" })).toEqual([false, true, true]);
    expect(simulated({ ANTHROPIC_BASE_URL: "http://127.0.0.1:1" })).toEqual([true, false, true]);
    const both = { OPENAI_API_KEY: "k", MULL_SIMULATE: "1" };
    expect(simulated(both)).toEqual(["simulated", true, "simulated"]);
    expect(simulated({ GITHUB_TOKEN: "k" })[0]).toBe("simulated");
  });
});

describe("settings that would not mean what somebody wrote", () => {
  it.each(["MULL_ALLOW_REMOTE", "MULL_SECURE", "MULL_CLOSED"])(
    "%s is 1, 0 or nothing: `true` must not leave a door open without a word",
    (name) => {
      for (const wrong of ["true", "yes", "on", "2"]) {
        expect(() => readConfig({ [name]: wrong })).toThrow(`${name}: expected 1 or 0`);
      }
      const reads = ["1", "0", "", undefined].map((value) => {
        const { allowRemote, isSecure, isClosed } = readConfig({ [name]: value });
        return allowRemote || isSecure || isClosed;
      });
      expect(reads).toEqual([true, false, false, false]);
    },
  );

  it("F-D16: a shutdown takes the seconds it is given, and no word that is none", () => {
    const { leaveMs, drainMs } = readConfig({ MULL_LEAVE_SECONDS: "2.5", MULL_DRAIN_SECONDS: "0" });
    expect([leaveMs, drainMs]).toEqual([2500, 0]);
    for (const wrong of ["10s", "-1", "1e9"]) {
      expect(() => readConfig({ MULL_DRAIN_SECONDS: wrong })).toThrow(
        "MULL_DRAIN_SECONDS: expected 0 to 86400 seconds",
      );
    }
  });

  it("limits have variables of their own, and no limit is a word or nothing at all", () => {
    const { limits } = readConfig({
      MULL_TURNS_PER_USER: "2",
      MULL_DOLLARS_PER_DAY: "0.5",
      MULL_REQUESTS_PER_SECOND: "0.2",
      MULL_IMPORTS_PER_DAY: "0",
      MULL_BODY_BYTES: "1048576",
      MULL_TURNS: "",
    });
    expect(limits).toEqual({
      turnsPerUser: 2,
      dollarsPerDay: 0.5,
      requestsPerSecond: 0.2,
      importsPerDay: 0,
      bodyBytes: 1_048_576,
    });
    for (const [name, wrong, words] of [
      ["MULL_TURNS", "0", "a whole number from 1 to"],
      ["MULL_TURNS_PER_USER", "many", "a whole number from 1 to"],
      ["MULL_TOKENS_PER_DAY", "1.5", "a whole number from 0 to"],
      ["MULL_DOLLARS_PER_DAY", "-1", "a number from 0 to"],
      ["MULL_TURN_MS", "1e12", "a whole number from 1 to 2147483647"],
    ] as const) {
      expect(() => readConfig({ [name]: wrong })).toThrow(`${name}: expected ${words}`);
    }
  });

  it("R468 MULL_OTEL switches telemetry on, with content only where it says so", () => {
    const reads = [undefined, "", "0", "1", "content"].map(
      (value) => readConfig({ MULL_OTEL: value }).telemetry,
    );
    expect(reads).toEqual(["off", "off", "off", "on", "content"]);
    expect(() => readConfig({ MULL_OTEL: "true" })).toThrow("MULL_OTEL: expected 1, content or 0");
  });

  it("R528 MULL_APPROVAL says which tools ask; those that write do by default", () => {
    const reads = [undefined, "", "always", "never"].map(
      (value) => readConfig({ MULL_APPROVAL: value }).approval,
    );
    expect(reads).toEqual(["writes", "writes", "always", "never"]);
    expect(() => readConfig({ MULL_APPROVAL: "1" })).toThrow(
      "MULL_APPROVAL: expected writes, always or never",
    );
  });

  it("MULL_HOSTS is compared as browsers spell names, and takes no port or address", () => {
    expect(readConfig({ MULL_HOSTS: "Chat.Example.com, [::1]" }).hosts).toEqual([
      "chat.example.com",
      "[::1]",
    ]);
    for (const wrong of ["chat.example.com:8443", "https://chat.example.com", "a b/c", "a@b"]) {
      expect(() => readConfig({ MULL_HOSTS: wrong })).toThrow(/^MULL_HOSTS: expected host names/);
    }
  });

  it("MULL_MODEL is refused at the start, not with every question", () => {
    expect(readConfig({ MULL_MODEL: "gpt-6-sol/high" }).model).toBe("gpt-6-sol/high");
    expect(() => readConfig({ MULL_MODEL: "nope" })).toThrow(/^MULL_MODEL: .*"nope"/);
    expect(() => readConfig({ MULL_MODEL: "gpt-6-sol/extreme" })).toThrow(/^MULL_MODEL: .*extreme/);
    expect(() => readConfig({ MULL_LEVEL: "extreme" })).toThrow(/^MULL_LEVEL: .*extreme/);
    const { fallback } = readConfig({ MULL_FALLBACK: "gpt-6-sol/high, gemini-3.8-flash" });
    expect(fallback).toEqual(["gpt-6-sol/high", "gemini-3.8-flash"]);
    expect(() => readConfig({ MULL_FALLBACK: "gpt-6-sol,nope" })).toThrow(/^MULL_FALLBACK: .*nope/);
  });

  it("the address of a provider is refused at the start, not with every question", () => {
    for (const wrong of ["nonsense", "llm.example.com/v1", "localhost:8080", "https://"]) {
      const expected =
        "ANTHROPIC_BASE_URL: expected an address such as https://llm.example.com/v1.";
      expect(() => checkAddresses({ ANTHROPIC_BASE_URL: wrong })).toThrow(expected);
    }
    checkAddresses({ ANTHROPIC_BASE_URL: "http://127.0.0.1:8080", OPENAI_BASE_URL: "" });
  });

  it.each(["mysql://ann:open-sesame@db/mull", "db.internal/open-sesame", "file:open-sesame"])(
    "DATABASE_URL is a Postgres, and its password is not repeated: %s",
    (url) => {
      const expected = "DATABASE_URL: expected postgres://user:password@host/database.";
      expect(() => readConfig({ DATABASE_URL: url })).toThrow(expected);
    },
  );

  it.each(["postgres://db/mull", "postgresql://%2Fvar%2Frun/mull", "postgres:///mull?host=/run"])(
    "DATABASE_URL is taken: %s",
    (url) => expect(readConfig({ DATABASE_URL: url }).databaseUrl).toBe(url),
  );

  it.each([
    '{"files": {"command": 5}}',
    '{"files": {"command": "files", "args": "docs"}}',
    '{"files": {"command": "files", "args": [1]}}',
    '{"wiki": {"url": "wiki.example"}}',
    '{"wiki": {"url": 5}}',
    '{"wiki": {"url": "localhost:9/mcp"}}',
  ])("MULL_MCP is refused where it can start nothing: %s", (json) => {
    expect(() => readConfig({ MULL_MCP: json })).toThrow(/^MULL_MCP: expected/);
  });
});

import { describe, expect, it } from "vitest";
import { findUsage, readUsage } from "./openai-usage.ts";

describe("usage", () => {
  it("R129 R130 R131 R140 thinking is taken out of the completion it is part of", () => {
    const raw = {
      prompt_tokens: 20,
      completion_tokens: 75,
      total_tokens: 95,
      prompt_tokens_details: { cached_tokens: 8 },
      completion_tokens_details: { reasoning_tokens: 64 },
    };
    expect(readUsage(raw, false, false)).toEqual({
      input: 12,
      cacheRead: 8,
      output: 11,
      thinking: 64,
      thinkingSource: "reported",
      total: 95,
      raw,
    });
  });

  it("P-H2 thinking beside the completion is not taken out of it", () => {
    const raw = {
      prompt_tokens: 390,
      completion_tokens: 26,
      total_tokens: 513,
      completion_tokens_details: { reasoning_tokens: 97 },
    };
    expect(readUsage(raw, false, true)).toMatchObject({ output: 26, thinking: 97, total: 513 });
    const { total_tokens: _total, ...withoutTotal } = raw;
    expect(readUsage(withoutTotal, true, true)).toMatchObject({ output: 26, thinking: 97 });
    expect(readUsage(withoutTotal, false, true)).toMatchObject({
      output: 0,
      warning: "reasoning_tokens 97 exceed completion_tokens 26",
    });
  });

  it("D9 thinking that only the total knows is derived", () => {
    const raw = { prompt_tokens: 35, completion_tokens: 12, total_tokens: 109 };
    expect(readUsage(raw, false, false)).toMatchObject({
      output: 12,
      thinking: 62,
      thinkingSource: "derived",
    });
  });

  it("P-H1 a zero is not believed when thinking was shown, and absent stays absent", () => {
    const raw = {
      prompt_tokens: 1,
      completion_tokens: 2,
      total_tokens: 3,
      completion_tokens_details: { reasoning_tokens: 0 },
    };
    expect(readUsage(raw, false, true)).toEqual({
      input: 1,
      output: 2,
      total: 3,
      warning: "reasoning_tokens is 0 although thinking was shown",
      raw,
    });
    expect(readUsage(raw, false, false)).toMatchObject({ thinking: 0, output: 2 });
    expect(readUsage({}, false, false)).toEqual({ raw: {} });
  });

  it("P-H4 counts that do not add up are told", () => {
    expect(
      readUsage({ prompt_tokens: 5, completion_tokens: 5, total_tokens: 9 }, false, false).warning,
    ).toBe("total_tokens is 9, prompt and completion are 10");
    expect(
      readUsage({ prompt_tokens: 5, cached_tokens: 9, completion_tokens: -1 }, false, false),
    ).toMatchObject({
      input: 0,
      warning: "cached tokens exceed the 5 prompt tokens",
    });
    expect(readUsage({ total_tokens: 9 }, false, false).warning).toBe(
      "total_tokens is 9, prompt and completion are 0",
    );
  });

  it("D9 every server's name for the cache is known", () => {
    const names = [
      "prompt_cache_hit_tokens",
      "cached_tokens",
      "num_cached_tokens",
      "cache_read_input_tokens",
    ];
    for (const name of names)
      expect(readUsage({ prompt_tokens: 9, [name]: 4 }, false, false)).toMatchObject({
        input: 5,
        cacheRead: 4,
      });
    const written = { prompt_tokens: 9, prompt_tokens_details: { cache_write_tokens: 2 } };
    expect(readUsage(written, false, false)).toMatchObject({ input: 7, cacheWrite: 2 });
    expect(
      readUsage(
        { prompt_tokens: 9, cache_creation_input_tokens: 3, reasoning_tokens: 1 },
        false,
        false,
      ),
    ).toMatchObject({ cacheWrite: 3, thinking: 1 });
  });

  it("D9 usage is found wherever a server puts it", () => {
    const usage = { prompt_tokens: 1 };
    expect(findUsage({ usage }, undefined)).toBe(usage);
    expect(findUsage({ usage: null, x_groq: { usage } }, undefined)).toBe(usage);
    expect(findUsage({}, { usage })).toBe(usage);
    expect(findUsage({}, undefined)).toBeUndefined();
  });
});

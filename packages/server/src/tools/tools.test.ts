import { describe, expect, it } from "vitest";
import { calculate } from "./calculator.ts";
import { offlineSearch, searchWeb } from "./search-web.ts";

describe("calculator", () => {
  it.each([
    ["2 + 2", 4],
    ["2 + 3 * 4", 14],
    ["(2 + 3) * 4", 20],
    ["-2 ^ 2", -4],
    ["2 ^ 3 ^ 2", 512],
    ["2 * -3", -6],
    ["10 % 4", 2],
    ["1,234.5 * 2", 2469],
    ["sqrt(16) + pi - pi", 4],
    ["1e3 / 4", 250],
    ["7 × 6 ÷ 2", 21],
    ["2 ** 10", 1024],
    ["8 - 3 - 2", 3],
  ])("%s is %d", (expression, result) => {
    expect(calculate(expression)).toBeCloseTo(result, 10);
  });

  it.each([
    "",
    "2 +",
    "(2",
    "2 2",
    "process.exit(1)",
    "constructor",
    "__proto__",
    "1 / 0",
    "sqrt(-1)",
    "1; 2",
    "(".repeat(500),
    "-".repeat(900),
    "x".repeat(2000),
  ])("refuses %s", (expression) => {
    expect(() => calculate(expression)).toThrow(/Use numbers/);
  });
});

describe("searchWeb", () => {
  const context = { callId: "1", signal: new AbortController().signal };

  it("R249: is there, and asks the provider it was given", async () => {
    const asked: string[] = [];
    const tool = searchWeb({
      name: "probe",
      search: async (query) => {
        asked.push(query);
        return [];
      },
    });
    expect(tool.spec.name).toBe("searchWeb");
    await tool.run({ query: "bitcoin" }, context);
    expect(asked).toEqual(["bitcoin"]);
  });

  it("the stand-in knows markets, Bitcoin and Ethereum, and says what it is", async () => {
    for (const query of ["markets today", "price of Bitcoin", "ethereum", "what is going on"]) {
      const [hit] = await offlineSearch.search(query, context.signal);
      expect(hit?.text).not.toBe("");
    }
    const result = await searchWeb(offlineSearch).run({ query: "bitcoin" }, context);
    expect(result).toMatchObject({ source: expect.stringContaining("nothing was looked up") });
  });
});

import { describe, expect, it } from "vitest";
import type { Message, Model, ToolSpec } from "mull";
import type { WireRequest } from "mull/wire";

import { answer, simulatedNote, think } from "./brain.ts";
import { readQuestion, type Question } from "./question.ts";

const ask = (text: string, more: Partial<Question> = {}): Question => ({
  text,
  earlier: [],
  rounds: [],
  tools: [],
  parallel: true,
  ...more,
});

const say = (text: string, more: Partial<Question> = {}): string =>
  think(ask(text, more)).answer ?? "";

const weather: ToolSpec = {
  name: "get_weather",
  description: "Weather of a city",
  inputSchema: {
    type: "object",
    properties: { location: { type: "string" }, unit: { type: "string", enum: ["celsius"] } },
    required: ["location"],
  },
};
const searchWeb: ToolSpec = {
  name: "searchWeb",
  inputSchema: { type: "object", properties: { query: { type: "string" } }, required: ["query"] },
};

describe("the brain works out", () => {
  it.each([
    ["What is 15% of 240?", "**36**"],
    ["What is 12.5 percent of 1,000", "**125**"],
    ["30 is what percent of 120?", "**25%**"],
    ["What percentage of 50 is 10?", "**20%**"],
    ["Increase 200 by 10%", "**220**"],
    ["What is 20% off $80?", "**64**"],
    ["percentage change from 50 to 75", "**50%**"],
    ["What is 2 + 3 * 4?", "**14**"],
    ["(2 + 3) * 4 =", "**20**"],
    ["2 ^ 3 ^ 2", "**512**"],
    ["What is 7 times 6 minus 2?", "**40**"],
    ["calculate 1,234 x 2", "**2,468**"],
    ["10 / 4", "**2.5**"],
    ["-3 + 5", "**2**"],
    ["0.1 + 0.2", "**0.3**"],
    ["12 squared", "**144**"],
    ["1 / 0", "divides by zero"],
    ["Compound interest on $1,000 at 5% for 10 years", "**1,628.89**"],
    ["If I invest 1000 at 5% compounded monthly for 10 years?", "**1,647.01**"],
    ["simple interest on $200 at 3% for two years", "**212.00**"],
    ["List the first 5 primes", "**2, 3, 5, 7, 11**"],
    ["the first ten prime numbers", "**2, 3, 5, 7, 11, 13, 17, 19, 23, 29**"],
    ["primes below 12", "**2, 3, 5, 7, 11**"],
    [
      "Which primes lie between 80 and 120?",
      "between 80 and 120 are: **83, 89, 97, 101, 103, 107, 109, 113**",
    ],
    ["primes from 10 to 3", "**3, 5, 7**"],
    ["Is 91 prime?", "7 divides it"],
    ["Is 97 a prime number?", "**97 is prime**"],
    ["Hello there", "Hello"],
    ["Tell me a story", "You said"],
  ])("%s", (text, expected) => {
    expect(say(text)).toContain(expected);
  });

  it("nothing out of a date or a lone number", () => {
    expect(say("What happened on 2026-11-15?")).toContain("You said");
    expect(say("Room 101 please")).toContain("You said");
  });

  it("the same answer to the same question, always", () => {
    expect(think(ask("What is 15% of 240?"))).toEqual(think(ask("What is 15% of 240?")));
  });
});

describe("the brain remembers", () => {
  const earlier = [
    { asked: "What is 15% of 240?", answered: `15% of 240 is **36**.\n\n${simulatedNote}` },
  ];

  it.each([
    ["And 20%?", "**48**"],
    ["What about 50 percent?", "**120**"],
    ["Double that", "**72**"],
    ["add 4 to it", "**40**"],
    ["Half of that?", "**18**"],
    ["What was my first question?", "15% of 240"],
    ["What did I just ask?", "15% of 240"],
    ["What is my name?", "not told me"],
  ])("%s", (text, expected) => {
    expect(say(text, { earlier })).toContain(expected);
  });

  it("a name told earlier", () => {
    expect(
      say("What is my name?", { earlier: [{ asked: "My name is Ada.", answered: "Hi" }] }),
    ).toContain("**Ada**");
  });
});

const find = (query: string, text: string) => ({
  name: "searchWeb",
  input: { query },
  output: JSON.stringify({
    source: "a shelf",
    results: [{ title: "x", url: "https://example.com", text }],
  }),
  isError: false,
});

it("the brain answers the last question where the answer before it was stopped", () => {
  const texts = ["Compound interest on $1,000 at 5% for 10 years", "What is 2 + 2?"];
  const parts = texts.map((text) => ({ type: "text" as const, text }));
  const asked = readQuestion(request({ messages: [{ role: "user", parts }] }));
  expect(think(asked).answer).toContain("**4**");
  const again = [...parts, { type: "text" as const, text: "Read them." }];
  const recalled = readQuestion(request({ messages: [{ role: "user", parts: again }] }));
  expect(think(recalled).answer).toContain('Before that you asked: "What is 2 + 2?"');
});

describe("the brain uses tools", () => {
  it("one for the weather of one place", () => {
    expect(think(ask("What is the weather in Oslo?", { tools: [weather] })).calls).toEqual([
      { name: "get_weather", input: { location: "Oslo" } },
    ]);
  });

  it("in parallel for a comparison, one by one where parallel calls are off", () => {
    const tools = [weather];
    const both = think(ask("Compare the weather in Oslo and New York", { tools }));
    expect(both.calls?.map((call) => call.input)).toEqual([
      { location: "Oslo" },
      { location: "New York" },
    ]);
    expect(
      think(ask("Compare the weather in Oslo and New York", { tools, parallel: false })).calls,
    ).toHaveLength(1);
  });

  it("of a long text only what is asked at its end", () => {
    const page = "Today the market moved, as the news said. ".repeat(100);
    const tools = [weather, searchWeb];
    expect(think(ask(`${page}\nSummarise it.`, { tools })).calls).toBeUndefined();
    expect(think(ask(`${page}\nWhat is the latest news?\n`, { tools })).calls).toEqual([
      { name: "searchWeb", input: { query: "What is the latest news" } },
    ]);
    const [call] = think(ask(page, { tools })).calls ?? [];
    expect(JSON.stringify(call?.input).length).toBeLessThan(400);
  });

  it("searchWeb for markets and the web", () => {
    const tools = [weather, searchWeb];
    expect(think(ask("How is the stock market today?", { tools })).calls).toEqual([
      { name: "searchWeb", input: { query: "How is the stock market today" } },
    ]);
    expect(
      think(ask("Compare the price of gold and the price of silver", { tools })).calls,
    ).toHaveLength(2);
  });

  it("step by step where the question says then", () => {
    const tools = [weather, searchWeb];
    const text = "Search the web for the latest ski news, then check the weather in Oslo";
    expect(think(ask(text, { tools })).calls?.[0]?.name).toBe("searchWeb");
    const rounds = [
      [{ name: "searchWeb", input: { query: "x" }, output: "Snow!", isError: false }],
    ];
    expect(think(ask(text, { tools, rounds })).calls?.[0]?.name).toBe("get_weather");
  });

  it("and lists what a search found as links", () => {
    const found = {
      source: "a shelf",
      results: [{ title: "Markets", url: "https://example.com/m", text: "Stocks rose." }],
    };
    const done = {
      name: "searchWeb",
      input: { query: "markets" },
      output: JSON.stringify(found),
      isError: false,
    };
    const said = say("How are the markets?", { tools: [searchWeb], rounds: [[done]] });
    expect(said).toContain(
      "I searched for “markets” and found:\n\n- [Markets](https://example.com/m): Stocks rose.\n\nSource: a shelf.",
    );
    expect(said).not.toContain("title");
  });

  it("and compares what two searches found", () => {
    const rounds = [
      [find("the price of gold", "It is 4,010 dollars."), find("tin", "37 dollars.")],
    ];
    const said = say("Compare gold and tin", { tools: [searchWeb], rounds });
    expect(said).toContain("**The price of gold**\n\n- [x](https://example.com): It is 4,010");
    expect(said.match(/Source: a shelf/g)).toHaveLength(1);
    expect(said).toContain("The price of gold is highest with 4,010, tin lowest with 37.");
  });

  it.each([
    ["okay - what's going on in the markets today?", "what's going on in the markets today"],
    ["And crypto?", "crypto"],
    ["and what about crypto?", "crypto"],
    ["Tell me about markets today", "markets today"],
    ["What is the weather in Oslo?", "What is the weather in Oslo"],
  ])("searches for what is asked, without the words around it: %s", (text, query) => {
    expect(think(ask(text, { tools: [searchWeb] })).calls?.[0]?.input).toEqual({ query });
  });

  it("and answers from their results, errors included", () => {
    const rounds = [
      [
        {
          name: "get_weather",
          input: { location: "Oslo" },
          output: '{"temp_c":4}',
          isError: false,
        },
        {
          name: "get_weather",
          input: { location: "Rome" },
          output: '{"temp_c":19}',
          isError: false,
        },
        { name: "get_weather", input: { location: "Bonn" }, output: "no data", isError: true },
      ],
    ];
    const said = say("Compare the weather in Oslo, Rome and Bonn", { tools: [weather], rounds });
    expect(said).toContain("Oslo: temp c 4.");
    expect(said).toContain("Rome is warmest with 19, Oslo coldest with 4.");
    expect(said).toContain("Bonn: the tool failed (no data).");
  });

  it("when it must, and the one it must", () => {
    const tools = [weather, searchWeb];
    expect(think(ask("Hello", { tools, mustCall: "any" })).calls).toHaveLength(1);
    expect(think(ask("Hello", { tools, mustCall: "searchWeb" })).calls?.[0]?.name).toBe(
      "searchWeb",
    );
  });

  it.each(['{"output":{"temp_c":4}}', '{"name":"get_weather","content":{"temp_c":4}}'])(
    "and reads what clients wrap: %s",
    (output) => {
      const done = { name: "get_weather", input: { location: "Oslo" }, output, isError: false };
      const said = say("Weather in Oslo?", { tools: [weather], rounds: [[done]] });
      expect(said).toContain("Oslo: temp c 4.");
    },
  );

  it("that the user names, with the numbers given", () => {
    const add: ToolSpec = {
      name: "add_numbers",
      inputSchema: {
        type: "object",
        properties: { a: { type: "number" }, b: { type: "number" } },
        required: ["a", "b"],
      },
    };
    expect(think(ask("Use add_numbers on 2 and 3", { tools: [add] })).calls).toEqual([
      { name: "add_numbers", input: { a: 2, b: 3 } },
    ]);
  });

  it("with the sum alone where a calculator is asked for", () => {
    const calculator = {
      name: "calculator",
      inputSchema: { type: "object", properties: { expression: { type: "string" } } },
    };
    const text = "Use the calculator for 23 * 47.";
    expect(think(ask(text, { tools: [calculator] })).calls).toEqual([
      { name: "calculator", input: { expression: "23 * 47" } },
    ]);
  });

  it("that were declared in a form the reader kept as it was", () => {
    const declared = { name: "get_weather", parameters: weather.inputSchema };
    const forms = [
      { type: "function", ...declared },
      { type: "function", function: declared },
      { functionDeclarations: [declared] },
    ];
    for (const fields of forms) {
      const asked = request({ tools: [{ vendor: { wire: "openai-responses", fields } }] });
      expect(readQuestion(asked).tools.map((spec) => spec.inputSchema)).toEqual([
        weather.inputSchema,
      ]);
    }
    const vendor = { wire: "openai-responses", fields: { type: "web_search", name: "x" } } as const;
    expect(readQuestion(request({ tools: [{ vendor }] })).tools).toEqual([]);
  });

  it.each([
    ["And 12 * 12?", "**144**"],
    ["and 15% of 200?", "**30**"],
    ["And 12?", "12 * 47 = **564**"],
  ])("a follow-up that is whole stands alone: %s", (text, said) => {
    const earlier = [{ asked: "What is 23 * 47?", answered: "23 * 47 = **1,081**." }];
    expect(think(ask(text, { earlier })).answer).toContain(said);
  });

  it("for a follow-up that names another place", () => {
    const earlier = [{ asked: "What is the weather in Oslo?", answered: "Cold." }];
    expect(think(ask("And in Bergen?", { tools: [weather], earlier })).calls).toEqual([
      { name: "get_weather", input: { location: "Bergen" } },
    ]);
  });
});

const model: Model = {
  id: "claude-opus-5-5",
  provider: "anthropic",
  wire: "anthropic-messages",
  thinking: { kind: "effort", efforts: ["low", "medium", "high", "xhigh", "max"], off: "never" },
  shows: "summary",
  sampling: "fixed",
  toolChoice: "auto-only",
  replay: "sealed",
  status: "current",
};

const request = (more: Partial<WireRequest>): WireRequest => ({
  model: model.id,
  messages: [{ role: "user", parts: [{ type: "text", text: "What is 15% of 240?" }] }],
  thinking: { type: "effort", effort: "low" },
  show: "auto",
  stream: false,
  ...more,
});

describe("the brain thinks", () => {
  it("longer with every level, and not at all when off", () => {
    const lengths = (["low", "medium", "high", "xhigh", "max"] as const).map((effort) => {
      const { parts } = answer(request({ thinking: { type: "effort", effort } }), model, {
        betweenTools: true,
      });
      return parts[0]?.type === "thinking" ? parts[0].text.length : 0;
    });
    expect(lengths).toEqual(lengths.toSorted((a, b) => a - b));
    expect(new Set(lengths).size).toBe(5);
    const off = answer(request({ thinking: { type: "off", form: "disabled" } }), model, {
      betweenTools: true,
    });
    expect(off.parts.map((part) => part.type)).toEqual(["text"]);
  });

  it("and says that it is simulated", () => {
    const { parts } = answer(request({}), model, { betweenTools: true });
    expect(parts.at(-1)).toMatchObject({
      type: "text",
      text: expect.stringContaining(simulatedNote),
    });
  });

  it("between tool calls only where the model does", () => {
    const messages: readonly Message[] = [
      { role: "user", parts: [{ type: "text", text: "What is the weather in Oslo?" }] },
      {
        role: "assistant",
        parts: [{ type: "tool-call", id: "t1", name: "get_weather", input: { location: "Oslo" } }],
      },
      {
        role: "tool",
        parts: [{ type: "tool-result", callId: "t1", name: "get_weather", output: "4 degrees" }],
      },
    ];
    const asked = request({ messages, tools: [weather] });
    const kinds = (betweenTools: boolean): readonly string[] =>
      answer(asked, model, { betweenTools }).parts.map((part) => part.type);
    expect(kinds(true)).toEqual(["thinking", "text"]);
    expect(kinds(false)).toEqual(["text"]);
    expect(readQuestion(asked).rounds[0]?.[0]?.input).toEqual({ location: "Oslo" });
  });

  it("in the shape a schema asks for", () => {
    const output = {
      schema: {
        type: "object",
        properties: {
          answer: { type: "number" },
          unit: { enum: ["none", "percent"] },
          why: { type: "string" },
          tags: { type: "array", items: { $ref: "#/$defs/tag" }, minItems: 2 },
          when: { anyOf: [{ type: "null" }, { type: "string", format: "date" }] },
        },
        required: ["answer", "unit", "why", "tags", "when"],
        $defs: { tag: { type: "string", maxLength: 5 } },
      },
    };
    const { parts } = answer(request({ output }), model, { betweenTools: true });
    const text = parts.at(-1)?.type === "text" ? (parts.at(-1) as { text: string }).text : "";
    expect(JSON.parse(text)).toMatchObject({ answer: 36, unit: "none", when: "2026-11-15" });
    expect(text).toContain("simulated");
  });
});

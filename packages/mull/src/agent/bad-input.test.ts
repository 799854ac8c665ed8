import { describe, expect, test } from "vitest";
import { chat } from "../chat/ask.ts";
import { History } from "../history/history.ts";
import type { UserMessage, UserPart } from "../types/message.ts";
import type { ChatRequest } from "../types/request.ts";
import type { StandardSchema } from "../types/standard-schema.ts";
import { Agent } from "./agent.ts";
import type { AgentOptions } from "./options.ts";
import { tool } from "./tool.ts";

/** Whatever JavaScript lets through where the types do not. */
const wrong = (value: unknown): never => value as never;

const agent = (options: AgentOptions = {}): Agent =>
  new Agent("claude-opus-5-5", { apiKey: "k", env: {}, fetch, maxAttempts: 1, ...options });

const fetch = (): Promise<Response> => Promise.reject(new Error("nothing may be sent"));

const thrownBy = async (run: () => unknown): Promise<unknown> => {
  try {
    await run();
  } catch (error) {
    return error;
  }
  return "nothing was thrown";
};

const said: UserMessage = { role: "user", parts: [{ type: "text", text: "hi" }] };
const saved = JSON.stringify(History.empty);

describe("R7 R9 wrong values are refused in words, before anything is sent", () => {
  test.each<[string, () => unknown, string, string]>([
    ["no model", () => new Agent(wrong(undefined)), "model", "a ref such as claude-opus-5-5/high"],
    ["null for a model", () => new Agent(wrong(null)), "model", "a ref such as"],
    ["a target without a provider", () => new Agent(wrong({ model: "x" })), "model", "provider"],
    ["use of nothing", () => agent().use(wrong(undefined)), "model", "a ref such as"],
    ["use of a number", () => agent().use(wrong(42)), "model", "a ref such as"],
    ["no question", () => agent().send(wrong(undefined)), "input", "a string"],
    ["a number for a question", () => agent().send(wrong(5)), "input", "a string"],
    [
      "parsed JSON for a history",
      () => new Agent("gpt-6-sol", { history: JSON.parse(saved) }),
      "history",
      "History.parse(saved)",
    ],
    [
      "a list for a history",
      () => (agent().history = wrong([])),
      "history",
      "History.parse(saved)",
    ],
    [
      "tools in another library's form",
      () => agent({ tools: wrong([{ name: "f", parameters: {} }]) }),
      "tools[0]",
      "what tool() returns",
    ],
    ["tools by name", () => agent({ tools: wrong({ f: {} }) }), "tools", "a list of tools"],
    ["a tool that does nothing", () => tool(wrong({ name: "f" })), "tool f run", "a function"],
    [
      "another library's messages",
      () => agent().send(wrong([{ role: "user", content: "Hello" }])),
      "input",
      'a string or at least one part, such as { type: "text", text: "…" }',
    ],
    [
      "a schema beside its field",
      () => chat("gpt-6-sol", wrong({ messages: [said], output: { type: "object" } }), { fetch }),
      "output.schema",
      "output: { schema: a JSON Schema }",
    ],
    [
      "no output",
      () => chat("gpt-6-sol", wrong({ messages: [said], output: null }), { fetch }),
      "output.schema",
      "output: { schema: a JSON Schema }",
    ],
    [
      "a header that isn't a name",
      () => chat("gpt-6-sol", { messages: [said] }, { fetch, headers: { "x y": "1" } }),
      "headers",
      "letters, digits and dashes",
    ],
    [
      "messages in another library's form",
      () => chat("gpt-6-sol", wrong({ messages: [{ role: "user", content: "hi" }] }), { fetch }),
      "messages[0].parts",
      "parts",
    ],
    [
      "texts for messages",
      () => chat("gpt-6-sol", wrong({ messages: ["hi"] }), { fetch }),
      "messages[0]",
      "parts",
    ],
  ])("%s", async (_name, run, field, allowed) => {
    const error = await thrownBy(run);
    expect(error).toMatchObject({ isMullError: true, category: "invalid_argument", field });
    expect(String(error)).toContain(allowed);
  });

  test("a hole in a list of parts is refused too", async () => {
    const parts: readonly UserPart[] = [wrong(undefined)];
    expect(await thrownBy(() => agent().send(parts))).toMatchObject({ isMullError: true });
  });
});

test("R9 an option that is undefined is absent, also to strict types", async () => {
  const unset: undefined = undefined;
  const asked = new Agent("gpt-6-sol/low", {
    apiKey: unset,
    baseUrl: unset,
    headers: unset,
    env: unset,
    fetch: () => Promise.resolve(new Response("{}", { status: 400 })),
  });
  expect(asked.use({ model: unset, level: unset }).target).toMatchObject({
    level: "low",
    model: { id: "gpt-6-sol" },
  });
  expect(await thrownBy(() => asked.send("hi", { signal: unset }))).toMatchObject({ status: 400 });
});

const standard = (input: () => unknown): StandardSchema => ({
  "~standard": { validate: (value) => ({ value }), jsonSchema: { input } },
});

describe("schemas are plain JSON", () => {
  const text = { type: "string" };
  const name = { type: "object", properties: { first: text, last: text } };
  const closed = { additionalProperties: false, required: ["first", "last"] };
  const messages: ChatRequest["messages"] = [
    { role: "user", parts: [{ type: "text", text: "hi" }] },
  ];

  const sent = async (request: Partial<ChatRequest>): Promise<unknown> => {
    let body: unknown;
    const error = await thrownBy(() =>
      chat(
        "gpt-6-sol",
        { messages, ...request },
        {
          apiKey: "k",
          maxAttempts: 1,
          fetch: (_url, init) => {
            body = JSON.parse(typeof init?.body === "string" ? init.body : "{}");
            return Promise.resolve(new Response("{}", { status: 400 }));
          },
        },
      ),
    );
    return body ?? error;
  };

  test("one object in two places is no cycle", async () => {
    const schema = { type: "object", properties: { author: name, editor: name } };
    expect(await sent({ output: { schema } })).toMatchObject({
      text: { format: { schema: { required: ["author", "editor"] } } },
    });
    expect(await sent({ tools: [{ name: "find", inputSchema: schema }] })).toMatchObject({
      tools: [{ parameters: schema }],
    });
  });

  test("a Standard Schema writes its own, and is refused in words where it cannot", async () => {
    expect(await sent({ output: { name: "who", schema: standard(() => name) } })).toMatchObject({
      text: { format: { name: "who", schema: closed } },
    });
    const written = Object.defineProperty({ $schema: "draft-7", ...name }, "~standard", {
      value: standard(() => text)["~standard"],
    });
    expect(await sent({ output: { schema: written } })).toMatchObject({
      text: { format: { schema: closed } },
    });
    const dated = standard(() => {
      throw new Error("Date cannot be represented");
    });
    for (const schema of [dated, standard(() => 5), standard(() => undefined)]) {
      const refused = { category: "invalid_argument", field: "output.schema" };
      expect(await sent({ output: { schema } })).toMatchObject(refused);
    }
  });

  test("a cycle is refused, and so is what no wire can carry", async () => {
    const round: { self?: unknown } = {};
    round.self = { round };
    let deep = {};
    for (let level = 0; level < 10_000; level++) deep = { deep };
    for (const schema of [round, deep, { run: () => 1 }, { big: 1n }]) {
      const refused = { category: "invalid_argument", field: "output.schema" };
      expect(await sent({ output: { schema: wrong(schema) } })).toMatchObject(refused);
    }
  });
});

describe("a choice among tools", () => {
  const look = tool({ name: "look", run: () => "" });
  const refusal = (toolChoice: unknown, tools: AgentOptions["tools"] = [look]): Promise<unknown> =>
    thrownBy(() => agent({ tools, toolChoice: wrong(toolChoice) }).send("hi"));

  test.each([{ tool: "lok" }, "any", "look", null])("%j is none there is", async (choice) => {
    const error = await refusal(choice);
    expect(error).toMatchObject({ category: "invalid_argument", field: "toolChoice" });
    expect(String(error)).toContain('auto none required {"tool":"look"}');
  });

  test("without tools there is nothing to make a model call; a vendor knows its own", async () => {
    expect(await refusal({ tool: "look" }, [])).toMatchObject({ field: "toolChoice" });
    const search = {
      vendor: { wire: "anthropic-messages", fields: { name: "web_search" } },
    } as const;
    expect(await refusal({ tool: "web_search" }, [look, search])).not.toHaveProperty(
      "field",
      "toolChoice",
    );
  });
});

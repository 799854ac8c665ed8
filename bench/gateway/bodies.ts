import type { JsonObject } from "mull";

const model = "claude-opus-5-5";

const ask = (content: string): JsonObject => ({ role: "user", content });

const small: JsonObject = {
  model,
  max_tokens: 4096,
  stream: true,
  messages: [ask("What is 23 * 47?")],
};

/** Prose of about this many characters. */
const prose = (length: number): string =>
  "Read a file before you change it, and say what you found. ".repeat(Math.ceil(length / 58));

/** A coding agent's tool: a page of advice and a small schema. */
const tool = (at: number): JsonObject => ({
  name: `Tool${at}`,
  description: prose(1700),
  input_schema: {
    $schema: "http://json-schema.org/draft-07/schema#",
    type: "object",
    properties: {
      path: { type: "string", description: "The absolute path of the file" },
      limit: { type: "number", description: "How many lines to read" },
      mode: { type: "string", enum: ["content", "count", "files"], description: prose(80) },
    },
    required: ["path"],
    additionalProperties: false,
  },
});

const cached = { cache_control: { type: "ephemeral" } };

/** What Claude Code sends with its first question: a long system prompt and many tools. */
const agent: JsonObject = {
  ...small,
  max_tokens: 32_000,
  metadata: { user_id: "user_bench_account__session_0f1e2d3c-bench" },
  thinking: { type: "adaptive" },
  output_config: { effort: "high" },
  system: [
    { type: "text", text: "You are a coding agent in a terminal." },
    { type: "text", text: prose(13_000), ...cached },
  ],
  tools: Array.from({ length: 14 }, (_, at) => tool(at)),
  messages: [
    {
      role: "user",
      content: [
        { type: "text", text: prose(900) },
        { type: "text", text: "Hello", ...cached },
      ],
    },
  ],
};

/** A tool call and its result, about 3 KB together. */
const step = (at: number): readonly JsonObject[] => [
  {
    role: "assistant",
    content: [
      { type: "text", text: `Step ${at}.` },
      {
        type: "tool_use",
        id: `toolu_bench${at}`,
        name: `Tool${at % 14}`,
        input: { path: `/src/file-${at}.ts`, limit: 200 },
      },
    ],
  },
  {
    role: "user",
    content: [{ type: "tool_result", tool_use_id: `toolu_bench${at}`, content: prose(2700) }],
  },
];

/** The same conversation after a long day. */
const long: JsonObject = {
  ...agent,
  messages: [
    ask("Tidy up this project."),
    ...Array.from({ length: 151 }, (_, at) => step(at)).flat(),
  ],
};

/** Requests to Anthropic as clients write them. */
export const bodies = {
  small: JSON.stringify(small),
  agent: JSON.stringify(agent),
  long: JSON.stringify(long),
} as const;

import { levels } from "./frame/levels.ts";
import type { Command, OptionTable } from "./frame/command.ts";
import { toolNames } from "./frame/tool-names.ts";
import { wireNames } from "./frame/wire-names.ts";

const json = { type: "boolean", help: "one JSON value on one line" } as const;
const wire = {
  type: "string",
  value: "WIRE",
  help: `the HTTP format: ${wireNames.join(", ")}`,
} as const;
const batch = {
  type: "string",
  value: "FILE.jsonl",
  help: "one envelope with an `id` a line in, one JSON line each out; `-` is stdin",
} as const;
const filter = { type: "string", value: "WORD", help: "only what has this word in it" } as const;
const maxOutput = {
  type: "string",
  value: "TOKENS",
  help: "room of the answer; thinking comes on top",
} as const;
const thinkingBudget = {
  type: "string",
  value: "TOKENS",
  help: "tokens for thinking instead of the level's",
} as const;

/** Asking is what the command does when no other word is given. */
export const askOptions: OptionTable = {
  model: { type: "string", short: "m", value: "REF", help: "[provider:]name[/level]" },
  level: { type: "string", short: "l", value: "LEVEL", help: levels.join(" ") },
  system: { type: "string", short: "s", value: "TEXT", help: "system prompt" },
  file: {
    type: "string",
    short: "f",
    value: "FILE",
    many: true,
    help: "put a file before the question",
  },
  tool: {
    type: "string",
    short: "t",
    value: "TOOL",
    many: true,
    help: `let the model use a tool: ${toolNames.join(" ")}`,
  },
  continue: { type: "boolean", short: "c", help: "go on with the last conversation" },
  resume: {
    type: "string",
    short: "r",
    value: "NAME|ID",
    optionalValue: true,
    help: "go on with this conversation",
  },
  "hide-thinking": { type: "boolean", short: "R", help: "do not show thinking; the dial stays" },
  quiet: { type: "boolean", short: "q", help: "no thinking, no notes" },
  interactive: { type: "boolean", short: "i", help: "stay and chat after the answer" },
  json: { type: "boolean", help: "one JSON object at the end, on failure too" },
  jsonl: { type: "boolean", help: "one JSON event a line as it happens, the object last" },
  plan: { type: "boolean", help: "print plan and request, send nothing" },
  "thinking-budget": thinkingBudget,
  "max-output": maxOutput,
  "no-save": { type: "boolean", help: "do not keep the conversation" },
  fail: { type: "boolean", help: "do not repair a refused request and send it again" },
  plain: { type: "boolean", help: "linear labelled lines, no redraw" },
  simulate: { type: "boolean", help: "let the built-in emulator answer, keys or not" },
  help: { type: "boolean", short: "h", help: "this page" },
  version: { type: "boolean", short: "V", help: "the version" },
};

export const commands: readonly Command[] = [
  {
    name: "plan",
    summary: "what a level means on a model, and what would be sent",
    usage: "mull plan MODEL[/LEVEL]…",
    examples: ["mull plan gpt-6-sol/high claude-opus-5-5/high gemini-3.8-flash/high"],
    options: { "max-output": maxOutput, "thinking-budget": thinkingBudget, json },
    load: () => import("./commands/plan.ts"),
  },
  {
    name: "models",
    summary: "the catalogue: thinking, window, prices, status",
    usage: "mull models [--filter WORD]",
    options: { filter, json },
    load: () => import("./commands/models.ts"),
  },
  {
    name: "decode",
    summary: "read a logged answer of any wire, whole or streamed",
    usage: "mull decode --wire WIRE [--stream] [--status N] [FILE]",
    details: [
      "FILE is the raw body, or an envelope {wire, stream, status, headers, model, body | body_text}.",
      "Prints thinking, text, tool calls, seals, finish, usage; or the error with what had arrived.",
    ],
    options: {
      wire,
      stream: { type: "boolean", help: "the body is a stream; otherwise its looks decide" },
      status: { type: "string", value: "N", help: "HTTP status of the answer" },
      model: { type: "string", value: "MODEL", help: "who was asked" },
      batch,
      json,
    },
    load: () => import("./commands/decode.ts"),
  },
  {
    name: "lint",
    summary: "what a service would refuse in a request, and what mends it",
    usage: "mull lint --wire WIRE [--model M] [--header 'name: value']… [FILE] [--fix | --body]",
    details: [
      "FILE is a request body, or an envelope {wire, model, provider, path, headers, body}.",
      "Gemini's model is not in its body: name it with --model or --path. Exit code 1 on errors.",
    ],
    examples: ["mull lint --wire anthropic-messages --body request.json > mended.json"],
    options: {
      wire,
      model: { type: "string", value: "MODEL", help: "the model, where the body does not name it" },
      provider: { type: "string", value: "ID", help: "who serves it, where it is not the vendor" },
      path: { type: "string", value: "PATH", help: "path of the request" },
      header: {
        type: "string",
        value: "'name: value'",
        many: true,
        help: "a header of the request",
      },
      fix: { type: "boolean", help: "mend what can be mended, print the body as `fixed`" },
      body: { type: "boolean", help: "mend, and print the mended body alone" },
      batch,
      json,
    },
    load: () => import("./commands/lint.ts"),
  },
  {
    name: "handoff",
    summary: "the request another model would get to carry an answer on",
    usage:
      "mull handoff --from-reply F --wire WIRE --from MODEL --to MODEL/LEVEL [--results F | --follow-up T]",
    options: {
      "from-reply": { type: "string", value: "FILE", help: "the answer as it came; `-` is stdin" },
      wire,
      from: { type: "string", value: "MODEL", help: "who gave the answer" },
      to: { type: "string", value: "MODEL[/LEVEL]", help: "who carries it on" },
      system: { type: "string", value: "TEXT", help: "system prompt" },
      user: { type: "string", value: "TEXT", help: "the question that was answered" },
      tools: { type: "string", value: "FILE", help: "tools, as any wire declares them" },
      results: { type: "string", value: "FILE", help: "results of the answer's tool calls" },
      "follow-up": { type: "string", value: "TEXT", help: "what is said next" },
      stream: { type: "boolean", help: "the answer is a stream; otherwise its looks decide" },
      batch,
      json,
    },
    load: () => import("./commands/handoff.ts"),
  },
  {
    name: "encode",
    summary: "the request a history becomes on a model, with its receipt",
    usage: "mull encode MODEL[/LEVEL] --history F [--tools F]",
    options: {
      history: {
        type: "string",
        value: "FILE",
        help: "a History, a list of messages, or a question",
      },
      tools: { type: "string", value: "FILE", help: "tools, as any wire declares them" },
      system: { type: "string", value: "TEXT", help: "system prompt" },
      "max-output": maxOutput,
      "thinking-budget": thinkingBudget,
      json,
    },
    load: () => import("./commands/encode.ts"),
  },
  {
    name: "matrix",
    summary: "hand answers from every model to every other, and check each request",
    usage: "mull matrix [--filter WORD,WORD]",
    options: { filter: { ...filter, value: "WORD,WORD" }, json },
    load: () => import("./commands/matrix.ts"),
  },
  {
    name: "map",
    summary: "what each position of the dial means on a model",
    usage: "mull map MODEL…",
    options: { json },
    load: () => import("./commands/map.ts"),
  },
  {
    name: "sweep",
    summary: "ask one question at several levels and models, and compare",
    usage: 'mull sweep "question" [--models A,B] [--levels none,max]',
    examples: [
      'mull sweep "What is 23 * 47?" --models claude-opus-5-5,gpt-6-sol --levels none,max',
    ],
    options: {
      models: {
        type: "string",
        value: "A,B",
        many: true,
        help: "model refs; default the usual one",
      },
      levels: { type: "string", value: "L,L", many: true, help: "default none,low,med,high" },
      system: { type: "string", short: "s", value: "TEXT", help: "system prompt" },
      file: { type: "string", short: "f", value: "FILE", many: true, help: "put a file before it" },
      simulate: { type: "boolean", help: "let the built-in emulator answer" },
      csv: { type: "boolean", help: "comma-separated values" },
      json,
    },
    load: () => import("./commands/sweep.ts"),
  },
  {
    name: "conversations",
    summary: "list, show, export or remove kept conversations",
    usage: "mull conversations [list | show NAME | export NAME | remove NAME]",
    options: { json },
    load: () => import("./commands/conversations.ts"),
  },
  {
    name: "cost",
    summary: "tokens and dollars, by model",
    usage: "mull cost [NAME]",
    options: { json },
    load: () => import("./commands/cost.ts"),
  },
  {
    name: "keys",
    summary: "which providers have a key, and from where; keep or remove one",
    usage: "mull keys [list | set PROVIDER | remove PROVIDER]",
    details: [
      "Keys come from the environment, else from credentials.json here or in the user's folder.",
      "`set` asks for the key or reads it from stdin; it is never an argument and never printed.",
    ],
    options: { json },
    load: () => import("./commands/keys.ts"),
  },
  {
    name: "doctor",
    summary: "look for what is wrong on this machine",
    usage: "mull doctor",
    options: { json },
    load: () => import("./commands/doctor.ts"),
  },
  {
    name: "serve",
    summary: "the chat server with its page, on a local port",
    usage: "mull serve [--port N]",
    details: ["Without a database it keeps everything in a folder; without a key it is simulated."],
    options: {
      port: { type: "string", value: "N", help: "default 3001" },
      host: { type: "string", value: "HOST", help: "default 127.0.0.1" },
      "allow-remote": { type: "boolean", help: "allow a host that is not loopback" },
      data: { type: "string", value: "FOLDER", help: "where the embedded database lies" },
      database: { type: "string", value: "URL", help: "a Postgres server instead" },
      log: { type: "boolean", help: "one JSON line a request on stderr" },
    },
    load: () => import("./commands/serve.ts"),
  },
  {
    name: "emulate",
    summary: "the services on a local port, with their rules; prints lines for the official SDKs",
    usage: "mull emulate [--port N]",
    options: {
      port: { type: "string", value: "N", help: "default: any free port" },
      host: { type: "string", value: "HOST", help: "default 127.0.0.1" },
      "allow-remote": { type: "boolean", help: "allow a host that is not loopback" },
    },
    load: () => import("./commands/emulate.ts"),
  },
  {
    name: "record",
    summary: "ask, and put the exchange on a cassette, keys hidden",
    usage: 'mull record FILE.jsonl "question"',
    options: askOptions,
    load: () => import("./commands/record.ts"),
  },
  {
    name: "replay",
    summary: "ask a cassette instead of a service",
    usage: 'mull replay FILE.jsonl "question"',
    options: askOptions,
    load: () => import("./commands/replay.ts"),
  },
  {
    name: "vcr",
    summary: "look for secrets in files, or print recorded exchanges",
    usage: "mull vcr scan PATH… | mull vcr show CASSETTE…",
    options: {
      bodies: { type: "boolean", help: "print the bodies too" },
      json,
    },
    load: () => import("./commands/vcr.ts"),
  },
  {
    name: "completion",
    summary: "shell completion: source <(mull completion bash)",
    usage: "mull completion bash | zsh | fish | powershell",
    options: {},
    load: () => import("./commands/completion.ts"),
  },
];

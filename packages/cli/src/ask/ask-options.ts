import type { Command, OptionTable } from "../frame/command.ts";
import { levels } from "../frame/levels.ts";
import { toolNames } from "../frame/tool-names.ts";

export const maxOutput = {
  type: "string",
  value: "TOKENS",
  help: "room for the answer; thinking comes on top",
} as const;
export const thinkingBudget = {
  type: "string",
  value: "TOKENS",
  help: "tokens for thinking, instead of a level",
} as const;

/** Options of a question that exclude each other. */
export const askContradictions: Pick<Command, "excludes" | "needs"> = {
  excludes: [
    ["json", "jsonl"],
    ["continue", "resume"],
    ["interactive", "json"],
    ["interactive", "jsonl"],
    ["interactive", "plan"],
    ["interactive", "quiet"],
  ],
  needs: [["allow", ["mcp"]]],
};

/** Options of a plan, besides models and levels. */
export const planOptions: OptionTable = {
  "max-output": maxOutput,
  "thinking-budget": thinkingBudget,
  count: {
    type: "string",
    value: "QUESTION",
    help: "ask the service how many tokens this question takes; nothing else is sent",
  },
};

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
  mcp: {
    type: "string",
    value: "SERVER",
    many: true,
    help: "let the model use the tools of an MCP server: a command, an address, or a .json file with mcpServers",
  },
  allow: {
    type: "string",
    value: "TOOL",
    many: true,
    help: "run this tool of an MCP server without asking; `all` for every tool",
  },
  continue: { type: "boolean", short: "c", help: "continue the last conversation" },
  resume: {
    type: "string",
    short: "r",
    value: "NAME|ID",
    optionalValue: true,
    help: "continue this conversation",
  },
  "hide-thinking": { type: "boolean", short: "R", help: "hide thinking; the level stays the same" },
  quiet: { type: "boolean", short: "q", help: "no thinking, no notes" },
  interactive: { type: "boolean", short: "i", help: "stay and chat after the answer" },
  json: { type: "boolean", help: "one JSON object at the end, on failure too" },
  jsonl: {
    type: "boolean",
    help: "one JSON event on each line as it happens; the last line is the object",
  },
  plan: { type: "boolean", help: "print plan and request, send nothing" },
  "thinking-budget": thinkingBudget,
  "max-output": maxOutput,
  fallback: {
    type: "string",
    many: true,
    value: "REF,REF",
    help: "models to ask in this order when the first one fails",
  },
  cache: {
    type: "string",
    value: "5m|1h",
    help: "how long Claude keeps the prompt in its cache; an hour costs more to write",
  },
  "no-save": { type: "boolean", help: "do not save the conversation" },
  fail: { type: "boolean", help: "do not repair a refused request and send it again" },
  plain: { type: "boolean", help: "labelled lines, without redrawing" },
  simulate: { type: "boolean", help: "let the built-in emulator answer, even with keys" },
  help: { type: "boolean", short: "h", help: "this list" },
  version: { type: "boolean", short: "V", help: "the version" },
};

import { join } from "node:path";

import type { JsonValue } from "mull";

import { commands, sdkCommand } from "./installed.ts";

/** What a client is asked to do. */
export type Task = "loop" | "resume" | "cancel" | "image" | "wrong-key" | "overload";

/** One call of a tool, as the scripted model makes it. */
export interface Call {
  readonly tool: string;
  readonly input: JsonValue;
}

/** A client of the gateway and how it is driven. */
export interface Client {
  readonly name: string;
  /** The package whose version is shown. */
  readonly package: string;
  readonly command: readonly string[];
  /** Arguments behind the command. */
  readonly args: (task: Task, question: string, folder: string) => readonly string[];
  /** The same for a later run that goes on with the conversation. SDKs keep none. */
  readonly resume?: (question: string) => readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Two calls whose results are `firstResult` and `secondResult`. */
  readonly calls: (folder: string) => readonly [Call, Call];
  /** How it is shown an image: by a tool it has, or in the question. */
  readonly image: ((folder: string) => Call) | "question";
  /** It names its model itself, and so can ask for another than the one that answers. */
  readonly asks?: string;
  readonly isSdk?: true;
}

/** What the first tool returns, and the second. */
export const firstResult = "It is 19.";
export const secondResult = "It is 23.";

const fileIn = (folder: string, name: string): string => join(folder, name);

const codexOptions: readonly string[] = [
  "--skip-git-repo-check",
  "--dangerously-bypass-approvals-and-sandbox",
  "-c",
  "model_providers.mull.request_max_retries=1",
  "-c",
  "model_providers.mull.stream_max_retries=1",
];

const agents: readonly Client[] = [
  {
    name: "Claude Code",
    package: "@anthropic-ai/claude-code",
    command: commands.claude,
    args: (_task, question) => ["-p", question, "--dangerously-skip-permissions"],
    resume: (question) => ["-c", "-p", question, "--dangerously-skip-permissions"],
    env: {
      IS_SANDBOX: "1",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      CLAUDE_CODE_MAX_RETRIES: "2",
      DISABLE_AUTOUPDATER: "1",
    },
    calls: (folder) => [
      { tool: "Bash", input: { command: `echo '${firstResult}'`, description: "first number" } },
      { tool: "Read", input: { file_path: fileIn(folder, "second.txt") } },
    ],
    image: (folder) => ({ tool: "Read", input: { file_path: fileIn(folder, "dot.png") } }),
  },
  {
    name: "Codex",
    package: "@openai/codex",
    command: commands.codex,
    args: (_task, question) => ["exec", question, ...codexOptions],
    resume: (question) => ["exec", "resume", "--last", question, ...codexOptions],
    calls: () => [
      { tool: "exec_command", input: { cmd: `echo '${firstResult}'` } },
      { tool: "exec_command", input: { cmd: "cat second.txt" } },
    ],
    image: (folder) => ({ tool: "view_image", input: { path: fileIn(folder, "dot.png") } }),
  },
  {
    name: "gemini-cli",
    package: "@google/gemini-cli",
    command: commands.gemini,
    args: (_task, question) => ["--yolo", "--skip-trust", "-p", question],
    resume: (question) => ["--yolo", "--skip-trust", "--resume", "latest", "-p", question],
    // Otherwise it starts itself again, and the signal that stops it ends the wrong one of the two.
    env: { GEMINI_CLI_NO_RELAUNCH: "true" },
    calls: (folder) => [
      { tool: "run_shell_command", input: { command: `echo '${firstResult}'` } },
      { tool: "read_file", input: { file_path: fileIn(folder, "second.txt") } },
    ],
    image: (folder) => ({ tool: "read_file", input: { file_path: fileIn(folder, "dot.png") } }),
  },
  {
    name: "opencode",
    package: "opencode-ai",
    command: commands.opencode,
    // Without a title of its own it asks the model for one at the same time.
    args: (_task, question) => ["run", "--title", "numbers", question],
    resume: (question) => ["run", "-c", question],
    env: { OPENCODE_DISABLE_MODELS_FETCH: "1", OPENCODE_DISABLE_AUTOUPDATE: "1" },
    calls: (folder) => [
      { tool: "bash", input: { command: `echo '${firstResult}'`, description: "first number" } },
      { tool: "read", input: { filePath: fileIn(folder, "second.txt") } },
    ],
    image: (folder) => ({ tool: "read", input: { filePath: fileIn(folder, "dot.png") } }),
  },
  {
    name: "pi",
    package: "@earendil-works/pi-coding-agent",
    command: commands.pi,
    args: (_task, question) => ["-p", question],
    resume: (question) => ["-c", "-p", question],
    env: { PI_OFFLINE: "1", PI_TELEMETRY: "0" },
    calls: (folder) => [
      { tool: "bash", input: { command: `echo '${firstResult}'` } },
      { tool: "read", input: { path: fileIn(folder, "second.txt") } },
    ],
    image: (folder) => ({ tool: "read", input: { path: fileIn(folder, "dot.png") } }),
  },
];

const sdk = (name: string, packageName: string, program: string, asks: string): Client => ({
  name,
  package: packageName,
  command: sdkCommand(program),
  args: (task, question) => [asks, task, question],
  calls: () => [
    { tool: "first_number", input: {} },
    { tool: "second_number", input: {} },
  ],
  image: "question",
  asks,
  isSdk: true,
});

const sdks: readonly Client[] = [
  sdk("Anthropic SDK", "@anthropic-ai/sdk", "anthropic", "claude-opus-5-5"),
  sdk("OpenAI SDK, Responses", "openai", "openai-responses", "gpt-6-sol"),
  sdk("OpenAI SDK, Chat Completions", "openai", "openai-chat", "gpt-6-sol"),
  sdk("Google SDK", "@google/genai", "google", "gemini-3.8-flash"),
  sdk("AI SDK, Anthropic", "@ai-sdk/anthropic", "ai-sdk", "anthropic:claude-opus-5-5"),
  sdk("AI SDK, OpenAI", "@ai-sdk/openai", "ai-sdk", "openai:gpt-6-sol"),
  sdk("AI SDK, Google", "@ai-sdk/google", "ai-sdk", "google:gemini-3.8-flash"),
  sdk("LangChain, Anthropic", "@langchain/anthropic", "langchain", "anthropic:claude-opus-5-5"),
  sdk("LangChain, OpenAI", "@langchain/openai", "langchain", "openai:gpt-6-sol"),
  sdk("LangChain, Google", "@langchain/google-genai", "langchain", "google:gemini-3.8-flash"),
];

/** Every client that is tried. */
export const clients: readonly Client[] = [...agents, ...sdks];

/** Who answers upstream, and the status each of them has for too much to do. */
export const vendors = [
  { name: "Anthropic", ref: "claude-opus-5-5/high", overload: 529 },
  { name: "OpenAI", ref: "gpt-6-sol/high", overload: 503 },
  { name: "Google", ref: "gemini-3.8-flash/high", overload: 503 },
] as const;

/** A vendor that answers upstream. */
export type Vendor = (typeof vendors)[number];

import { estimateTokens, type Message, type Model } from "mull";
import type { UIMessage } from "@mull/ui-messages";
import { isToolPart } from "../tools/describe-tool.ts";
import { countContext } from "./count-context.ts";

/** How much of a model's window the conversation takes. */
export interface ContextFill {
  readonly used: number;
  readonly window: number;
  /** What fills it, by estimate; together as much as `used`. */
  readonly parts: readonly ContextPart[];
}

export interface ContextPart {
  readonly name: string;
  readonly tokens: number;
}

const kinds = ["questions", "files", "thinking", "tools", "answers"] as const;
type Kind = (typeof kinds)[number];

const names: Readonly<Record<Kind, string>> = {
  questions: "Your questions",
  files: "Files",
  thinking: "Thinking",
  tools: "Tool calls and results",
  answers: "Answers",
};

/** What is sent with every question, before it and its answers. */
export interface Around {
  /** Tokens of the server's system prompt and its tools, by estimate. */
  readonly instructions: number;
  /** The system prompt of the conversation. */
  readonly system?: string | undefined;
}

/** `undefined` if nobody knows how large the window is. */
export function readContext(
  messages: readonly UIMessage[],
  { window }: Pick<Model, "window">,
  around: Around,
): ContextFill | undefined {
  if (window === undefined) return undefined;
  const counts = estimateKinds(messages);
  const estimated = kinds.reduce((all, kind) => all + counts[kind], 0);
  const used = countContext(messages) ?? estimated + estimateAround(around);
  // A service may leave out what it was sent; what it counted beside is its instructions and tools.
  const scale = estimated > used ? used / estimated : 1;
  const rest = Math.max(0, used - estimated);
  const parts = kinds.map((kind) => ({
    name: names[kind],
    tokens: Math.round(counts[kind] * scale),
  }));
  const unsaid = { name: "Instructions, tool descriptions and what estimates miss", tokens: rest };
  return { used, window, parts: [...parts, unsaid].filter(({ tokens }) => tokens > 0) };
}

/** What the next request takes: what the last one and its answer took, and the question. */
export const estimateNext = (
  messages: readonly UIMessage[],
  around: Around,
  text: string,
  files: number,
): number =>
  (readContext(messages, { window: Infinity }, around)?.used ?? 0) +
  estimate(text) +
  files * estimateTokens([fileMessage]);

const estimateAround = ({ instructions, system = "" }: Around): number =>
  instructions + estimate(system);

function estimateKinds(messages: readonly UIMessage[]): Readonly<Record<Kind, number>> {
  const counts: Record<Kind, number> = {
    questions: 0,
    files: 0,
    thinking: 0,
    tools: 0,
    answers: 0,
  };
  for (const { role, parts } of messages) {
    for (const part of parts) {
      if (part.type === "file") counts.files += estimateTokens([fileMessage]);
      else if (isToolPart(part)) {
        counts.tools += estimate(JSON.stringify([part.input, part.output, part.errorText]));
      } else if ("text" in part && typeof part.text === "string") {
        counts[kindOf(part.type, role)] += estimate(part.text);
      }
    }
  }
  return counts;
}

const kindOf = (type: string, role: string): Kind =>
  type === "reasoning" ? "thinking" : role === "user" ? "questions" : "answers";

const estimate = (text: string): number =>
  estimateTokens([{ role: "user", parts: [{ type: "text", text }] }]);

/** The estimate of a file does not look into it. */
const fileMessage: Message = {
  role: "user",
  parts: [{ type: "file", mediaType: "text/plain", source: { type: "base64", data: "" } }],
};

import type { JsonValue, Message, ToolResultPart, ToolSpec } from "mull";
import type { WireRequest } from "mull/wire";

import { fileIn, lastFiles, pastedIn, type GivenFile } from "./given-files.ts";
import { specsOf } from "./tool-specs.ts";

/** A tool call of the running turn with its result. */
export interface Done {
  readonly name: string;
  readonly input: JsonValue;
  readonly output: string;
  readonly isError: boolean;
}

/** What the brain is asked: the user's words, what came before, and what it may use. */
export interface Question {
  readonly text: string;
  /** Earlier questions and the answers they got, oldest first. */
  readonly earlier: readonly { readonly asked: string; readonly answered: string }[];
  /** Tool rounds since the user's words, oldest first. */
  readonly rounds: readonly (readonly Done[])[];
  readonly tools: readonly ToolSpec[];
  /** The newest files of the conversation, and whether they came with these words. */
  readonly files?: { readonly given: readonly GivenFile[]; readonly areNew: boolean };
  /** A text that was pasted in front of the question, and the question alone. */
  readonly pasted?: { readonly file: GivenFile; readonly asked: string };
  /** The tool that must be called, or `any`. */
  readonly mustCall?: string;
  readonly parallel: boolean;
}

/** What the brain came up with. `calls` ask for tools; otherwise `answer` is the last word. */
export interface Thought {
  /** The reasoning, one sentence each, the most important first. */
  readonly steps: readonly string[];
  readonly calls?: readonly { readonly name: string; readonly input: JsonValue }[];
  readonly answer?: string;
}

/** Answers what it understands and leaves the rest to the next topic. */
export type Topic = (question: Question) => Thought | undefined;

/** Characters that the brain reads of one text. A regular expression over ten megabytes would block every other request. */
const most = 4_000;

/** In a long text the question is more often at the end than at the beginning. */
const skim = (text: string): string =>
  text.length <= most ? text : `${text.slice(0, most / 4)}\n${text.slice((-most * 3) / 4)}`;

const textOf = (message: Message): string => skim(wordsOf(message)).trim();

/** What a program tells the model beside the person's words: Claude Code's `<system-reminder>…</system-reminder>`. */
const isAside = (text: string): boolean => {
  const tag = /^\s*<([\w-]{1,40})>/.exec(text)?.[1];
  return tag !== undefined && text.trimEnd().endsWith(`</${tag}>`);
};

const textsOf = (message: Message): readonly string[] => {
  const texts = message.parts.flatMap((part) =>
    part.type === "text" && fileIn(part) === undefined && part.text.trim() !== ""
      ? [part.text]
      : [],
  );
  const words = texts.filter((text) => !isAside(text));
  return words.length > 0 ? words : texts;
};

const wordsOf = (message: Message): string => textsOf(message).join("\n");

/** Longer than that is a text that the question is about. */
const longestUnanswered = 300;

/** Questions whose answers were stopped: some services get them in one message with the next one. */
const unansweredIn = (message: Message | undefined): readonly string[] => {
  const texts = message?.role === "user" ? textsOf(message).slice(0, -1) : [];
  return texts.every(({ length }) => length <= longestUnanswered) ? texts : [];
};

const outputOf = (part: ToolResultPart): string =>
  typeof part.output === "string"
    ? part.output
    : part.output.map((piece) => (piece.type === "text" ? piece.text : "[file]")).join("\n");

const roundsOf = (messages: readonly Message[]): readonly (readonly Done[])[] => {
  const inputs = new Map<string, JsonValue>();
  const rounds: Done[][] = [];
  for (const message of messages) {
    if (message.role === "assistant") {
      for (const part of message.parts) {
        if (part.type === "tool-call") inputs.set(part.id, part.input);
      }
    }
    if (message.role !== "tool") continue;
    rounds.push(
      message.parts.map((part) => ({
        name: part.name,
        input: inputs.get(part.callId) ?? {},
        output: outputOf(part),
        isError: part.isError === true,
      })),
    );
  }
  return rounds;
};

const isQuestion = (message: Message): boolean =>
  message.role === "user" && message.parts.length > 0;

const earlierOf = (
  messages: readonly Message[],
): readonly { readonly asked: string; readonly answered: string }[] => {
  const exchanges: { asked: string; answered: string }[] = [];
  for (const message of messages) {
    const last = exchanges.at(-1);
    if (isQuestion(message)) exchanges.push({ asked: textOf(message), answered: "" });
    else if (message.role === "assistant" && last !== undefined) last.answered = textOf(message);
  }
  return exchanges;
};

const mustCallOf = (request: WireRequest): string | undefined => {
  if (request.toolChoice === "required") return "any";
  return typeof request.toolChoice === "object" ? request.toolChoice.tool : undefined;
};

export const readQuestion = (request: WireRequest): Question => {
  const asked = request.messages.findLastIndex(isQuestion);
  const message = request.messages[asked];
  const mustCall = mustCallOf(request);
  const tools = request.toolChoice === "none" ? [] : (request.tools ?? []);
  const given = lastFiles(request.messages.slice(0, asked + 1));
  const unanswered = unansweredIn(message);
  const words = message === undefined ? "" : textsOf(message).slice(unanswered.length).join("\n");
  const pasted = given.length > 0 ? undefined : pastedIn(words);
  return {
    text: skim(words).trim(),
    ...(pasted !== undefined && { pasted }),
    earlier: [
      ...earlierOf(request.messages.slice(0, Math.max(asked, 0))),
      ...unanswered.map((text) => ({ asked: text, answered: "" })),
    ],
    rounds: roundsOf(request.messages.slice(asked + 1)),
    tools: tools.flatMap(specsOf),
    ...(given.length > 0 && {
      files: { given, areNew: message?.parts.some((part) => fileIn(part) !== undefined) ?? false },
    }),
    parallel: request.parallelToolCalls !== false,
    ...(mustCall !== undefined && { mustCall }),
  };
};

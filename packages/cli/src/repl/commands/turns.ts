import { textOf, type UserMessage, type UserPart } from "mull";
import { pickAnswer } from "./inspect.ts";
import { modelCommands } from "./model.ts";
import type { Chat, SlashCommand } from "./command.ts";

/** Asks the last question again: as it was, with another model, or mended. */
async function runRetry(words: string, chat: Chat): Promise<void> {
  const { session } = chat;
  const word = words.trim();
  const failed = session.lastFailure;
  if (word !== "" && word !== "fix") await modelCommands[0]!.run(word, chat);
  if (failed !== undefined && !endsWithAnswer(chat)) {
    chat.edit("");
    chat.ask(failed.input, word === "fix" ? { fix: true } : {});
    return;
  }
  const question = lastQuestion(chat);
  await session.rewind(question.at);
  chat.ask(question.parts, word === "fix" ? { fix: true } : {});
}

const endsWithAnswer = ({ session }: Chat): boolean => {
  const last = session.history.messages.at(-1);
  return last?.role === "assistant" && last.interrupted !== true;
};

interface Question {
  readonly at: number;
  readonly parts: readonly UserPart[];
}

function lastQuestion(chat: Chat, before?: number): Question {
  const messages = chat.session.history.messages.slice(0, before);
  const at = messages.findLastIndex(({ role }) => role === "user");
  if (at < 0) throw new Error("There is no question yet.");
  return { at, parts: (messages[at] as UserMessage).parts };
}

/** Puts a question back into the editor; sending it makes a branch. */
function runEdit(words: string, chat: Chat): void {
  const answer = words.trim() === "" ? undefined : pickAnswer(words, chat)[0];
  const question = lastQuestion(chat, answer?.after);
  const text = textOf({ role: "user", parts: question.parts });
  chat.session.attached = question.parts.filter((part) => part.type === "file");
  chat.editQuestion(text, question.at);
  chat.say(["The question is back in the editor. Nothing changes before you send it."], "note");
}

/** Goes on from an answer in a conversation of its own; this one stays as it is. */
async function runFork(words: string, chat: Chat): Promise<void> {
  const [answer, number] = pickAnswer(words, chat);
  const { session } = chat;
  const from = session.keeper.name;
  await session.startNew(session.history.messages.slice(0, answer.after));
  const name = session.keeper.name;
  chat.say(
    [
      `✓ Forked after answer ${number}${name === undefined ? "" : `: this is ${name}`}${from === undefined ? "" : `, ${from} stays as it was`}`,
    ],
    "good",
  );
}

export const turnCommands: readonly SlashCommand[] = [
  {
    name: "retry",
    usage: "[NAME/LEVEL|fix]",
    help: "ask again; fix mends a refused request",
    complete: (words) =>
      "fix".startsWith(words.trim()) ? [{ value: "fix", help: "mend it and send it again" }] : [],
    run: runRetry,
  },
  { name: "edit", usage: "[NUMBER]", help: "change a question and ask it again", run: runEdit },
  {
    name: "fork",
    usage: "[NUMBER]",
    help: "go on from an answer in a new conversation",
    run: runFork,
  },
];

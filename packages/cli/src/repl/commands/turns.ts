import { textOf, type UserMessage, type UserPart } from "mull";
import { isFilePart } from "../../ask/file-part.ts";
import { pickAnswer } from "./inspect.ts";
import { completeModel, switchModel } from "./model.ts";
import type { Chat, SlashCommand } from "./command.ts";

/** Asks the last question again: as it was, with another model, or repaired. */
async function runRetry(words: string, chat: Chat): Promise<void> {
  const { session } = chat;
  const word = words.trim();
  const failed = session.lastFailure;
  const question = failed?.isLost
    ? { at: session.history.length, parts: failed.input }
    : lastQuestion(chat);
  // The other model does not see the answer it replaces.
  const before = session.history.messages.slice(0, question.at);
  if (word !== "" && word !== "fix") switchModel(word, chat, before);
  if (failed?.isLost) chat.edit("");
  else await session.rewind(question.at);
  chat.ask(question.parts, word === "fix" ? { fix: true } : {});
}

interface AskedBefore {
  readonly at: number;
  readonly parts: readonly UserPart[];
}

function lastQuestion(chat: Chat, before?: number): AskedBefore {
  const messages = chat.session.history.messages.slice(0, before);
  const at = messages.findLastIndex(({ role }) => role === "user");
  if (at < 0) throw new Error("There is no question yet.");
  return { at, parts: (messages[at] as UserMessage).parts };
}

/** Puts a question back into the editor; sending it makes a branch. */
function runEdit(words: string, chat: Chat): void {
  const answer = words.trim() === "" ? undefined : pickAnswer(words, chat)[0];
  const question = lastQuestion(chat, answer?.after);
  const written = question.parts.filter((part) => !isFilePart(part));
  const text = textOf({ role: "user", parts: written });
  chat.session.attached = question.parts.filter(isFilePart);
  const isBack = chat.editQuestion(text, question.at);
  const what = isBack
    ? "The question is back in the editor. Nothing changes before you send it."
    : "Your next message replaces that question. Until then, nothing changes.";
  chat.say([what], "note");
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

const repair = { value: "fix", help: "repair it and send it again" };

export const turnCommands: readonly SlashCommand[] = [
  {
    name: "retry",
    usage: "[NAME/LEVEL|fix]",
    help: "ask again; fix repairs a refused request",
    complete: (words, chat) => [
      ...("fix".startsWith(words.trim()) ? [repair] : []),
      ...completeModel(words, chat),
    ],
    run: runRetry,
  },
  { name: "edit", usage: "[NUMBER]", help: "change a question and ask it again", run: runEdit },
  {
    name: "fork",
    usage: "[NUMBER]",
    help: "continue from an answer in a new conversation",
    run: runFork,
  },
];

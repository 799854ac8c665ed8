import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { jsonlConversation, type JsonlConversation } from "../../jsonl/conversation.ts";
import { answerOf, labelsIn, nextTurn, questionOf, say, talkOfLife } from "./material.ts";

/**
 * Reports what is there, then writes until it is killed. `check` looks at every file and appends to
 * it.
 */
const [folder = "", life = "check"] = process.argv.slice(2);
// A killed writer leaves its lock next to the file.
const written = (await readdir(folder)).filter((name) => /^\d+$/.test(name)).map(Number);
const talks = life === "check" ? written : [talkOfLife(Number(life))];
const opened = new Map<number, JsonlConversation>();
for (const talk of talks) opened.set(talk, await jsonlConversation(join(folder, String(talk))));
const labels = [...opened.values()].flatMap((each) => labelsIn(each.history().messages));
say(`have ${JSON.stringify(labels)}`);

async function runTurn(conversation: JsonlConversation, turn: number): Promise<void> {
  await conversation.append(questionOf(turn));
  say(`u${turn}`);
  const answer = answerOf(turn);
  for (const [index, part] of answer.parts.entries()) {
    await conversation.appendPart("assistant", part);
    say(`a${turn}.${index}`);
  }
  await conversation.finish(answer);
  say(`f${turn}`);
}

for (const [talk, conversation] of opened) {
  const end = life === "check" ? nextTurn(labels, talk) + 1 : Infinity;
  for (let turn = nextTurn(labels, talk); turn < end; turn++) await runTurn(conversation, turn);
  await conversation.close();
}

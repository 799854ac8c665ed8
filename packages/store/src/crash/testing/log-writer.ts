import { jsonlConversation } from "../../jsonl/conversation.ts";
import { answerOf, labelsIn, nextTurn, questionOf, say } from "./material.ts";

const [target = "", mode] = process.argv.slice(2);
const conversation = await jsonlConversation(target);
const labels = labelsIn(conversation.history().messages);
say(`have ${JSON.stringify(labels)}`);
say(`damage ${conversation.damage.map(({ kind }) => kind).join(" ")}`);
const end = mode === "check" ? 0 : Infinity;
for (let turn = nextTurn(labels); turn < end; turn++) {
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
await conversation.close();

import type { HistoryJson, Message } from "mull";
import type { Answer, ChatClient } from "./client.ts";
import { faultsInRequest, hasComplianceError, storedFacts, wronglyStored } from "./compliance.ts";

export const marketQuestion = "okay - what's going on in the markets today?";
export const followUp = "And what about crypto specifically?";

export const testUser: Setting["user"] = {
  name: "extended-thinking@test.example",
  password: "test-password-1234",
};

export interface Setting {
  readonly client: ChatClient;
  readonly user: { readonly name: string; readonly password: string };
  readonly model: string;
  readonly level: string;
  readonly print: (line: string) => void;
}

/** Claude that thinks within a budget wants every tool-calling answer to begin with thinking. */
const budgetThinker = "claude-sonnet-4-5";

export async function signIn({ client, user, print }: Setting): Promise<void> {
  await client.signIn(user.name, user.password);
  print(`[1/5] signed in as ${user.name}`);
}

async function create({ client, model, level, print }: Setting): Promise<string> {
  const id = await client.createConversation(model, level);
  print(`[2/5] created conversation ${id} with ${model}/${level}`);
  return id;
}

async function ask({ client }: Setting, id: string, question: string): Promise<Answer> {
  const answer = await client.ask(id, question);
  if (hasComplianceError(answer.raw)) {
    throw new Error(
      `THINKING BLOCK COMPLIANCE ERROR\n  provider said: ${answer.error ?? answer.raw}`,
    );
  }
  if (answer.status !== 200 || answer.error !== undefined) {
    throw new Error(`"${question}" failed with ${answer.status}: ${answer.error}`);
  }
  return answer;
}

/** What is stored, and what would be sent next, to the strictest reader of it. */
async function verify({ client, model, print }: Setting, id: string): Promise<readonly Message[]> {
  const messages = await client.stored(id);
  const facts = storedFacts(messages);
  print(`[4/5] stored: ${messages.length} messages, ${facts.length} of the assistant`);
  for (const { parts, hasCalls, first } of facts) {
    print(`      ${parts} parts, tool calls: ${hasCalls ? "yes" : "no"}, first part: ${first}`);
  }
  const wrong = wronglyStored(messages);
  if (wrong.length > 0) throw new Error(`stored out of order: ${JSON.stringify(wrong)}`);
  if (model !== budgetThinker) return messages;
  const faults = faultsInRequest(await client.wouldSend(id, budgetThinker));
  if (faults.length > 0) {
    throw new Error(`THINKING BLOCK COMPLIANCE ERROR\n  ${faults.join("\n  ")}`);
  }
  return messages;
}

const hasCalls = (messages: readonly Message[]): boolean =>
  storedFacts(messages).some((facts) => facts.hasCalls);

/** Case 1, critical: a question that needs a tool, then a follow-up with the history. */
export async function followUpAfterTools(setting: Setting): Promise<void> {
  const { print } = setting;
  const id = await create(setting);
  await ask(setting, id, marketQuestion);
  print(`[3/5] asked "${marketQuestion}": 200, no compliance error`);
  if (!hasCalls(await verify(setting, id))) throw new Error("the question was meant to use a tool");
  await ask(setting, id, followUp);
  print(`[5/5] asked "${followUp}" with history: 200, no compliance error`);
  await verify(setting, id);
}

/** Case 2, critical: a question that needs none. */
export async function withoutTools(setting: Setting): Promise<void> {
  const { print } = setting;
  const id = await create(setting);
  const { text } = await ask(setting, id, "What is 2 + 2?");
  print('[3/5] asked "What is 2 + 2?": 200, no compliance error');
  if (!text.includes("4")) throw new Error(`2 + 2 came out as ${text}`);
  if (hasCalls(await verify(setting, id))) throw new Error("no tool was meant to be called");
  await ask(setting, id, "And times ten?");
  print("[5/5] asked again with history: 200, no compliance error");
}

/** Case 3, critical: three questions with tools in one conversation. */
export async function severalToolQuestions(setting: Setting): Promise<void> {
  const { print } = setting;
  const id = await create(setting);
  const questions = [
    "What is the price of Bitcoin?",
    "What is the price of Ethereum?",
    marketQuestion,
  ];
  for (const [index, question] of questions.entries()) {
    await ask(setting, id, question);
    print(`[${index === 0 ? 3 : 5}/5] asked "${question}": 200, no compliance error`);
    await verify(setting, id);
  }
  const calling = storedFacts(await setting.client.stored(id)).filter((facts) => facts.hasCalls);
  if (calling.length < questions.length)
    throw new Error("every question was meant to use searchWeb");
}

/** A store that lost the order of the parts: calls stand before the thinking that led to them. */
export async function lostOrder(setting: Setting): Promise<void> {
  const { client, model } = setting;
  const id = await create(setting);
  await ask(setting, id, marketQuestion);
  const { history } = await client.exported(id);
  const shuffled = await client.imported(shuffle(history), model);
  const faults = faultsInRequest(await client.wouldSend(shuffled, budgetThinker));
  if (faults.length > 0) {
    throw new Error(`THINKING BLOCK COMPLIANCE ERROR\n  ${faults.join("\n  ")}`);
  }
  await ask(setting, shuffled, followUp);
}

const shuffle = (history: HistoryJson): HistoryJson => ({
  ...history,
  entries: history.entries.map((entry) =>
    entry.message.role === "assistant"
      ? { ...entry, message: { ...entry.message, parts: entry.message.parts.toReversed() } }
      : entry,
  ),
});

export const criticalCases: readonly (readonly [string, (setting: Setting) => Promise<void>])[] = [
  ["R253 R254: a question with a tool, then a follow-up with history", followUpAfterTools],
  ["R255: a question without tools", withoutTools],
  ["R256: three questions with tools, in the right block order", severalToolQuestions],
];

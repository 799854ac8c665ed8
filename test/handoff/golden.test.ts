import { chat, resolveModel, type JsonObject, type Message } from "mull";
import { describe, expect, test } from "vitest";
import {
  answer,
  claudeSays,
  deepseekSays,
  functionCall,
  geminiCall,
  geminiSays,
  gptSays,
  outputMessage,
  reasoning,
  results,
  thought,
  tools,
  toolUse,
  user,
  words,
} from "../pain-points/kit.ts";

/** Four answers of a conversation of three questions: a call, an answer, two calls, an answer. */
type Answers = readonly [JsonObject, JsonObject, JsonObject, JsonObject];

const chatCall = (id: string): JsonObject => ({
  id,
  type: "function",
  function: { name: "get_weather", arguments: '{"city":"Oslo"}' },
});

const claude: Answers = [
  claudeSays(thought("I look.", "EqQBone="), toolUse("toolu_1")),
  claudeSays(thought("", "EqQBtwo="), words("It is cold.")),
  claudeSays(
    thought("Both.", "EqQBthree"),
    { type: "redacted_thinking", data: "EmwKfour" },
    words("One moment."),
    toolUse("toolu_2"),
    toolUse("toolu_3"),
  ),
  claudeSays(words("Cold and warm.")),
];

const gpt: Answers = [
  gptSays(reasoning("rs_1", "gAAAone="), functionCall("fc_1", "call_1")),
  gptSays(outputMessage("It is cold.", "msg_1")),
  gptSays(
    reasoning("rs_2", "gAAAtwo="),
    outputMessage("One moment.", "msg_2"),
    functionCall("fc_2", "call_2"),
    functionCall("fc_3", "call_3"),
  ),
  gptSays(reasoning("rs_3", "gAAAtri="), outputMessage("Cold and warm.", "msg_3")),
];

const gemini: Answers = [
  geminiSays({ text: "I look.", thought: true }, geminiCall("sealOne=")),
  geminiSays({ text: "It is cold.", thoughtSignature: "sealTwo=" }),
  geminiSays({ text: "One moment." }, geminiCall("sealTri="), geminiCall(undefined, "Lima")),
  geminiSays({ text: "Cold and warm." }),
];

const plain: Answers = [
  deepseekSays({ content: "", reasoning_content: "I look.", tool_calls: [chatCall("call_1")] }),
  deepseekSays({ content: "It is cold.", reasoning_content: "So." }),
  deepseekSays({
    content: "One moment.",
    reasoning_content: "Both.",
    tool_calls: [chatCall("call_2"), chatCall("call_3")],
  }),
  deepseekSays({ content: "Cold and warm." }),
];

const conversations: readonly (readonly [string, string, Answers])[] = [
  ["claude-opus-5-5", "anthropic-adaptive", claude],
  ["claude-sonnet-4-5", "anthropic-budget", claude],
  ["gpt-6-sol", "openai-responses", gpt],
  ["openai-chat:gpt-5.1", "openai-chat", plain],
  ["gemini-3.8-flash", "google-level", gemini],
  ["gemini-2.5-pro", "google-budget", gemini],
  ["deepseek:deepseek-v4-pro", "deepseek", plain],
];

function history(ref: string, answers: Answers): readonly Message[] {
  const [first, second, third, fourth] = answers.map((body, at) => numbered(answer(ref, body), at));
  return [
    user("Weather in Oslo?"),
    first!,
    results(first!),
    second!,
    user("And in Lima too?"),
    third!,
    results(third!),
    fourth!,
    user("Thanks. Which is warmer?"),
  ];
}

/** Calls that came without an id got a random one; here it must be the same in every run. */
const numbered = <M extends { readonly parts: readonly object[] }>(
  message: M,
  turn: number,
): M => ({
  ...message,
  parts: message.parts.map((part, at) =>
    "localId" in part ? { ...part, id: `local_${turn}_${at}` } : part,
  ),
});

/** What really goes over the wire: the text handed to `fetch`. */
async function sentBody(ref: string, messages: readonly Message[]): Promise<string> {
  let sent = "";
  const fetch = (_: string, init: RequestInit): Promise<Response> => {
    sent = init.body as string;
    return Promise.resolve(new Response("{}", { status: 400 }));
  };
  const { baseUrl } = resolveModel(ref).provider;
  const request = { system: "Be brief.", messages, tools, level: "med" } as const;
  await chat(ref, request, { fetch, baseUrl, env: {} }).catch(() => undefined);
  return sent;
}

describe("P-A3 P-C1 P-F1 three turns of tool use with thinking, as they go over the wire", () => {
  test.each(conversations)("%s", async (ref, name, answers) => {
    const body: unknown = JSON.parse(await sentBody(ref, history(ref, answers)));
    const text = `${JSON.stringify(body, undefined, 2)}\n`;
    await expect(text).toMatchFileSnapshot(`golden/${name}.txt`);
  });
});

import { GoogleGenAI } from "@google/genai";
import {
  arrived,
  imageData,
  leaving,
  loop,
  model,
  parameters,
  question,
  resultOf,
  task,
  tools,
} from "./task.mjs";

const client = new GoogleGenAI({ httpOptions: { retryOptions: { attempts: 3 } } });
const chat = client.chats.create({
  model,
  config: {
    abortSignal: leaving.signal,
    thinkingConfig: { includeThoughts: true, thinkingLevel: "HIGH" },
    tools: [
      {
        functionDeclarations: tools.map(({ name, description }) => ({
          name,
          description,
          parametersJsonSchema: parameters,
        })),
      },
    ],
  },
});
let message = [
  ...(task === "image" ? [{ inlineData: { mimeType: "image/png", data: imageData() } }] : []),
  { text: question },
];
await loop(async () => {
  const calls = [];
  for await (const chunk of await chat.sendMessageStream({ message })) {
    calls.push(...(chunk.functionCalls ?? []));
    for (const { text, thought } of chunk.candidates?.[0]?.content?.parts ?? [])
      if (!thought) arrived(text);
  }
  message = calls.map(({ id, name }) => ({
    functionResponse: { id, name, response: { output: resultOf(name) } },
  }));
  return calls.length === 0;
});

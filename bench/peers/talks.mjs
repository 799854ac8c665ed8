// Plain JavaScript: these libraries are installed apart, so their types are not at hand.
import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import { createModels } from "@earendil-works/pi-ai";
import { anthropicProvider } from "@earendil-works/pi-ai/providers/anthropic";
import { googleProvider } from "@earendil-works/pi-ai/providers/google";
import { openaiProvider } from "@earendil-works/pi-ai/providers/openai";
import { ChatAnthropic } from "@langchain/anthropic";
import { HumanMessage, ToolMessage } from "@langchain/core/messages";
import { ChatGoogleGenerativeAI } from "@langchain/google-genai";
import { ChatOpenAI } from "@langchain/openai";
import { chat, StreamProcessor } from "@tanstack/ai";
import { createAnthropicChat } from "@tanstack/ai-anthropic";
import { createGeminiChat } from "@tanstack/ai-gemini";
import { createOpenaiChat } from "@tanstack/ai-openai";
import { jsonSchema, streamText, tool } from "ai";
import { key, look } from "./libraries/question.mjs";

/** The model each wire asks; Claude gets a thinking budget. */
const ids = {
  "anthropic-messages": "claude-sonnet-4-5",
  "openai-responses": "gpt-5",
  "google-generate": "gemini-3.8-flash",
};
const budget = 2000;
const enabled = { type: "enabled", budget_tokens: budget };
const found = "Nothing was found.";

/**
 * A conversation held by a library, in the form it keeps one itself: `say` a question, `ask` a
 * model and keep what the library keeps of the answer, `answer` the calls it made.
 */
function aiSdk(fetch) {
  const messages = [];
  const models = {
    "anthropic-messages": createAnthropic({ apiKey: key, fetch }),
    "openai-responses": createOpenAI({ apiKey: key, fetch }).responses,
    "google-generate": createGoogleGenerativeAI({ apiKey: key, fetch }),
  };
  return {
    say: (text) => messages.push({ role: "user", content: text }),
    answer: () => {
      const calls = messages.at(-1).content.filter(({ type }) => type === "tool-call");
      const content = calls.map(({ toolCallId, toolName }) => ({
        type: "tool-result",
        toolCallId,
        toolName,
        output: { type: "text", value: found },
      }));
      messages.push({ role: "tool", content });
    },
    ask: async (wire) => {
      const result = streamText({
        model: models[wire](ids[wire]),
        messages,
        tools: { [look.name]: tool({ inputSchema: jsonSchema(look.parameters) }) },
        maxRetries: 0,
        providerOptions: {
          anthropic: { thinking: { type: "enabled", budgetTokens: budget } },
          openai: { store: false, reasoningSummary: "auto" },
        },
        onError: () => undefined,
      });
      await result.consumeStream({ onError: () => undefined });
      messages.push(...(await result.response).messages);
    },
  };
}

function piAi() {
  const models = createModels();
  for (const make of [anthropicProvider, openaiProvider, googleProvider])
    models.setProvider(make());
  const names = {
    anthropic: "anthropic-messages",
    openai: "openai-responses",
    google: "google-generate",
  };
  const messages = [];
  return {
    say: (text) => messages.push({ role: "user", content: text, timestamp: 0 }),
    answer: () => {
      for (const { id, name } of messages
        .at(-1)
        .content.filter(({ type }) => type === "toolCall")) {
        messages.push({
          role: "toolResult",
          toolCallId: id,
          toolName: name,
          content: [{ type: "text", text: found }],
          isError: false,
          timestamp: 0,
        });
      }
    },
    ask: async (wire) => {
      const [provider] = Object.entries(names).find(([, name]) => name === wire);
      const stream = models.stream(
        models.getModel(provider, ids[wire]),
        { messages, tools: [look] },
        {
          apiKey: key,
          thinkingEnabled: true,
          thinkingBudgetTokens: budget,
          reasoningEffort: "medium",
        },
      );
      messages.push(await stream.result());
    },
  };
}

function tanstack(fetch) {
  const options = { fetch, maxRetries: 0 };
  const adapters = {
    "anthropic-messages": () => createAnthropicChat(ids["anthropic-messages"], key, options),
    "openai-responses": () => createOpenaiChat(ids["openai-responses"], key, options),
    "google-generate": () => createGeminiChat(ids["google-generate"], key),
  };
  const modelOptions = {
    "anthropic-messages": { thinking: enabled, max_tokens: 8000 },
    "openai-responses": {
      reasoning: { effort: "medium", summary: "auto" },
      store: false,
      include: ["reasoning.encrypted_content"],
    },
    "google-generate": {},
  };
  const processor = new StreamProcessor();
  return {
    say: (text) => processor.addUserMessage(text),
    answer: () => {
      const calls = processor
        .getMessages()
        .at(-1)
        .parts.filter(({ type }) => type === "tool-call");
      for (const { id } of calls) processor.addToolResult(id, found);
    },
    ask: async (wire) => {
      const { name, description, parameters } = look;
      processor.prepareAssistantMessage();
      await processor.process(
        chat({
          adapter: adapters[wire](),
          messages: processor.toModelMessages(),
          tools: [{ name, description, inputSchema: parameters }],
          modelOptions: modelOptions[wire],
        }),
      );
    },
  };
}

function langchain(fetch) {
  const models = {
    "anthropic-messages": new ChatAnthropic({
      apiKey: key,
      model: ids["anthropic-messages"],
      maxTokens: 8000,
      maxRetries: 0,
      thinking: enabled,
      clientOptions: { fetch },
    }),
    "openai-responses": new ChatOpenAI({
      apiKey: key,
      model: ids["openai-responses"],
      useResponsesApi: true,
      zdrEnabled: true,
      reasoning: { effort: "medium", summary: "auto" },
      maxRetries: 0,
      configuration: { fetch },
    }),
    "google-generate": new ChatGoogleGenerativeAI({
      apiKey: key,
      model: ids["google-generate"],
      maxRetries: 0,
    }),
  };
  const spec = {
    type: "function",
    function: { name: look.name, description: look.description, parameters: look.parameters },
  };
  const messages = [];
  return {
    say: (text) => messages.push(new HumanMessage(text)),
    answer: () => {
      for (const { id, name } of messages.at(-1).tool_calls)
        messages.push(new ToolMessage({ tool_call_id: id, name, content: found }));
    },
    ask: async (wire) => {
      let whole;
      for await (const chunk of await models[wire].bindTools([spec]).stream(messages))
        whole = whole === undefined ? chunk : whole.concat(chunk);
      messages.push(whole);
    },
  };
}

export const talks = {
  "AI SDK": aiSdk,
  "pi-ai": piAi,
  "TanStack AI": tanstack,
  "LangChain.js": langchain,
};

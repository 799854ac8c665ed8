import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";

import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI } from "@google/genai";
import { calls, emulate, says, script, thinks } from "@mull/emulator";
import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { createGateway, type Gateway } from "./index.ts";
import { keys, testWires } from "./testing/wires.ts";

const weather = {
  type: "object" as const,
  properties: { city: { type: "string" as const } },
  required: ["city"],
};

const gatewayTo = (model: string): Gateway =>
  createGateway({
    secret: "a secret of this test",
    env: keys,
    model: `${model}/high`,
    fetch: emulate({
      scripts: [
        script({ turn: 1 }, [thinks("I look it up."), calls("weather", { city: "Oslo" })]),
        script({ turn: 2 }, [thinks("And the other."), calls("weather", { city: "Bergen" })]),
        script({ turn: 3 }, [says("Oslo has 4 degrees, Bergen 6.")]),
      ],
    }),
  });

const services = testWires.map(({ model }) => model);
const degrees = (city: unknown): string => (city === "Oslo" ? "4" : "6");
const inProcess =
  (gateway: Gateway): typeof fetch =>
  (input, init) =>
    gateway.fetch(new Request(input, init));

describe("the official SDKs take the answers of every service", () => {
  test.each(services)("@anthropic-ai/sdk, streaming: %s", async (model) => {
    const client = new Anthropic({
      apiKey: "x",
      baseURL: "http://127.0.0.1",
      maxRetries: 0,
      fetch: inProcess(gatewayTo(model)),
    });
    const messages: Anthropic.MessageParam[] = [{ role: "user", content: "The weather?" }];
    for (let round = 0; round < 3; round++) {
      const answer = await client.messages
        .stream({
          model: "claude-opus-5-5",
          max_tokens: 4096,
          thinking: { type: "adaptive" },
          messages,
          tools: [{ name: "weather", input_schema: weather }],
        })
        .finalMessage();
      expect(answer.model).toBe("claude-opus-5-5");
      expect(answer.usage.output_tokens).toBeGreaterThan(0);
      messages.push({ role: "assistant", content: answer.content });
      if (answer.stop_reason === "end_turn") break;
      expect(answer.stop_reason).toBe("tool_use");
      messages.push({
        role: "user",
        content: answer.content.flatMap((block) =>
          block.type === "tool_use"
            ? [
                {
                  type: "tool_result" as const,
                  tool_use_id: block.id,
                  content: degrees((block.input as { readonly city: string }).city),
                },
              ]
            : [],
        ),
      });
    }
    expect(JSON.stringify(messages.at(-1))).toContain("Oslo has 4 degrees, Bergen 6.");
  });

  test.each(services)("openai Responses, streaming: %s", async (model) => {
    const client = new OpenAI({
      apiKey: "x",
      baseURL: "http://127.0.0.1/v1",
      maxRetries: 0,
      fetch: inProcess(gatewayTo(model)),
    });
    const input: OpenAI.Responses.ResponseInputItem[] = [{ role: "user", content: "The weather?" }];
    let said = "";
    for (let round = 0; round < 3; round++) {
      const answer = await client.responses
        .stream({
          model: "gpt-5.5",
          store: false,
          include: ["reasoning.encrypted_content"],
          input,
          tools: [{ type: "function", name: "weather", parameters: weather, strict: false }],
        })
        .finalResponse();
      expect(answer).toMatchObject({ model: "gpt-5.5", status: "completed" });
      expect(answer.usage?.output_tokens_details.reasoning_tokens).toBeTypeOf("number");
      said = answer.output_text;
      input.push(...(answer.output as OpenAI.Responses.ResponseInputItem[]));
      for (const item of answer.output) {
        if (item.type !== "function_call") continue;
        const { city } = JSON.parse(item.arguments) as { readonly city: string };
        const output = degrees(city);
        input.push({ type: "function_call_output", call_id: item.call_id, output });
      }
    }
    expect(said).toBe("Oslo has 4 degrees, Bergen 6.");
  });

  test.each(services)("openai Chat Completions, streaming: %s", async (model) => {
    const client = new OpenAI({
      apiKey: "x",
      baseURL: "http://127.0.0.1/v1",
      maxRetries: 0,
      fetch: inProcess(gatewayTo(model)),
    });
    const messages: OpenAI.ChatCompletionMessageParam[] = [
      { role: "user", content: "The weather?" },
    ];
    let said: string | null = "";
    for (let round = 0; round < 3; round++) {
      const {
        choices: [choice],
        usage,
      } = await client.chat.completions
        .stream({
          model: "gpt-5.5",
          stream_options: { include_usage: true },
          messages,
          tools: [{ type: "function", function: { name: "weather", parameters: weather } }],
        })
        .finalChatCompletion();
      expect(usage?.completion_tokens).toBeGreaterThan(0);
      said = choice?.message.content ?? null;
      if (choice !== undefined) messages.push(choice.message);
      for (const call of choice?.message.tool_calls ?? []) {
        if (call.type !== "function") continue;
        const { city } = JSON.parse(call.function.arguments) as { readonly city: string };
        messages.push({ role: "tool", tool_call_id: call.id, content: degrees(city) });
      }
    }
    expect(said).toBe("Oslo has 4 degrees, Bergen 6.");
  });
});

async function pass(gateway: Gateway, request: Request, out: ServerResponse): Promise<void> {
  const response = await gateway.fetch(request);
  out.writeHead(response.status, Object.fromEntries(response.headers));
  for await (const chunk of response.body ?? []) out.write(chunk);
  out.end();
}

/** Google's SDK takes no `fetch`. */
const serve = (gateways: ReadonlyMap<string, Gateway>): Server =>
  createServer((incoming, outgoing) => {
    const { method = "GET", url = "/", headers } = incoming;
    const [, service = "", ...path] = url.split("/");
    const request = new Request(`http://127.0.0.1/${path.join("/")}`, {
      method,
      headers: Object.entries(headers).map(([name, value]) => [name, String(value)]),
      body: Readable.toWeb(incoming) as ReadableStream<Uint8Array>,
      duplex: "half",
    } as RequestInit);
    void pass(gateways.get(service)!, request, outgoing);
  });

describe("Google's SDK", () => {
  const server = serve(new Map(services.map((model) => [model, gatewayTo(model)])));
  beforeAll(() => new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve)));
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  test.each(services)("@google/genai chats, streaming: %s", async (model) => {
    const { port } = server.address() as AddressInfo;
    const client = new GoogleGenAI({
      apiKey: "x",
      httpOptions: { baseUrl: `http://127.0.0.1:${port}/${model}` },
    });
    const chat = client.chats.create({
      model: "gemini-3.8-flash",
      config: {
        thinkingConfig: { includeThoughts: true },
        tools: [{ functionDeclarations: [{ name: "weather", parametersJsonSchema: weather }] }],
      },
    });
    let message: Parameters<typeof chat.sendMessageStream>[0]["message"] = "The weather?";
    let said = "";
    for (let round = 0; round < 3; round++) {
      const results: {
        functionResponse: { id?: string; name: string; response: Record<string, unknown> };
      }[] = [];
      said = "";
      for await (const chunk of await chat.sendMessageStream({ message })) {
        for (const { id, name = "", args } of chunk.functionCalls ?? [])
          results.push({
            functionResponse: {
              ...(id !== undefined && { id }),
              name,
              response: { output: degrees(args?.["city"]) },
            },
          });
        for (const part of chunk.candidates?.[0]?.content?.parts ?? [])
          if (part.thought !== true) said += part.text ?? "";
      }
      if (results.length === 0) break;
      message = results;
    }
    expect(said).toBe("Oslo has 4 degrees, Bergen 6.");
  });
});

import type OpenAI from "openai";
import { describe, expect, it } from "vitest";

import { serveOpenai } from "./testing/sdk-clients.ts";

const served = serveOpenai();

const questions = [
  "Compare the weather in Oslo and Rome",
  "And in Bergen?",
  "What was my first question?",
];
const parameters = {
  type: "object",
  properties: { location: { type: "string" } },
  required: ["location"],
  additionalProperties: false,
};

type Ask = OpenAI.Responses.ResponseCreateParamsNonStreaming;

const ask: Omit<Ask, "input"> = {
  model: "gpt-6-sol",
  reasoning: { effort: "medium", summary: "auto" },
  tools: [{ type: "function", name: "get_weather", parameters, strict: true }],
};

const respond = async (body: Ask, stream: boolean): Promise<OpenAI.Responses.Response> => {
  if (!stream) return served.client.responses.create(body);
  return served.client.responses.stream({ ...body, stream: true }).finalResponse();
};

const outputs = (
  response: OpenAI.Responses.Response,
): OpenAI.Responses.ResponseInputItem.FunctionCallOutput[] =>
  response.output.flatMap((item) =>
    item.type === "function_call"
      ? [{ type: "function_call_output" as const, call_id: item.call_id, output: '{"temp_c": 7}' }]
      : [],
  );

const kinds = (response: OpenAI.Responses.Response | undefined): readonly string[] =>
  (response?.output ?? []).map((item) => item.type);

/** Replays every item, storing nothing. */
const converseStateless = async (stream: boolean): Promise<OpenAI.Responses.Response[]> => {
  const input: OpenAI.Responses.ResponseInputItem[] = [];
  const answers: OpenAI.Responses.Response[] = [];
  for (const text of questions) {
    input.push({ role: "user", content: text });
    for (;;) {
      const include = ["reasoning.encrypted_content" as const];
      const answer = await respond({ ...ask, input, store: false, include }, stream);
      answers.push(answer);
      input.push(...(answer.output as OpenAI.Responses.ResponseInputItem[]));
      const results = outputs(answer);
      if (results.length === 0) break;
      input.push(...results);
    }
  }
  return answers;
};

/** Leaves the conversation at the service and sends only what is new. */
const converseStored = async (stream: boolean): Promise<OpenAI.Responses.Response[]> => {
  const answers: OpenAI.Responses.Response[] = [];
  for (const text of questions) {
    let input: OpenAI.Responses.ResponseInputItem[] = [{ role: "user", content: text }];
    while (input.length > 0) {
      const previous = answers.at(-1)?.id;
      const answer = await respond(
        { ...ask, input, ...(previous !== undefined && { previous_response_id: previous }) },
        stream,
      );
      answers.push(answer);
      input = outputs(answer);
    }
  }
  return answers;
};

describe.each([true, false])("P-J1 openai responses, streamed: %s", (stream) => {
  it.each([
    ["stateless", converseStateless],
    ["stored", converseStored],
  ])("completes a three-turn tool loop, %s", async (_, converse) => {
    const answers = await converse(stream);
    expect(answers.map((answer) => answer.status)).toEqual(Array(5).fill("completed"));
    expect(kinds(answers[0])).toEqual(["reasoning", "function_call", "function_call"]);
    expect(kinds(answers[2])).toEqual(["reasoning", "function_call"]);
    expect(answers[4]?.output_text).toContain("Compare the weather");
    expect(answers[0]?.usage?.output_tokens_details.reasoning_tokens).toBeGreaterThan(0);
  });
});

describe.each([true, false])("P-J1 openai chat completions, streamed: %s", (stream) => {
  it("completes a three-turn tool loop", async () => {
    const messages: OpenAI.ChatCompletionMessageParam[] = [];
    const finishes: string[] = [];
    for (const text of questions) {
      messages.push({ role: "user", content: text });
      for (;;) {
        const body = {
          model: "gpt-5.1",
          reasoning_effort: "low" as const,
          messages,
          tools: [{ type: "function" as const, function: { name: "get_weather", parameters } }],
        };
        const answer = stream
          ? await served.client.chat.completions
              .stream({ ...body, stream: true })
              .finalChatCompletion()
          : await served.client.chat.completions.create(body);
        const [choice] = answer.choices;
        if (choice === undefined) throw new Error("no choice");
        finishes.push(choice.finish_reason);
        messages.push(choice.message);
        if (choice.finish_reason !== "tool_calls") break;
        for (const call of choice.message.tool_calls ?? []) {
          messages.push({ role: "tool", tool_call_id: call.id, content: '{"temp_c": 7}' });
        }
      }
    }
    expect(finishes).toEqual(["tool_calls", "stop", "tool_calls", "stop", "stop"]);
    expect(JSON.stringify(messages.at(-1))).toContain("Compare the weather");
  });
});

describe("openai", () => {
  it("reads stored responses back and forgets them", async () => {
    const { id } = await served.client.responses.create({ ...ask, input: "What is 2 + 2?" });
    expect((await served.client.responses.retrieve(id)).output_text).toContain("**4**");
    const items = await served.client.responses.inputItems.list(id);
    expect(items.data).toHaveLength(1);
    await served.client.responses.delete(id);
    await expect(served.client.responses.retrieve(id)).rejects.toThrow("not found");
  });

  it("lists models", async () => {
    const ids: string[] = [];
    for await (const model of served.client.models.list()) ids.push(model.id);
    expect(ids).toContain("gpt-6-sol");
  });
});

describe("P-J4 stored responses", () => {
  it("are given whole, and say so to who wants a stream", async () => {
    const { id } = await served.client.responses.create({ ...ask, input: "Hi" });
    expect((await served.client.responses.retrieve(id)).id).toBe(id);
    await expect(served.client.responses.retrieve(id, { stream: true })).rejects.toThrow(
      "leave `stream`",
    );
  });
});

describe("completions that are stored", () => {
  it("are listed, read, marked and forgotten", async () => {
    const { completions } = served.client.chat;
    const messages = [{ role: "user" as const, content: "What is 2 + 2?" }];
    const model = "gpt-5.1";
    const topic = { topic: "sums" };
    const { id } = await completions.create({ model, messages, store: true, metadata: topic });
    const { id: other } = await completions.create({ model, messages, store: true });
    const { id: forgotten } = await completions.create({ model, messages });
    const stream = completions.stream({ model, messages, store: true });
    const { id: streamed } = await stream.finalChatCompletion();
    const listed: string[] = [];
    for await (const each of completions.list({ limit: 2 })) listed.push(each.id);
    expect(listed).toEqual([id, other, streamed]);
    const marked = await completions.list({ metadata: topic });
    expect(marked.data.map((each) => each.id)).toEqual([id]);
    expect((await completions.retrieve(id)).choices[0]?.message.content).toContain("4");
    const { data } = await completions.messages.list(id);
    expect(data).toMatchObject([{ role: "user", content: "What is 2 + 2?" }]);
    expect(await completions.update(id, { metadata: { topic: "other" } })).toMatchObject({ id });
    expect((await completions.list({ metadata: topic })).data).toEqual([]);
    expect(await completions.delete(id)).toMatchObject({ id, deleted: true });
    for (const gone of [id, forgotten])
      await expect(completions.retrieve(gone)).rejects.toMatchObject({ status: 404 });
  });
});

import type { Content, GenerateContentResponse, Part } from "@google/genai";
import { describe, expect, it } from "vitest";

import { serveGoogle } from "./testing/sdk-clients.ts";

const served = serveGoogle();

const config = {
  thinkingConfig: { includeThoughts: true },
  tools: [
    {
      functionDeclarations: [
        {
          name: "get_weather",
          parametersJsonSchema: {
            type: "object",
            properties: { location: { type: "string" } },
            required: ["location"],
          },
        },
      ],
    },
  ],
};

const partsOf = (response: GenerateContentResponse): readonly Part[] =>
  response.candidates?.[0]?.content?.parts ?? [];

const ask = async (model: string, contents: Content[], stream: boolean): Promise<Part[]> => {
  if (!stream)
    return [...partsOf(await served.client.models.generateContent({ model, contents, config }))];
  const parts: Part[] = [];
  for await (const chunk of await served.client.models.generateContentStream({
    model,
    contents,
    config,
  })) {
    parts.push(...partsOf(chunk));
  }
  return parts;
};

const converse = async (model: string, stream: boolean): Promise<readonly Part[][]> => {
  const contents: Content[] = [];
  const answers: Part[][] = [];
  for (const text of [
    "Compare the weather in Oslo and Rome",
    "And in Bergen?",
    "What was my first question?",
  ]) {
    contents.push({ role: "user", parts: [{ text }] });
    for (;;) {
      const parts = await ask(model, contents, stream);
      answers.push(parts);
      contents.push({ role: "model", parts });
      const called = parts.flatMap((part) => part.functionCall ?? []);
      if (called.length === 0) break;
      const results = called.map(({ id, name }) => ({
        functionResponse: {
          ...(id !== undefined && { id }),
          ...(name !== undefined && { name }),
          response: { output: { temp_c: 7 } },
        },
      }));
      contents.push({ role: "user", parts: results });
    }
  }
  return answers;
};

describe.each(["gemini-3.8-flash", "gemini-2.5-pro"])("P-J1 @google/genai with %s", (model) => {
  it.each([true, false])("completes a three-turn tool loop, streamed: %s", async (stream) => {
    const answers = await converse(model, stream);
    const called = answers.map((parts) => parts.filter((part) => part.functionCall).length);
    expect(called).toEqual([2, 0, 1, 0, 0]);
    expect(answers[0]?.some((part) => part.thought === true)).toBe(true);
    const signed = answers[0]?.filter((part) => part.thoughtSignature !== undefined);
    expect(signed?.map((part) => part.functionCall?.args)).toEqual([{ location: "Oslo" }]);
    expect(
      answers
        .at(-1)
        ?.map((part) => part.text)
        .join(""),
    ).toContain("Compare the weather");
  });
});

describe("@google/genai", () => {
  it("counts tokens and lists models", async () => {
    const counted = await served.client.models.countTokens({
      model: "gemini-3.8-flash",
      contents: "Hello there",
    });
    expect(counted.totalTokens).toBeGreaterThan(0);
    const names: string[] = [];
    for await (const model of await served.client.models.list()) names.push(model.name ?? "");
    expect(names).toContain("models/gemini-3.8-flash");
  });

  it("lists models page by page", async () => {
    const all: string[] = [];
    for await (const model of await served.client.models.list()) all.push(model.name ?? "");
    const pager = await served.client.models.list({ config: { pageSize: 5 } });
    expect(pager.pageLength).toBe(5);
    const paged: string[] = [];
    for await (const model of pager) paged.push(model.name ?? "");
    expect(paged).toEqual(all);
  });

  it("sees what is not served as missing", async () => {
    await expect(served.client.files.get({ name: "files/nothing" })).rejects.toMatchObject({
      status: 404,
      message: expect.stringContaining('"status":"NOT_FOUND"'),
    });
    const badlyEscaped = await fetch(`${served.url}/v1beta/models/%E0%A4%A:generateContent`, {
      method: "POST",
      headers: { "x-goog-api-key": "emulated" },
      body: JSON.stringify({ contents: [{ parts: [{ text: "Hi" }] }] }),
    });
    expect(badlyEscaped.status).toBe(404);
  });

  it("sees refusals as errors with the service's text", async () => {
    const refused = served.client.models.generateContent({
      model: "gemini-2.5-pro",
      contents: "Hi",
      config: { thinkingConfig: { thinkingBudget: 0 } },
    });
    await expect(refused).rejects.toThrow("Budget 0 is invalid");
  });
});

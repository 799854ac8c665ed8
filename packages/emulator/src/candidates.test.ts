import { ApiError } from "@google/genai";
import { describe, expect, it } from "vitest";

import { emulate } from "./emulate.ts";
import { calls } from "./script/actions.ts";
import { script } from "./script/script.ts";
import { serveGoogle } from "./testing/sdk-clients.ts";

const served = serveGoogle();

const contents = "What is 2 + 2?";
const asked = { model: "gemini-2.5-flash", contents };

const refusalOf = async (asking: Promise<unknown>): Promise<readonly [number, string]> => {
  const error: unknown = await asking.catch((refused: unknown) => refused);
  if (!(error instanceof ApiError)) throw new Error("not refused", { cause: error });
  return [error.status, error.message];
};

describe("P-J1 several candidates of Gemini", () => {
  it("come whole, each under its index, and are all paid for", async () => {
    const one = await served.client.models.generateContent(asked);
    const three = await served.client.models.generateContent({
      ...asked,
      config: { candidateCount: 3 },
    });
    expect(three.candidates?.map(({ index }) => index)).toEqual([0, 1, 2]);
    for (const { content, finishReason } of three.candidates ?? []) {
      expect([finishReason, JSON.stringify(content)]).toEqual(["STOP", expect.stringMatching(/4/)]);
    }
    const [first, all] = [one.usageMetadata, three.usageMetadata];
    const [prompt = 0, said = 0, thought = 0] = [
      first?.promptTokenCount,
      first?.candidatesTokenCount,
      first?.thoughtsTokenCount,
    ];
    expect(said).toBeGreaterThan(0);
    expect(all).toMatchObject({
      promptTokenCount: prompt,
      candidatesTokenCount: 3 * said,
      thoughtsTokenCount: 3 * thought,
      totalTokenCount: prompt + 3 * (said + thought),
    });
  });

  it("never share the id of a call", async () => {
    const fetch = emulate({ scripts: [script({}, [calls("look", {})])] });
    const answer = await fetch(
      "http://x/v1beta1/projects/p/locations/l/publishers/google/models/gemini-3.1-pro-preview:generateContent",
      {
        method: "POST",
        headers: { authorization: "Bearer k", "content-type": "application/json" },
        body: JSON.stringify({
          contents: [{ role: "user", parts: [{ text: "Look." }] }],
          tools: [{ functionDeclarations: [{ name: "look" }] }],
          generationConfig: { candidateCount: 2 },
        }),
      },
    );
    const ids = [...(await answer.text()).matchAll(/"id":"([^"]+)"/g)].map(([, id]) => id);
    expect([ids.length, new Set(ids).size]).toEqual([2, 2]);
  });

  it("are refused since Gemini 3, in streams, and above eight", async () => {
    const config = { candidateCount: 2 };
    const newer = served.client.models.generateContent({
      model: "gemini-3.8-flash",
      contents,
      config,
    });
    expect(await refusalOf(newer)).toEqual([
      400,
      expect.stringContaining("Multiple candidates is not enabled for this model"),
    ]);
    const stream = served.client.models.generateContentStream({ ...asked, config });
    expect(await refusalOf(stream)).toEqual([400, expect.stringContaining("Only one candidate")]);
    const many = served.client.models.generateContent({ ...asked, config: { candidateCount: 9 } });
    expect(await refusalOf(many)).toEqual([400, expect.stringContaining("candidateCount value")]);
  });
});

describe("P-J2 log probabilities of Gemini", () => {
  it("are refused", async () => {
    const config = { responseLogprobs: true, logprobs: 2 };
    const asking = served.client.models.generateContent({ ...asked, config });
    expect(await refusalOf(asking)).toEqual([
      400,
      expect.stringContaining("Logprobs is not enabled for this model"),
    ]);
  });

  it("are not made up where Vertex has them", async () => {
    const answer = await emulate()(
      "http://x/v1/projects/p/locations/l/publishers/google/models/gemini-2.5-flash:generateContent",
      {
        method: "POST",
        headers: { authorization: "Bearer k", "content-type": "application/json" },
        body: JSON.stringify({
          contents: [{ role: "user", parts: [{ text: "Hi" }] }],
          generationConfig: { responseLogprobs: true },
        }),
      },
    );
    expect(await answer.json()).toMatchObject({
      error: { code: 400, status: "INVALID_ARGUMENT", message: expect.stringMatching(/emulator/) },
    });
  });
});

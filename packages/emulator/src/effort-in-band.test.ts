import type { JsonObject } from "mull";
import { describe, expect, it } from "vitest";

import { emulate } from "./emulate.ts";

const post = async (
  url: string,
  headers: Readonly<Record<string, string>>,
  body: JsonObject,
): Promise<JsonObject> => {
  const response = await emulate()(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(200);
  return (await response.json()) as JsonObject;
};

const question: JsonObject = { role: "user", content: "What is 17 times 23?" };

const askOpenai = (effort: string, ...more: readonly JsonObject[]): Promise<JsonObject> =>
  post(
    "https://api.openai.com/v1/responses",
    { authorization: "Bearer emulated" },
    { model: "gpt-6-sol", reasoning: { effort }, input: [...more, question] },
  );

const askClaude = (
  effort: string,
  beta: string,
  ...more: readonly JsonObject[]
): Promise<JsonObject> =>
  post(
    "https://api.anthropic.com/v1/messages",
    { "x-api-key": "emulated", "anthropic-version": "2023-06-01", "anthropic-beta": beta },
    {
      model: "claude-opus-5",
      max_tokens: 4000,
      thinking: { type: "adaptive" },
      output_config: { effort },
      messages: [question, ...more],
    },
  );

const thinkingIn = ({ usage }: JsonObject): number => {
  const { output_tokens_details: details } = usage as {
    readonly output_tokens_details: Readonly<Record<string, number>>;
  };
  return details["reasoning_tokens"] ?? details["thinking_tokens"] ?? -1;
};

const update = (effort: string): JsonObject => ({
  type: "configuration_update",
  reasoning: { effort },
});

describe("P-J1 P-B12 an effort that is changed inside the conversation is the one in force", () => {
  it("on OpenAI: the last update, also in what the answer repeats", async () => {
    const high = await askOpenai("high");
    const low = await askOpenai("low");
    expect(thinkingIn(low)).toBeLessThan(thinkingIn(high));
    const changed = await askOpenai("high", update("medium"), question, update("low"));
    expect(thinkingIn(changed)).toBe(thinkingIn(low));
    expect(changed["reasoning"]).toMatchObject({ effort: "low" });
    const off = await askOpenai("high", update("none"));
    expect(thinkingIn(off)).toBe(0);
  });

  it.each(["per-turn-control-2026-07-01", "mid-conversation-output-config-2026-07-01"])(
    "on Anthropic, with beta %s",
    async (beta) => {
      const high = await askClaude("high", beta);
      const low = await askClaude("low", beta);
      expect(thinkingIn(low)).toBeLessThan(thinkingIn(high));
      const system = { role: "system", content: "Be brief.", output_config: { effort: "low" } };
      expect(thinkingIn(await askClaude("high", beta, system))).toBe(thinkingIn(low));
    },
  );
});

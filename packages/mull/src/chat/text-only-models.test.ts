import { describe, expect, test } from "vitest";
import type { UserMessage } from "../types/message.ts";
import { resolveChoice } from "./ask.ts";
import { compose, type Composed } from "./compose.ts";

const picture: UserMessage = {
  role: "user",
  parts: [
    { type: "text", text: "what is this?" },
    { type: "file", mediaType: "image/png", source: { type: "base64", data: "iVBORw0KGgo=" } },
  ],
};

const sent = (ref: string): Composed => compose(resolveChoice(ref), { messages: [picture] });

describe("P-G1 a model that reads text only is sent words for a picture, before it refuses it", () => {
  test.each([
    "deepseek:deepseek-v4-pro",
    "deepseek:deepseek-v3.2",
    "deepseek:deepseek-r1",
    "zai:glm-5.3",
    "zai:glm-5.3-highspeed",
    "zai:glm-5.2",
    "zai:glm-5-turbo",
    "zai:glm-4.7-flash",
    "mistral:glm-5.3",
    "mistral:codestral",
    "minimax:minimax-m2.7",
    "minimax:minimax-m2.5",
    "moonshot:kimi-k2-thinking",
    "moonshot:kimi-k2-0905",
    "xai:grok-code-fast-1",
    "xai:grok-3-mini",
    "groq:gpt-oss-120b",
    "openai:o3-mini",
    "openrouter:z-ai/glm-5",
    "openrouter:deepseek/deepseek-v4-pro",
  ])("%s", (ref) => {
    const { prepared, encoded } = sent(ref);
    expect(prepared.changes).toMatchObject([{ code: "file-omitted", message: 0, part: 1 }]);
    expect(JSON.stringify(encoded.body)).toContain("a file this model does not take");
    expect(JSON.stringify(encoded.body)).not.toContain("iVBORw0KGgo=");
  });
});

describe("P-G1 its neighbours that see get the picture", () => {
  test.each([
    "deepseek:deepseek-flash",
    "deepseek:deepseek-v4-flash",
    "zai:glm-5.3-flash",
    "zai:glm-5.3-flashx",
    "zai:glm-5v-turbo",
    "zai:glm-4.6v",
    "minimax:minimax-m3",
    "moonshot:kimi-k2.5",
    "moonshot:kimi-k3",
    "xai:grok-4.7",
    "mistral:mistral-large",
    "qwen:qwen3-vl-plus",
    "groq:qwen3.8",
    "openai:o4-mini",
  ])("%s", (ref) => {
    const { prepared, encoded } = sent(ref);
    expect(prepared.changes).toEqual([]);
    expect(JSON.stringify(encoded.body)).toContain("iVBORw0KGgo=");
  });
});

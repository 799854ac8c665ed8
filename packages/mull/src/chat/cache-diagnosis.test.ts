import { expect, test } from "vitest";
import { resolveModel } from "../providers/index.ts";
import { compose } from "./compose.ts";

const messages = [{ role: "user", parts: [{ type: "text", text: "Hi." }] }] as const;

test.each([
  ["claude-opus-5-5/low", true],
  ["gpt-6-sol/low", true],
  ["gpt-5.6/low", true],
  ["gpt-5/low", false],
  ["openai-chat:gpt-6-sol/low", false],
  ["openrouter:anthropic/claude-opus-5.5/low", false],
  ["gemini-3.8-flash/low", false],
])("R469 %s can say why its cache was missed: %s", (ref, canTell) => {
  const { encoded, notes } = compose(resolveModel(ref), { messages, cache: { diagnose: "id_1" } });
  expect(JSON.stringify(encoded.body).includes("id_1")).toBe(canTell);
  expect(notes.some(({ code }) => code === "cache-diagnosis")).toBe(!canTell);
});

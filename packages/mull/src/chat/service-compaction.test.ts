import { expect, test } from "vitest";
import { resolveModel } from "../providers/index.ts";
import { compose } from "./compose.ts";

const messages = [{ role: "user", parts: [{ type: "text", text: "Hi." }] }] as const;

const asked = (ref: string, serviceCompactsAt: number): unknown =>
  compose(resolveModel(ref), { messages, serviceCompactsAt }).encoded.body["context_management"];

test.each(["claude-opus-5-5/low", "claude-sonnet-4-6/low", "gpt-6-sol/low", "azure:gpt-5.6/low"])(
  "R443 %s shortens a conversation itself",
  (ref) => {
    expect(JSON.stringify(asked(ref, 60_000))).toContain("60000");
  },
);

test.each([
  "claude-sonnet-4-5/low",
  "openai-chat:gpt-6-sol/low",
  "openrouter:anthropic/claude-opus-5.5/low",
  "gemini-3.8-flash/low",
  "deepseek-v4-pro/low",
])("R443 %s does not, which is said before anything is sent", (ref) => {
  expect(() => asked(ref, 60_000)).toThrow(/^serviceCompactsAt: 60000 .+ compact: "auto"/);
});

test.each([
  ["claude-opus-5-5/low", 49_999, "50000 or more"],
  ["gpt-6-sol/low", 999, "1000 or more"],
])("R443 %s takes no %d tokens", (ref, tokens, allowed) => {
  expect(() => asked(ref, tokens)).toThrow(allowed);
});

import { expect, test } from "vitest";
import { startChat } from "../repl/testing/chat.ts";
import { jsonLines, mull } from "../testing/fake-io.ts";
import type { PlanView } from "./plan.ts";

test("R532: plan counts a question only where it is asked to, and says who counted", async () => {
  const quiet = await mull(["plan", "claude-opus-5-5/high", "--json"]);
  expect(jsonLines(quiet.out.replaceAll(/^\[|\]$/gm, ""))).toMatchObject([{ input: null }]);
  const counted = await mull(["plan", "claude-opus-5-5/high", "--count", "Why is the sky blue?"]);
  expect(counted.out).toMatch(/^ {2}input {4}\d+ tokens, counted by Anthropic$/m);
  const models = ["deepseek-v4-pro/high", "gpt-6-sol/low"];
  const { out } = await mull(["plan", ...models, "--count", "Why is the sky blue?", "--json"]);
  const views = JSON.parse(out) as readonly PlanView[];
  expect(views.map(({ input }) => input?.source)).toEqual(["estimate", "service"]);
  expect(views[0]?.input?.reason).toContain("DeepSeek");
});

test("R532: /plan estimates by itself, and asks the service with count", async () => {
  const chat = startChat({ model: "claude-opus-5-5" });
  await chat.sees("? for keys");
  await chat.say("/plan count");
  await chat.sees("nothing to count yet: the conversation is empty");
  await chat.say("What is 23 * 47?");
  const asked = chat.emulator.journal().length;
  await chat.say("/plan");
  await chat.sees(/input +~\d+ tokens of conversation · \/plan count asks the service/);
  expect(chat.emulator.journal()).toHaveLength(asked);
  await chat.say("/plan count");
  await chat.sees(/input +[\d,]+ tokens, counted by Anthropic/);
  await chat.say("/plan count gpt-6-sol/low");
  await chat.sees(/input +[\d,]+ tokens, counted by OpenAI/);
  expect(await chat.leave()).toBe(0);
});

import { emulate } from "@mull/emulator";
import { findProvider, isMullError, type Agent, type Level } from "mull";
import { describe, expect, test } from "vitest";

import { askStream, askWhole, converse, makeProvider, type Stage } from "../contract/ask.ts";
import { ask, documentModels } from "../contract/requests.ts";
import { thinkingQuestion } from "../contract/scenarios/thinking.ts";
import { loadFixture, positions, thinkingIn } from "./thinking-checks.ts";

const vendors = ["anthropic", "openai", "google"] as const;

/** A provider of a test's own, under names that are not served any more too. */
const emulated = (model: string): Stage =>
  makeProvider(model, emulate({ seed: "levels", unknownModels: "accept" }));

/** What a request at a level says about thinking, by provider. */
const sentAt = {
  anthropic: {
    low: { thinking: { type: "enabled", budget_tokens: 22_016, display: "summarized" } },
    high: { thinking: { type: "enabled", budget_tokens: 55_808, display: "summarized" } },
  },
  openai: {
    low: { reasoning: { effort: "low", summary: "auto" } },
    high: { reasoning: { effort: "high", summary: "auto" } },
  },
  google: {
    low: { thinkingConfig: { thinkingLevel: "LOW", includeThoughts: true } },
    high: { thinkingConfig: { thinkingLevel: "HIGH", includeThoughts: true } },
  },
} as const;

/** The turns of a conversation, whatever the wire calls them. */
const turnsOf = (body: object): readonly unknown[] => {
  const { messages, input, contents } = body as Record<string, readonly unknown[] | undefined>;
  return messages ?? input ?? contents ?? [];
};

const modelOf = (url: string, body: object): string =>
  (body as { model?: string }).model ?? /models\/([^:]+):/.exec(url)?.[1] ?? "";

describe("levels end to end", () => {
  test.each(vendors)(
    "R348 R178 R179 R180 R181 R182 R183 test_thinking_level_transition: %s, LOW to HIGH",
    async (vendor) => {
      const { exchanges, error } = await converse(
        emulated(documentModels[vendor]),
        { level: "low" },
        [
          (agent: Agent) => agent.send("What is 2+2?"),
          (agent: Agent) => agent.use({ level: "high" }).send(thinkingQuestion),
        ],
      );
      expect(error).toBeUndefined();
      const requests = exchanges.map(({ request }) => request);
      expect(requests.map(({ body }) => thinkingIn(body))).toEqual([
        sentAt[vendor].low,
        sentAt[vendor].high,
      ]);
      const models = requests.map(({ url, body }) => modelOf(url, body));
      expect(models).toEqual([documentModels[vendor], documentModels[vendor]]);
      const [first, second] = requests.map(({ body }) => turnsOf(body));
      expect(first).toHaveLength(1);
      expect(second?.[0]).toEqual(first?.[0]);
      expect(JSON.stringify(second)).toContain("2+2 = ");
      expect(JSON.stringify(second?.at(-1))).toContain(thinkingQuestion);
    },
  );

  test.each(vendors.flatMap((vendor) => positions.map((level) => [vendor, level] as const)))(
    "R279 R357 R384 %s at %s: the recorded answer is right and its receipt says what was sent",
    async (vendor, level) => {
      const { outcome, reply } = await loadFixture(vendor, level);
      const text = reply.message.parts.map((part) => ("text" in part ? part.text : "")).join("");
      expect(text).toContain("1,081");
      const sent = thinkingIn(outcome.exchanges[0]!.request.body);
      const isOff = vendor === "anthropic" && level === "none";
      expect(Object.keys(sent)).toHaveLength(isOff ? 0 : 1);
    },
  );

  test.each(vendors)("R4 R12 %s thinks more the higher the level", async (vendor) => {
    const counts: number[] = [];
    for (const level of positions) {
      const { reply } = await loadFixture(vendor, level);
      counts.push(reply.usage.thinking ?? 0);
    }
    expect(counts).toEqual(counts.toSorted((one, other) => one - other));
    expect(counts.at(-1)).toBeGreaterThan(counts[0]!);
  });

  test.each([
    "gpt-5-nano",
    "gpt-5-mini",
    "gpt-5",
    "claude-haiku-4-5",
    "claude-sonnet-4-5",
    "claude-opus-4-5",
    "gemini-2.5-flash-lite",
    "gemini-3.0-flash",
    "gemini-3.0-pro",
  ])("R355 R61 every listed model thinks at every level: %s", async (model) => {
    for (const level of ["low", "med", "high"] as const) {
      const { reply, error } = await askWhole(emulated(model), ask(thinkingQuestion, { level }));
      expect(error).toBeUndefined();
      expect(reply?.message.parts.map(({ type }) => type)).toEqual(["thinking", "text"]);
      expect(reply?.usage.thinking).toBeGreaterThan(0);
    }
  });

  test.each(["gpt-4o", "claude-3-5-haiku", "gemini-2.0-flash"])(
    "R351 R10 test_thinking_unsupported_model: %s answers without a setting",
    async (model) => {
      const { exchanges, result, error } = await askStream(
        emulated(model),
        ask(thinkingQuestion, { level: "high" }),
      );
      expect(error).toBeUndefined();
      expect(thinkingIn(exchanges[0]!.request.body)).toEqual({});
      expect(result?.thinking).toBe("");
      expect(result?.receipt.notes.map(({ code }) => code)).toContain("not-thinking");
    },
  );

  test.each([-1, 5, "maximum"])("R354 R9 the level %s never becomes a request", async (level) => {
    const { exchanges, error } = await askStream(
      emulated("claude-sonnet-4-5"),
      ask(thinkingQuestion, { level: level as Level }),
    );
    expect(exchanges).toEqual([]);
    expect(isMullError(error) && error.code).toBe("INVALID_ARG");
    expect(error?.message).toContain("auto none min low med high max");
  });

  test("R372 R373 D7 the three providers declare that they think", () => {
    for (const id of ["anthropic", "openai-responses", "google"]) {
      expect(findProvider(id).capabilities).toContain("thinking");
    }
  });
});

import * as fc from "fast-check";
import {
  compose,
  findModel,
  lint,
  resolveModel,
  type AssistantPart,
  type JsonObject,
  type Message,
  type Origin,
  type Part,
  type WireId,
} from "mull";
import { describe, expect, test } from "vitest";
import { runs } from "../runs.ts";
import { refs } from "./emulated.ts";

const targets = [
  ...refs,
  "deepseek:deepseek-v4-pro",
  "zai:glm-5",
  "qwen:qwen3-max",
  "xai:grok-4.3",
];

const originOf = (ref: string): Origin => {
  const { provider, model } = resolveModel(ref);
  const endpoint = new URL(provider.baseUrl).origin;
  return { wire: provider.wire.id, provider: provider.id, endpoint, model: model.id };
};
const origins = targets.map(originOf);

const sealed = `EqQB${"A".repeat(200)}`;
const sealData: Readonly<Record<WireId, (at: number) => JsonObject>> = {
  "anthropic-messages": () => ({ signature: sealed }),
  "openai-responses": (at) => ({ id: `rs_${at}`, encrypted_content: `gAAAAA${sealed}` }),
  "openai-chat": () => ({ field: "reasoning_content" }),
  "google-generate": () => ({ thoughtSignature: sealed }),
};

const words = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 8 }),
  fc.constantFrom("", " ", "\n"),
);
const ids = fc.oneof(
  fc.constantFrom("call_1", "call_1", "call_2", "", "ünïcode", "a b", "x".repeat(80), "toolu_1"),
  fc.uuid(),
);
const names = fc.constantFrom("get_weather", "search");
const input = fc.dictionary(fc.constantFrom("city", "days"), fc.jsonValue({ maxDepth: 1 }));

const assistantPart = (origin: Origin): fc.Arbitrary<AssistantPart> =>
  fc.oneof(
    fc.record(
      { type: fc.constant("text" as const), text: words, cut: fc.constant(true as const) },
      { requiredKeys: ["type", "text"] },
    ),
    fc.nat(9).map((at): AssistantPart => ({
      type: "thinking",
      text: at % 3 === 0 ? "" : "hm",
      visibility: "summary",
      ...(at > 1 && { seal: { origin, data: sealData[origin.wire](at) } }),
      ...(at === 9 && { send: false, cut: true }),
    })),
    fc.record({ id: ids, name: names, input }).map((call): AssistantPart => ({
      type: "tool-call",
      ...call,
      input: JSON.parse(JSON.stringify(call.input)) as JsonObject,
    })),
    fc.constant<AssistantPart>({
      type: "opaque",
      wire: "anthropic-messages",
      kind: "compaction",
      data: { type: "compaction", content: "so far" },
    }),
  );

const result = fc.record({ callId: ids, name: names, output: words }).map((part) => ({
  type: "tool-result" as const,
  ...part,
}));

const message: fc.Arbitrary<Message> = fc.oneof(
  fc
    .array(fc.record({ type: fc.constant("text" as const), text: words }), { maxLength: 2 })
    .map((parts): Message => ({ role: "user", parts })),
  fc
    .constantFrom(...origins)
    .chain((origin) =>
      fc
        .array(assistantPart(origin), { maxLength: 5 })
        .map((parts): Message => ({ role: "assistant", origin, parts })),
    ),
  fc.array(result, { maxLength: 3 }).map((parts): Message => ({ role: "tool", parts })),
);

const freeze = <T>(value: T): T => {
  if (typeof value === "object" && value !== null) {
    Object.values(value).forEach(freeze);
    Object.freeze(value);
  }
  return value;
};

const tools = ["get_weather", "search"].map((name) => ({
  name,
  inputSchema: { type: "object", properties: { city: { type: "string" } } },
}));

const hasContent = (part: Part): boolean =>
  part.type === "tool-call" ||
  part.type === "tool-result" ||
  (part.type === "text" && /\S/.test(part.text));

const goOn: Message = { role: "user", parts: [{ type: "text", text: "Go on." }] };

describe("P-G1 P-G2 any history at all becomes a request the service takes", () => {
  test.each(targets)("%s", (ref) => {
    const target = resolveModel(ref);
    fc.assert(
      fc.property(
        fc.array(message, { maxLength: 10 }),
        fc.constantFrom("auto", "none", "low", "high", "max"),
        fc.boolean(),
        (messages, level, isOpen) => {
          const asked = freeze(isOpen && messages.length > 0 ? messages : [...messages, goOn]);
          const { encoded, plan, prepared } = compose(
            target,
            { messages: asked, tools, level },
            { modelOf: (id) => findModel(id) },
          );
          fc.pre(prepared.messages.some(({ parts }) => parts.some(hasContent)));
          const { findings } = lint({ ...encoded, wire: plan.wire, model: target.model });
          expect(findings.filter(({ severity }) => severity === "error")).toEqual([]);
        },
      ),
      { numRuns: runs(400) },
    );
  });
});

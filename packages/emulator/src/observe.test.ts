import {
  Agent,
  chat,
  streamChat,
  tool,
  type ChatRequest,
  type Observation,
  type Observe,
} from "mull";
import { describe, expect, it } from "vitest";

import { emulate } from "./emulate.ts";
import { calls, fails, says } from "./script/actions.ts";
import { script } from "./script/script.ts";

const request: ChatRequest = {
  messages: [{ role: "user", parts: [{ type: "text", text: "What is 23 * 47?" }] }],
};
const models = [
  "claude-opus-5-5/low",
  "gpt-6-sol/low",
  "gemini-3.8-flash/low",
  "openai-chat:gpt-5/low",
];
const look = tool({ name: "look", input: { type: "object" }, run: () => "seen" });
const swift = { apiKey: "k", sleep: () => Promise.resolve() };

/** Observers hear of things a microtask later. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const watching = (): {
  readonly seen: Observation[];
  readonly observe: (o: Observation) => void;
} => {
  const seen: Observation[] = [];
  return { seen, observe: (observation) => void seen.push(observation) };
};

const asked = (step: number): readonly string[] =>
  ["composed", "sent", "retry", "sent", "first-byte", "end", "step"].map(
    (each) => `${each} ${step}`,
  );

const said = async (more: object): Promise<string> => {
  const agent = new Agent("gpt-6-sol/low", {
    fetch: emulate(),
    ...swift,
    tools: [look],
    ...more,
  });
  const chunks: string[] = [];
  for await (const { text = "" } of agent.sendStream("What is 23 * 47?")) chunks.push(text);
  return chunks.join("|");
};

describe("observe", () => {
  it.each(models)("R463 tells the whole way of a request to %s", async (model) => {
    const { seen, observe } = watching();
    const result = await chat(model, request, { fetch: emulate(), ...swift, observe });
    await settled();
    expect(seen.map(({ type }) => type)).toEqual(["composed", "sent", "first-byte", "end"]);
    expect(new Set(seen.map((each) => each.requestId)).size).toBe(1);
    expect(seen[0]).toMatchObject({ plan: { asked: "low" }, endpoint: /^https:/ });
    expect(seen.at(-1)).toMatchObject({
      receipt: result.receipt,
      reply: { finish: result.finish },
    });
  });

  it.each(models)(
    "R463 tells a turn of %s with its tools, retries and fallbacks",
    async (model) => {
      const { seen, observe } = watching();
      const emulator = emulate({
        scripts: [
          script({ turn: 1 }, [fails(500)], [calls("look"), calls("look")]),
          script({ turn: 2 }, [fails(529)], [says("Done.")]),
        ],
      });
      const agent = new Agent(model, {
        fetch: emulator,
        ...swift,
        maxAttempts: 2,
        tools: [look],
        observe,
      });
      await agent.send("Look twice");
      await settled();
      const names = seen.map(({ type, step }) => (step === undefined ? type : `${type} ${step}`));
      expect(names.filter((name) => !name.startsWith("tool"))).toEqual([
        "turn-start",
        ...asked(0),
        ...asked(1),
        "turn-end",
      ]);
      expect(names.filter((name) => name === "tool-start 0")).toHaveLength(2);
      expect(names.filter((name) => name === "tool-end 0")).toHaveLength(2);
      expect(new Set(seen.map(({ turnId }) => turnId)).size).toBe(1);
      expect(seen.map(({ at }) => at)).toEqual(seen.map(({ at }) => at).toSorted((a, b) => a - b));
    },
  );

  it("R463 tells repairs and fallbacks", async () => {
    const { seen, observe } = watching();
    const emulator = emulate({ scripts: [script({ model: "claude-opus-5-5" }, [fails(529)])] });
    const fallback = ["gpt-6-sol/low"];
    const options = { fetch: emulator, ...swift, maxAttempts: 1, fallback, observe };
    await new Agent("claude-opus-5-5", options).send("Hi");
    const wrong = { ...request, extra: { thinking: { type: "enabled", budget_tokens: 5 } } };
    await chat("claude-haiku-4-5/low", wrong, options);
    await settled();
    const types = seen.map(({ type }) => type);
    expect(types).toContain("fallback");
    expect(types.slice(types.indexOf("repair"))).toEqual(["repair", "sent", "first-byte", "end"]);
    expect(seen.find(({ type }) => type === "end")).toHaveProperty("error.category", "overloaded");
  });

  it("R463 tells that a reader has left, and what went wrong before anything was sent", async () => {
    const { seen, observe } = watching();
    for await (const _ of streamChat(models[0] ?? "", request, {
      fetch: emulate(),
      ...swift,
      observe,
    }))
      break;
    const failed = new Agent("gpt-6-sol", { env: {}, observe }).send("Hi");
    await expect(failed).rejects.toMatchObject({ code: "missing_key" });
    await settled();
    const ends = seen.filter(({ type }) => type === "end" || type === "turn-end");
    expect(ends.map((end) => "error" in end && (end.error as { code?: string }).code)).toEqual([
      false,
      "missing_key",
      "missing_key",
    ]);
  });

  it.each([
    [
      "throws",
      () => {
        throw new Error("broken observer");
      },
    ],
    ["rejects", () => Promise.reject(new Error("broken observer"))],
    ["never answers", () => new Promise<never>(() => undefined)],
    [
      "throws nothing at all",
      () => {
        throw undefined;
      },
    ],
  ] as const)("R464 one that %s breaks nothing and holds nothing up", async (_how, observe) => {
    expect(await said({ observe })).toBe(await said({}));
  });

  it.each<readonly [string, Observe["around"]]>([
    ["starts it", (_, run) => run()],
    ["starts it twice", (_, run) => [run(), run()]],
    ["starts it late", (_, run) => Promise.resolve().then(run)],
    ["does not start it", () => undefined],
    [
      "throws",
      () => {
        throw new Error("no");
      },
    ],
    ["rejects", () => Promise.reject(new Error("no"))],
  ])("R464 a tool runs once where what is around it %s", async (_, around) => {
    let runs = 0;
    const counted = tool({ name: "look", input: { type: "object" }, run: () => `${(runs += 1)}` });
    const scripts = [script({}, [calls("look")], [says("Ok.")])];
    const observe = Object.assign(() => undefined, { around });
    const options = { fetch: emulate({ scripts }), apiKey: "k", tools: [counted], observe };
    const { text } = await new Agent("claude-opus-5-5/low", options).send("Look");
    expect([text, runs]).toEqual(["Ok.", 1]);
  });

  it("R464 hears of a request when it is on its way", async () => {
    const order: string[] = [];
    const emulator = emulate();
    const fetch: typeof emulator = Object.assign((...given: Parameters<typeof emulator>) => {
      order.push("posted");
      return emulator(...given);
    }, emulator);
    const observe = ({ type }: Observation): void => void order.push(type);
    await chat("gpt-6-sol/low", request, { fetch, ...swift, observe });
    expect(order.slice(0, 2)).toEqual(["posted", "composed"]);
  });
});

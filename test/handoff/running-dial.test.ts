import { says, script, calls } from "@mull/emulator";
import { History, type JsonObject, type Level } from "mull";
import { describe, expect, test } from "vitest";
import { agentAt, bodiesOf, emulator, refusalsOf } from "./emulated.ts";

interface Item {
  readonly role?: string;
  readonly type?: string;
  readonly output_config?: { readonly effort?: string };
  readonly reasoning?: { readonly effort?: string };
}

/** Written here independently, as the services read it: the last change inside the conversation, else the top-level value. */
function inForce(body: JsonObject | undefined): string {
  const { messages, input, output_config, reasoning, thinking } = body as {
    readonly messages?: readonly Item[];
    readonly input?: readonly Item[];
    readonly thinking?: { readonly type: string };
  } & Item;
  if (thinking?.type === "disabled" || thinking?.type === "between_tools") return "off";
  const [update] = (messages ?? input ?? []).flatMap(updateOf).toReversed();
  return update ?? output_config?.effort ?? reasoning?.effort ?? "auto";
}

const updateOf = (item: Item): readonly string[] => {
  const { output_config, reasoning } = item;
  const isUpdate = item.role === "system" || item.type === "configuration_update";
  const effort = isUpdate ? (output_config ?? reasoning)?.effort : undefined;
  return effort === undefined ? [] : [effort];
};

const updatesOf = (body: JsonObject | undefined): readonly string[] => {
  const { messages, input } = body as { messages?: readonly Item[]; input?: readonly Item[] };
  return (messages ?? input ?? []).flatMap(updateOf);
};

const [opus5, opus, sonnet, sol] = [
  "claude-opus-5",
  "claude-opus-5-5",
  "claude-sonnet-5-5",
  "gpt-6-sol",
];

/** Levels turn by turn, and the effort each answer is given with. */
const talks: readonly (readonly [string, readonly Level[], readonly string[]])[] = [
  [opus, ["high", "low", "auto"], ["high", "low", "auto"]],
  [opus, ["high", "low", "low", "high", "high"], ["high", "low", "low", "high", "high"]],
  [opus, ["high", "low", "none"], ["high", "low", "low"]],
  [opus5, ["high", "low", "none", "low"], ["high", "low", "off", "low"]],
  [sonnet, ["high", "low", "none", "max", "low"], ["high", "low", "off", "max", "low"]],
  [sol, ["high", "low", "none"], ["high", "low", "none"]],
  [sol, ["high", "low", "auto"], ["high", "low", "auto"]],
  [sol, ["none", "high", "none", "low"], ["none", "high", "none", "low"]],
  [sol, ["high", "low", "auto", "high", "low"], ["high", "low", "auto", "high", "low"]],
  [sol, ["auto", "low", "high", "low"], ["auto", "low", "high", "low"]],
];

describe("the level in a running conversation is the last one asked for", () => {
  test.each(talks)("%s at %j", async (ref, levels, efforts) => {
    const served = emulator();
    const agent = agentAt(ref, served, { tools: [] });
    for (const [turn, level] of levels.entries()) {
      const { receipt } = await agent.use({ level }).send(`Question ${turn}`);
      const body = bodiesOf(served).at(-1);
      const effort = efforts[turn]!;
      expect([turn, inForce(body)]).toEqual([turn, effort]);
      const { output_config: config, reasoning } = receipt.sent as Item;
      const isWord = effort !== "auto" && effort !== "off";
      expect(config?.effort ?? reasoning?.effort).toBe(isWord ? effort : undefined);
      expect(agent.history.messages.at(-1)).toMatchObject({ role: "assistant" });
      const { effort: kept } = agent.history.messages.at(-1) as { readonly effort?: string };
      expect(kept).toBe(effort);
    }
    expect(refusalsOf(served)).toEqual([]);
  });

  test.each(talks)("%s at %j, saved and read again between the turns", async (ref, levels) => {
    const inOneGo = emulator();
    const agent = agentAt(ref, inOneGo, { tools: [] });
    for (const level of levels) await agent.use({ level }).send("And?");
    const saved = emulator();
    let history = History.empty;
    for (const level of levels) {
      const again = agentAt(ref, saved, { tools: [], level, history });
      await again.send("And?");
      history = History.parse(JSON.parse(JSON.stringify(again.history)));
    }
    expect(bodiesOf(saved)).toEqual(bodiesOf(inOneGo));
  });

  test.each([opus, sol])("%s takes its own place up again between other models", async (ref) => {
    const served = emulator();
    const agent = agentAt(ref, served, { tools: [] });
    const steps = ["high", "gemini-3.8-flash/low", "low", "gpt-5/high", "high", "auto", "low"];
    const seen: string[] = [];
    for (const step of steps) {
      const isOther = step.includes("/");
      await agent.use(isOther ? step : `${ref}/${step}`).send("And?");
      if (!isOther) seen.push(inForce(bodiesOf(served).at(-1)));
    }
    expect(seen).toEqual(["high", "low", "high", "auto", "low"]);
    expect(refusalsOf(served)).toEqual([]);
  });

  test.each([opus, sol])("%s sends what was sent before at the same place again", async (ref) => {
    const served = emulator();
    const agent = agentAt(ref, served, { tools: [] });
    for (const level of ["high", "low", "low", "high", "low"] as const)
      await agent.use({ level }).send("And?");
    const lists = bodiesOf(served).map(
      ({ messages, input }) => (messages ?? input) as readonly JsonObject[],
    );
    const heads = lists.slice(1).map((list, at) => list.slice(0, lists[at]!.length));
    expect(heads).toEqual(lists.slice(0, -1));
    const tops = bodiesOf(served).map(({ output_config, reasoning }) => output_config ?? reasoning);
    expect(new Set(tops.map((top) => (top as JsonObject)["effort"]))).toEqual(new Set(["high"]));
  });

  test("an effort changed in a tool loop stays for the loop", async () => {
    const call = [calls("get_weather", { city: "Oslo" })];
    const served = emulator({ scripts: [script({}, [says("hi")], call, call, [says("done")])] });
    const agent = agentAt(opus, served, { level: "high" });
    await agent.send("Hello");
    await agent.use({ level: "low" }).send("Weather?");
    expect(bodiesOf(served).map(inForce)).toEqual(["high", "low", "low", "low"]);
    expect(refusalsOf(served)).toEqual([]);
  });

  test("thoughts behind a change of effort go with it, and later ones stay", async () => {
    const served = emulator();
    const agent = agentAt(opus, served, {});
    const used: number[] = [];
    for (const level of ["high", "low", "auto", "max"] as const) {
      const { usage } = await agent.use({ level }).send("What is the weather in Oslo?");
      used.push(usage.thinking ?? 0);
    }
    const { messages = [] } = bodiesOf(served).at(-1) ?? {};
    const thoughts = (messages as readonly JsonObject[])
      .filter(({ role }) => role === "assistant")
      .map(({ content }) => JSON.stringify(content).includes('"type":"thinking"'));
    expect(used.filter((tokens) => tokens === 0)).toEqual([]);
    expect(thoughts).toEqual([true, true, false, false, true, true, true]);
    expect(refusalsOf(served)).toEqual([]);
  });

  test("what an earlier version put into a history is not sent against the dial", async () => {
    const served = emulator();
    const agent = agentAt(sol, served, { level: "high", tools: [] });
    await agent.send("One");
    const wire = "openai-responses";
    agent.history = agent.history.append({
      role: "system",
      parts: [
        {
          type: "opaque",
          wire,
          kind: "effort-update",
          data: { effort: "low" },
          show: false,
          seal: { origin: { wire, provider: "openai", model: sol }, data: {} },
        },
      ],
    });
    await agent.use({ level: "auto" }).send("Two");
    await agent.use({ level: "high" }).send("Three");
    const later = bodiesOf(served).slice(1);
    expect(later.map(inForce)).toEqual(["auto", "high"]);
    expect(later.flatMap(updatesOf)).toEqual([]);
    expect(agent.history.messages.some(({ role }) => role === "system")).toBe(true);
  });
});

const codesOf = ({ notes }: { readonly notes: readonly { readonly code: string }[] }): string[] =>
  notes.map(({ code }) => code).filter((code) => code === "cache-miss" || code === "effort-update");

describe("notes about a changed level", () => {
  const [update, miss] = ["effort-update", "cache-miss"];
  test.each([
    [sol, ["high", "low", "low", "none", "auto", "low"], ["", update, "", update, miss, miss]],
    [sol, ["auto", "low", "auto", "auto", "high"], ["", miss, miss, "", miss]],
    ["gemini-3.8-flash", ["auto", "low", "low", "auto"], ["", miss, "", miss]],
    [opus5, ["high", "low", "low", "none", "none", "auto"], ["", update, "", miss, "", miss]],
  ] as const)("%s at %j: one or the other, when it changed", async (ref, levels, expected) => {
    const agent = agentAt(ref, emulator(), { tools: [] });
    const codes: string[] = [];
    for (const level of levels)
      codes.push(codesOf((await agent.use({ level }).send("And?")).receipt).join(" "));
    expect(codes).toEqual(expected);
  });

  test.each(["openai-chat:gpt-6-sol/high", "claude-sonnet-4-5/high", "gemini-3.8-flash/high"])(
    "%s with tools: nothing changed, and no note says so",
    async (ref) => {
      const agent = agentAt(ref, emulator(), { level: "high" });
      await agent.send("One");
      expect(codesOf((await agent.send("Two")).receipt)).toEqual([]);
    },
  );

  test("openai-chat:gpt-6-sol from low to high: the new effort is sent", async () => {
    const served = emulator();
    const agent = agentAt("openai-chat:gpt-6-sol", served, { level: "low", tools: [] });
    await agent.send("One");
    const { receipt } = await agent.use({ level: "high" }).send("Two");
    expect(bodiesOf(served).map((body) => body["reasoning_effort"])).toEqual(["low", "high"]);
    expect(codesOf(receipt)).toEqual(["cache-miss"]);
  });
});

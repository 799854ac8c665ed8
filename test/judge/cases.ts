import { calls, emulate, says, script, thinks, type Action, type Emulator } from "@mull/emulator";
import {
  Agent,
  levels,
  providers,
  resolveModel,
  tool,
  type AgentOptions,
  type FilePart,
  type JsonObject,
  type Level,
  type Tool,
  type UserPart,
} from "mull";
import { capturing, capturingReplies, type Captured } from "./capture.ts";

/** One model at one level, and where its requests are shown. */
export interface Seat {
  readonly ref: string;
  readonly level: Level;
  readonly show: (request: Captured) => void;
}

const vendors: ReadonlySet<string> = new Set(["anthropic", "openai", "openai-chat", "google"]);

/** Every model of the three vendors, OpenAI's on both of its wires. */
export const refs: readonly string[] = providers
  .filter(({ id }) => vendors.has(id))
  .flatMap(({ id, models }) => models.map((model) => `${id}:${model.id}`));

const weather: Tool = tool({
  name: "get_weather",
  description: "The weather in a city.",
  input: {
    type: "object",
    properties: { city: { type: "string" } },
    required: ["city"],
    additionalProperties: false,
  },
  run: ({ city }) => {
    if (city === "Atlantis") throw new Error("No such city.");
    return "9 degrees, clear";
  },
});

const image: FilePart = {
  type: "file",
  mediaType: "image/png",
  source: { type: "base64", data: "iVBORw0KGgo=" },
};
const linkedImage: FilePart = {
  type: "file",
  mediaType: "image/png",
  source: { type: "url", url: "https://example.com/a.png" },
};
const pdf: FilePart = {
  type: "file",
  mediaType: "application/pdf",
  name: "plan.pdf",
  source: { type: "base64", data: "JVBERi0xLjQK" },
};

const camera: Tool = tool({
  name: "look",
  description: "A picture of a place.",
  input: { type: "object", properties: {} },
  run: () => [{ type: "text", text: "This:" }, image],
});

const reply: JsonObject = {
  type: "object",
  properties: { answer: { type: "string" }, sure: { type: "boolean" } },
  required: ["answer", "sure"],
  additionalProperties: false,
};

const called: readonly Action[] = [thinks("Look."), calls("get_weather", { city: "Oslo" })];
const calledTwice: readonly Action[] = [
  thinks("Two."),
  says("Both at once."),
  calls("get_weather", { city: "Rome" }),
  calls("get_weather", { city: "Atlantis" }),
];
const looked: readonly Action[] = [thinks("See."), calls("look")];
const done: readonly Action[] = [thinks("So."), says("Done.")];

/** Answers look alike at every level that thinks. */
const judgesReplies = ({ level }: Seat): boolean => level === "none" || level === "high";

/** An agent that is refused rather than repaired, answered by script and then as the emulator likes. */
const seated = (
  seat: Seat,
  turns: readonly (readonly Action[])[],
  options: AgentOptions,
): Agent => {
  const service = (): Emulator =>
    emulate({
      seed: "judge",
      secret: "judge",
      unknownModels: "accept",
      scripts: [script({}, ...turns)],
    });
  const answered = judgesReplies(seat)
    ? capturingReplies(service(), service(), seat.show)
    : service();
  return new Agent(seat.ref, {
    fetch: capturing(answered, seat.show),
    simulated: true,
    apiKey: "emulated",
    env: {},
    heal: "fail",
    maxAttempts: 1,
    clock: () => 0,
    level: seat.level,
    ...options,
  });
};

const above = (level: Level): Level => levels[Math.min(levels.indexOf(level) + 2, 6)]!;
const below = (level: Level): Level => levels[Math.max(levels.indexOf(level) - 1, 2)]!;

/** A turn of three steps: another model begins, this one takes over, and hands back. */
async function switchInLoop(seat: Seat, other: string): Promise<void> {
  const turns = [called, calledTwice, done, done];
  const agent = seated({ ...seat, ref: other }, turns, { tools: [weather] });
  const next = [seat.ref, other];
  for await (const { event } of agent.sendStream("Weather?")) {
    if (event.type !== "step") continue;
    const model = next.shift();
    if (model !== undefined) agent.use({ model, level: seat.level });
  }
  await agent.use({ model: seat.ref, level: seat.level }).send("And tomorrow?");
}

const ask = async (seat: Seat, question: readonly UserPart[]): Promise<void> => {
  const agent = seated(seat, [done, done], {});
  await agent.send([{ type: "text", text: "What is this?" }, ...question]);
  await agent.send("Sure?");
};

const wishes: readonly AgentOptions[] = [
  { temperature: 0.5, topP: 0.9, topK: 10, stopSequences: ["END", "STOP"] },
  { temperature: 1, topP: 0.97, maxOutputTokens: 2000, showThinking: "concise" },
  { showThinking: false, userId: "user-1" },
  { cache: { key: "k", breakpoints: true }, showThinking: "auto", toolChoice: "auto" },
  { showThinking: "detailed", toolChoice: "none" },
  { showThinking: "brief", toolChoice: "required" },
  { toolChoice: { tool: "get_weather" } },
];

/** Models that do not think take no budget. */
const wishesFor = (ref: string): readonly AgentOptions[] => {
  const { kind } = resolveModel(ref).model.thinking;
  return kind === "none" ? wishes : [...wishes, { thinkingBudget: 3000, showThinking: false }];
};

/** One model of every wire and of every way to think, to take over from and to hand over to. */
export const partners: readonly string[] = [
  "anthropic:claude-opus-5-5",
  "anthropic:claude-sonnet-4-5",
  "openai:gpt-6-sol",
  "openai-chat:gpt-5.1",
  "google:gemini-3.8-flash",
  "google:gemini-2.5-pro",
];

const vendorOf = (ref: string): string => ref.replace(/-chat:.*|:.*/, "");
const othersOf = (ref: string): readonly string[] =>
  partners.filter((partner) => vendorOf(partner) !== vendorOf(ref));

export const cases: Readonly<Record<string, (seat: Seat) => Promise<void>>> = {
  plain: async (seat) => {
    const agent = seated(seat, [done, done], { system: "Be brief." });
    await agent.send("Hello");
    await agent.send("Go on.");
  },
  "the level moves": async (seat) => {
    const agent = seated(seat, [done, done, called, done], { tools: [weather] });
    await agent.send("One");
    for (const level of [above(seat.level), below(seat.level), "none", "auto"] as const)
      await agent.use({ level }).send(`Now ${level}`);
  },
  "a tool loop": async (seat) => {
    const agent = seated(seat, [called, calledTwice, looked, done, done], {
      tools: [weather, camera],
    });
    await agent.send("Weather?");
    await agent.send("Thanks.");
  },
  "an image": (seat) => ask(seat, [image, linkedImage]),
  "a PDF": (seat) => ask(seat, [pdf]),
  "structured output": async (seat) => {
    const output = { name: "reply", schema: reply };
    await seated(seat, [], { output }).send("Hello");
    // Older Geminis take no schema beside tools, and what is no such object fails the turn.
    const object = [says('{"answer":"Clear.","sure":true}')];
    const agent = seated(seat, [called, object], { output, tools: [weather] });
    await agent.send("Weather?");
  },
  "every option": async (seat) => {
    for (const wish of wishesFor(seat.ref))
      await seated(seat, [done], { tools: [weather], ...wish }).send("Weather?");
  },
  "taken over and handed back": async (seat) => {
    for (const other of othersOf(seat.ref)) await switchInLoop(seat, other);
  },
};

import { calls, emulate, says, script, thinks } from "@mull/emulator";
import type { Fetch, JsonObject, WireId } from "mull";
import { isJsonObject } from "mull/wire";
import { describe, expect, test } from "vitest";

import { createGateway, type Gateway, type GatewayReceipt } from "./index.ts";
import { createSealCodec } from "./seal-codec.ts";
import { openRawClient, type Habits, type RawClient } from "./testing/raw-client.ts";
import { sentText } from "./testing/set-up.ts";
import { keys, testWires } from "./testing/wires.ts";

const secret = "one secret for all gateways";

/** An emulator whose requests and answers are kept. */
function watched(): { readonly fetch: Fetch; readonly sent: string[]; readonly came: string[] } {
  const emulator = emulate({
    scripts: [
      script({ turn: 1 }, [
        thinks("The weather first, then the time."),
        calls("weather", { city: "Oslo" }),
        calls("clock", { city: "Oslo" }),
      ]),
      script({ turn: 2 }, [thinks("One more city."), calls("weather", { city: "Bergen" })]),
      script({ turn: 3 }, [thinks("Now I know."), says("Four degrees at noon.")]),
      script({ turn: 4 }, [says("You are welcome.")]),
    ],
  });
  const sent: string[] = [];
  const came: string[] = [];
  const fetch: Fetch = async (url, init) => {
    sent.push(sentText(init));
    const response = await emulator(url, init);
    const text = await response.text();
    came.push(text);
    return new Response(text, response);
  };
  return { fetch: Object.assign(fetch, { simulated: true }), sent, came };
}

/** Every seal in an answer of a service, and the plain thinking of those that seal nothing. */
function sealsOf(wire: WireId, answer: string): readonly string[] {
  const found = (pattern: RegExp): readonly string[] =>
    [...answer.matchAll(pattern)].map(([, seal = ""]) => seal).filter((seal) => seal !== "");
  switch (wire) {
    case "anthropic-messages":
      return found(/"signature":"([^"]+)"/g);
    case "openai-responses":
      return found(/output_item\.done.*?"encrypted_content":"([^"]+)"/g);
    case "openai-chat":
      return [found(/"reasoning_content":"([^"]*)"/g).join("")].filter((text) => text !== "");
    case "google-generate":
      return found(/"functionCall".*?"thoughtSignature":\s*"([^"]+)"/g);
    default:
      return wire satisfies never;
  }
}

interface Told {
  readonly answers: readonly JsonObject[];
  readonly receipts: readonly GatewayReceipt[];
  readonly sent: readonly string[];
  readonly came: readonly string[];
  /** `x-mull-receipt` of every answer. */
  readonly heads: readonly string[];
}

/** A turn of two rounds of tools, a new process of the client and of the gateway, and one more question. */
async function loopAndResume(client: RawClient, service: string): Promise<Told> {
  const { fetch, sent, came } = watched();
  const receipts: GatewayReceipt[] = [];
  const restart = (): Gateway =>
    createGateway({
      secret,
      env: keys,
      fetch,
      model: service,
      onRequest: (receipt) => void receipts.push(receipt),
    });
  const answers: JsonObject[] = [];
  const heads: string[] = [];
  const step = async (gateway: Gateway): Promise<number> => {
    const response = await gateway.fetch(client.request());
    const body: unknown = await response.json();
    expect({ status: response.status, body, receipts }).toMatchObject({ status: 200 });
    if (!isJsonObject(body)) throw new TypeError("no object");
    answers.push(body);
    heads.push(response.headers.get("x-mull-receipt") ?? "");
    return client.take(body).length;
  };
  client.ask("How is the weather in Oslo?");
  expect(await step(restart())).toBe(2);
  client.answer(["4 degrees", "noon"]);
  expect(await step(restart())).toBe(1);
  client.answer(["6 degrees"]);
  expect(await step(restart())).toBe(0);
  client.resume();
  client.ask("Thank you!");
  expect(await step(restart())).toBe(0);
  return { answers, receipts, sent, came, heads };
}

const pairs = testWires.flatMap((client) =>
  testWires.filter(({ wire }) => wire !== client.wire).map((service) => ({ client, service })),
);

describe("promise 3: thoughts survive in a client that knows only its own wire", () => {
  test.each(pairs)(
    "$client.wire carries the seals of $service.wire through a loop, a resume and a restart",
    async ({ client, service }) => {
      const raw = openRawClient(client.wire, client.model);
      const { sent, came, receipts } = await loopAndResume(raw, service.model);
      const [first = [], second = []] = came.map((answer) => sealsOf(service.wire, answer));
      expect(first.length).toBeGreaterThan(0);
      for (const seal of first) expect(sent[1]).toContain(seal);
      for (const seal of [...first, ...second]) expect(sent[2]).toContain(seal);
      // DeepSeek takes the thinking of the running loop only; the others have it all back.
      const lasting = service.wire === "openai-chat" ? [] : second;
      for (const seal of lasting) expect(sent[3]).toContain(seal);
      expect(receipts.flatMap(({ seals }) => seals.broken)).toEqual([0, 0, 0, 0]);
    },
  );
});

describe("another model of the same wire", () => {
  test.each([
    { wire: "anthropic-messages", asked: "claude-haiku-4-5", service: "claude-opus-5-5/high" },
    { wire: "openai-responses", asked: "gpt-5.5", service: "gpt-6-sol/high" },
    { wire: "openai-chat", asked: "kimi-k2.6", service: "deepseek-v4-pro/high" },
    { wire: "google-generate", asked: "gemini-2.5-flash", service: "gemini-3.8-flash/high" },
  ] as const)("$asked is answered by $service", async ({ wire, asked, service }) => {
    const { sent, came, receipts } = await loopAndResume(openRawClient(wire, asked), service);
    const [first = []] = came.map((answer) => sealsOf(wire, answer));
    expect(first.length).toBeGreaterThan(0);
    for (const seal of first) expect(sent[1]).toContain(seal);
    expect(receipts.map(({ lane, level }) => [lane, level])).toEqual(
      Array.from({ length: 4 }, () => ["translate", "high"]),
    );
  });
});

const without =
  (...names: readonly string[]) =>
  (item: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(item).filter(([name]) => !names.includes(name)));

/** What real clients were seen to do. */
const clients: readonly {
  readonly name: string;
  readonly wire: WireId;
  readonly habits: Habits;
}[] = [
  {
    name: "Codex drops unknown fields and item ids",
    wire: "openai-responses",
    habits: {
      loop: (item) =>
        item["type"] === "reasoning" ? { ...item, id: undefined } : without("id", "status")(item),
    },
  },
  {
    name: "opencode drops the ids of functions on Google",
    wire: "google-generate",
    habits: {
      loop: (item) =>
        isJsonObject(item["functionCall"])
          ? { ...item, functionCall: without("id")(item["functionCall"]) }
          : item,
    },
  },
  {
    name: "gemini-cli drops thoughts",
    wire: "google-generate",
    habits: { loop: (item) => (item["thought"] === true ? undefined : item) },
  },
  {
    name: "opencode and OpenAI's SDK keep the ids of calls alone on Chat Completions",
    wire: "openai-chat",
    habits: { loop: without("reasoning_details", "reasoning_content") },
  },
  {
    name: "pi keeps the details of reasoning and calls on Chat Completions",
    wire: "openai-chat",
    habits: {},
  },
];

describe("table 1: what comes back", () => {
  const table = clients.flatMap((client) =>
    testWires
      .filter(({ wire }) => wire !== client.wire && wire !== "openai-chat")
      .map((service) => ({ ...client, service })),
  );
  test.each(table)("$name, $service.wire answers", async ({ wire, habits, service }) => {
    const model = testWires.find((each) => each.wire === wire)!.model;
    const raw = openRawClient(wire, model, habits);
    const { sent, came } = await loopAndResume(raw, service.model);
    const [first = []] = came.map((answer) => sealsOf(service.wire, answer));
    for (const seal of first) expect(sent[1]).toContain(seal);
    for (const seal of first) expect(sent[2]).toContain(seal);
  });
});

const claude = "claude-opus-5-5";
const openRawClaude = (habits: Habits): RawClient =>
  openRawClient("openai-chat", "gpt-5.5", habits);

const rename = (from: RegExp, to: string): Habits => ({
  loop: (item) => JSON.parse(JSON.stringify(item).replaceAll(from, to)) as JsonObject,
});

const gatewayOf = (own: string, receipts: GatewayReceipt[]): Gateway =>
  createGateway({
    secret: own,
    env: keys,
    fetch: watched().fetch,
    model: "gpt-6-sol/high",
    onRequest: (receipt) => void receipts.push(receipt),
  });

const firstLoop = async (client: RawClient): Promise<readonly GatewayReceipt[]> => {
  const receipts: GatewayReceipt[] = [];
  const gateway = createGateway({
    secret,
    env: keys,
    fetch: watched().fetch,
    model: `${claude}/high`,
    onRequest: (receipt) => void receipts.push(receipt),
  });
  client.ask("How is the weather in Oslo?");
  client.take((await (await gateway.fetch(client.request())).json()) as JsonObject);
  client.answer(["4 degrees", "noon"]);
  expect((await gateway.fetch(client.request())).status).toBe(200);
  return receipts;
};

test("on Google's wire each thought stands in one text, and comes back once", async () => {
  const emulator = emulate({
    scripts: [
      script({ turn: 1 }, [thinks("First."), says("One."), thinks("Second."), says("Two.")]),
      script({ turn: 2 }, [says("Three.")]),
    ],
  });
  const sent: string[] = [];
  const fetch: Fetch = (url, init) => {
    sent.push(sentText(init));
    return emulator(url, init);
  };
  const gateway = createGateway({
    secret,
    env: keys,
    fetch: Object.assign(fetch, { simulated: true }),
    model: `${claude}/high`,
  });
  const client = openRawClient("google-generate", "gemini-3.8-flash");
  client.ask("Count.");
  const answer = (await (await gateway.fetch(client.request())).json()) as JsonObject;
  const codec = createSealCodec(secret);
  const carried = [...JSON.stringify(answer).matchAll(/"thoughtSignature":"([^"]+)"/g)].map(
    ([, text = ""]) => codec.open(text)?.thoughts?.map((thought) => thought.text),
  );
  expect(carried).toEqual([["First."], ["Second."]]);
  client.take(answer);
  client.ask("Go on.");
  expect((await gateway.fetch(client.request())).status).toBe(200);
  const { messages } = JSON.parse(sent[1] ?? "{}") as { readonly messages: readonly JsonObject[] };
  const content = messages[1]?.["content"];
  expect(Array.isArray(content) && content.filter(isJsonObject).map(({ type }) => type)).toEqual([
    "thinking",
    "text",
    "thinking",
    "text",
  ]);
});

describe("seals that do not come back whole", () => {
  test("a seal that was stripped is an open loop, and the receipt says so", async () => {
    // Ids hold short seals, too: this client makes up its own.
    const names = new Map<string, string>();
    const habits: Habits = {
      loop: (item) => {
        const { reasoning_details: _, reasoning_content: __, ...rest } = item;
        const text = JSON.stringify(rest).replaceAll(/"id":"([^"]+)"/g, (_all, id: string) => {
          if (!names.has(id)) names.set(id, `call_${names.size}`);
          return `"id":"${names.get(id)}"`;
        });
        return JSON.parse(text) as JsonObject;
      },
    };
    const receipts = await firstLoop(openRawClaude(habits));
    expect(receipts[0]?.seals.carried).toBeGreaterThan(0);
    expect(receipts[1]?.seals).toMatchObject({ opened: 0, broken: 0 });
    expect(receipts[1]?.notes.map(({ code }) => code)).toContain("seal-stripped");
  });

  test("a seal that was altered is not opened, and the receipt says so", async () => {
    const receipts = await firstLoop(openRawClaude(rename(/bXVsbDEA..../g, "bXVsbDEAAAAA")));
    expect(receipts[1]?.seals.broken).toBeGreaterThan(0);
    expect(receipts[1]?.notes.map(({ code }) => code)).toContain("seal-unreadable");
  });

  test("a seal of another installation is not opened", async () => {
    const client = openRawClient("anthropic-messages", claude);
    client.ask("How is the weather in Oslo?");
    const receipts: GatewayReceipt[] = [];
    const first = await gatewayOf(secret, receipts).fetch(client.request());
    client.take((await first.json()) as JsonObject);
    client.answer(["4 degrees", "noon"]);
    await gatewayOf("a secret of somebody else", receipts).fetch(client.request());
    expect(receipts[1]?.seals).toMatchObject({ opened: 0, broken: 1 });
  });

  /** gemini-cli: only ids survive a resume, and every result comes twice. */
  const geminiCli: Habits = {
    resume: ({ thoughtSignature: _signature, thought, ...part }) =>
      thought === true ? undefined : part,
    resumeOwn: ({ parts, ...content }) => {
      const own = Array.isArray(parts) ? parts : [];
      const isResults = JSON.stringify(own).includes('"functionResponse"');
      return { ...content, parts: isResults ? [...own, ...own] : own };
    },
  };

  test.each([
    { service: "gpt-6-sol/high", wire: "openai-responses", callId: /"call_id":"(call_\w+)"/g },
    { service: "claude-opus-5-5/high", wire: "anthropic-messages", callId: /"toolu_\w+"/g },
  ] as const)("gemini-cli resumed on $service gets whole seals back", async (row) => {
    const { service, wire, callId } = row;
    const raw = openRawClient("google-generate", "gemini-3.8-flash", geminiCli);
    const { sent, came, receipts } = await loopAndResume(raw, service);
    const [first = [], second = []] = came.map((answer) => sealsOf(wire, answer));
    expect(first.length).toBeGreaterThan(0);
    for (const seal of [...first, ...second]) expect(sent[3]).toContain(seal);
    // The calls and their results are still pairs, under the ids of the service.
    expect(sent[3]?.match(callId)).toHaveLength(6);
    expect(receipts[3]?.notes).toContainEqual(
      expect.objectContaining({ code: "results-repeated", message: expect.stringMatching(/^3 /) }),
    );
  });

  test("a thought that is bound to other words stays here, and the answer's head says why", async () => {
    const raw = openRawClient("google-generate", "gemini-3.8-flash", {
      ...geminiCli,
      resumeOwn: (item) =>
        JSON.parse(JSON.stringify(item).replace("weather in Oslo", "weather here")) as JsonObject,
    });
    const { sent, heads } = await loopAndResume(raw, "claude-opus-5-5/high");
    expect(sent[3]).not.toContain('"thinking":"The weather first');
    expect(JSON.parse(heads[3] ?? "{}")).toMatchObject({
      withheld: {
        "thought of claude-opus-5-5: it is bound to everything before it, which has changed": 2,
      },
    });
  });
});

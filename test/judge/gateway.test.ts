import { calls, emulate, refuses, says, thinks, type Action } from "@mull/emulator";
import { createGateway } from "@mull/gateway";
import type { JsonObject, WireId } from "mull";
import { isJsonObject } from "mull/wire";
import { expect, test } from "vitest";
import { openRawClient } from "../../packages/gateway/src/testing/raw-client.ts";
import { keys, testWires } from "../../packages/gateway/src/testing/wires.ts";
import { createDocket } from "./docket.ts";
import { exceptions, type Exception } from "./exceptions.ts";
import type { VendorType } from "./vendor-types.ts";

const kinds: Readonly<Record<WireId, readonly [whole: VendorType, event: VendorType]>> = {
  "anthropic-messages": ["anthropic-reply", "anthropic-event"],
  "openai-responses": ["responses-reply", "responses-event"],
  "openai-chat": ["chat-reply", "chat-event"],
  "google-generate": ["google-reply", "google-reply"],
};

/** Thoughts have no place in OpenAI's own types of Chat Completions; these are the fields that clients know. */
const thoughtsOnChat: readonly Exception[] = (
  [
    ["chat-reply", "choices[].message"],
    ["chat-event", "choices[].delta"],
  ] as const
).flatMap(([type, at]) =>
  ["reasoning_content", "reasoning_details"].map((drop) => ({
    types: [type],
    at,
    drop,
    reason: "other services of this wire have it, and clients return it",
  })),
);

/** Newer requests of Claude's SDK expect to be told who called a tool. */
const callerOfTools: readonly Exception[] = (
  [
    ["anthropic-reply", "content[]"],
    ["anthropic-event", "content_block"],
  ] as const
).map(([type, at]) => ({
  types: [type],
  at,
  when: { type: "tool_use" },
  add: { caller: { type: "direct" } },
  reason: "most recorded calls come without it",
}));

/** Says the same whenever it is asked at the same turn. */
const atTurn = (turn: number, ...actions: readonly Action[]) => ({
  when: { turn },
  turns: [actions],
  repeat: true,
});

const service = emulate({
  scripts: [
    atTurn(
      1,
      thinks("The weather first, then the time."),
      says("I will look."),
      calls("weather", { city: "Oslo" }),
      calls("clock", { city: "Oslo" }),
    ),
    atTurn(2, thinks("Now I know."), says("Four degrees at noon.")),
    atTurn(3, refuses("That is nothing I can help with.")),
  ],
});

/** The same request, to be answered in a stream. */
async function streamed(wire: WireId, request: Request): Promise<Request> {
  const { url, headers, method } = request;
  const body = (await request.json()) as JsonObject;
  if (wire === "google-generate") {
    const path = url.replace(":generateContent", ":streamGenerateContent?alt=sse");
    return new Request(path, { method, headers, body: JSON.stringify(body) });
  }
  const usage = wire === "openai-chat" ? { stream_options: { include_usage: true } } : {};
  const asked = { ...body, stream: true, ...usage };
  return new Request(url, { method, headers, body: JSON.stringify(asked) });
}

/** Pings are in no type; `[DONE]` is no JSON. */
const eventsIn = (text: string): readonly JsonObject[] =>
  text
    .split(/\r?\n/)
    .filter((line) => line.startsWith("data: {"))
    .map((line) => JSON.parse(line.slice(6)) as JsonObject)
    .filter(({ type }) => type !== "ping");

test("what the gateway answers fits the vendors' types, for every pair of wires", async () => {
  const docket = createDocket([...exceptions, ...thoughtsOnChat, ...callerOfTools]);
  for (const { wire, model } of testWires) {
    for (const { model: answering } of testWires) {
      const gateway = createGateway({
        secret: "a secret of this test",
        env: keys,
        fetch: service,
        model: `${answering}/high`,
      });
      const [whole, event] = kinds[wire];
      const client = openRawClient(wire, model);
      for (const turn of ["a call", "an answer", "a refusal"]) {
        const where = `${answering} for a client of ${wire}, ${turn}`;
        if (turn !== "an answer") client.ask("How is the weather?");
        const request = client.request();
        const stream = await gateway.fetch(await streamed(wire, request.clone()));
        for (const body of eventsIn(await stream.text()))
          docket.add({ type: event, body, where: `${where}, streamed` });
        const response = await gateway.fetch(request);
        const body: unknown = await response.json();
        expect({ where, status: response.status, body }).toMatchObject({ status: 200 });
        if (!isJsonObject(body)) throw new TypeError(where);
        docket.add({ type: whole, body, where });
        if (client.take(body).length > 0) client.answer(["4 degrees", "noon"]);
      }
    }
  }
  const { refused, distinct } = await docket.judge();
  expect(distinct).toBeGreaterThan(30);
  const told = refused.map(({ where, objections, body }) => ({ where, objections, body }));
  expect(told).toEqual([]);
}, 120_000);

import { emulate, fails, script } from "@mull/emulator";
import { chat, type AssistantMessage, type JsonObject, type Message } from "mull";
import { readExchange } from "mull/wire";
import { describe, expect, test } from "vitest";
import {
  answer,
  bodyFor,
  claudeSays,
  composed,
  functionCall,
  gptSays,
  listAt,
  outputMessage,
  reasoning,
  results,
  thought,
  toolUse,
  user,
  type Asked,
} from "./kit.ts";

const sol = "gpt-6-sol";
const items = (ref: string, messages: readonly Message[], asked: Asked = {}): JsonObject[] =>
  listAt(bodyFor(ref, messages, asked), "input");

const event = (type: string, extra: object): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...extra })}\n\n`;

const streamed = (done: JsonObject, last: JsonObject): string =>
  event("response.created", { response: { id: "resp_1" } }) +
  event("response.output_item.added", {
    output_index: 0,
    item: reasoning("rs_1", "gAAAearly"),
  }) +
  event("response.output_item.done", { output_index: 0, item: done }) +
  event("response.output_item.done", { output_index: 1, item: functionCall() }) +
  event("response.completed", { response: gptSays(last, functionCall()) });

describe("C. reasoning items of OpenAI", () => {
  test("P-C1 an item and what follows it go together, in their order", () => {
    const call = answer(sol, gptSays(reasoning(), outputMessage("One moment."), functionCall()));
    const sent = items(sol, [user("hi"), call, results(call)]);
    expect(sent.slice(1).map(({ type, id }) => [type, id])).toEqual([
      ["reasoning", "rs_1"],
      ["message", "msg_1"],
      ["function_call", "fc_1"],
      ["function_call_output", undefined],
    ]);
  });

  test("P-C1 an item whose follower never came is not sent", () => {
    const cut: AssistantMessage = { ...answer(sol, gptSays(reasoning())), interrupted: true };
    const sent = items(sol, [user("hi"), cut, user("Go on.")]);
    expect(sent.map(({ type }) => type)).not.toContain("reasoning");
  });

  test("P-C2 when the item goes, the ids of its partners go too", () => {
    const call = answer(
      sol,
      gptSays(reasoning(), outputMessage("One moment."), functionCall()),
      "a1",
    );
    const sent = items(sol, [user("hi"), call, results(call)], { account: "a2" });
    expect(sent.slice(1).map(({ type, id }) => [type, id])).toEqual([
      ["message", undefined],
      ["function_call", undefined],
      ["function_call_output", undefined],
    ]);
  });

  test("P-C3 nothing is stored and nothing is referred to", () => {
    const call = answer(sol, gptSays(reasoning(), functionCall()));
    const body = bodyFor(sol, [user("hi"), call, results(call)]);
    expect(body).toMatchObject({ store: false, include: ["reasoning.encrypted_content"] });
    expect(body).not.toHaveProperty("previous_response_id");
    expect(JSON.stringify(body)).not.toContain("item_reference");
  });

  test("P-C4 sealed content stays with its account and endpoint; a refusal drops it once", async () => {
    const call = answer(sol, gptSays(reasoning(), functionCall()), "a1");
    const messages = [user("hi"), call, results(call)];
    for (const asked of [{ account: "a2" }, { account: "a1", endpoint: "https://eu.example" }]) {
      const { encoded, prepared } = composed(sol, messages, asked);
      expect(JSON.stringify(encoded.body)).not.toContain("gAAAAABsealed");
      expect(prepared.withheld).toHaveLength(1);
    }
    const refusal = fails({
      status: 400,
      code: "invalid_encrypted_content",
      message: "The encrypted content gAAA... could not be verified.",
    });
    const fetch = emulate({ scripts: [script({}, [refusal])], foreignSeals: "accept" });
    const said = answer(sol, gptSays(reasoning(), functionCall()));
    const { receipt } = await chat(
      sol,
      { messages: [user("hi"), said, results(said)] },
      {
        fetch,
        env: {},
        headers: { authorization: "Bearer k" },
        baseUrl: "https://api.openai.com/v1",
      },
    );
    expect(receipt.repairs).toMatchObject([{ rule: "openai/encrypted-content" }]);
    const bodies = fetch.journal().map(({ body }) => JSON.stringify(body));
    expect(bodies.map((body) => body.includes("gAAAAABsealed"))).toEqual([true, false]);
  });

  test("P-C5 ids of others are not replayed", () => {
    const foreign = answer("xai:grok-4.3", gptSays(reasoning("rs_x"), functionCall("fc_x")));
    const sent = items(sol, [user("hi"), foreign, results(foreign)]);
    expect(sent.map(({ id }) => id)).toEqual(sent.map(() => undefined));
  });

  test("P-C6 calls and results keep together through a switch, whatever the ids looked like", () => {
    const ids = ["toolu_01", "call|with|pipes", "x".repeat(90)];
    const call = answer("claude-opus-5-5", claudeSays(thought(), ...ids.map(toolUse)));
    for (const ref of [sol, "openai-chat:gpt-5.1", "mistral:magistral-medium-latest"]) {
      const body = JSON.stringify(bodyFor(ref, [user("hi"), call, results(call)]));
      const named = [...body.matchAll(/"(?:call_id|tool_call_id)":"([^"]+)"/g)].map((m) => m[1]!);
      const made = new Set([...body.matchAll(/"(?:call_id|id)":"([^"]+)"/g)].map((m) => m[1]!));
      expect(named.length).toBeGreaterThanOrEqual(3);
      expect(named.every((id) => made.has(id) && /^[A-Za-z0-9_-]{1,64}$/.test(id))).toBe(true);
    }
  });

  test("P-C7 of several copies of one item the finished one is kept, back-filled at the end", () => {
    const whole = reasoning("rs_1", "gAAAfinished");
    const { encrypted_content: _, ...bare } = whole;
    for (const body of [streamed(whole, whole), streamed(bare, whole)]) {
      const { message } = readExchange({ wire: "openai-responses", model: sol, body });
      expect(message.parts[0]?.seal?.data["encrypted_content"]).toBe("gAAAfinished");
    }
  });
});

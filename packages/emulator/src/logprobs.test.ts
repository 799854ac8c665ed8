import { describe, expect, it } from "vitest";

import { emulate } from "./emulate.ts";
import { calls, refuses } from "./script/actions.ts";
import { script } from "./script/script.ts";
import { ask } from "./testing/ask.ts";
import { serveOpenai } from "./testing/sdk-clients.ts";

const served = serveOpenai();

const messages = [{ role: "user" as const, content: "What is 15% of 80? Grüße" }];
const asked = { model: "gpt-4.1", messages, logprobs: true, top_logprobs: 3 };
const include = ["message.output_text.logprobs" as const];
const input = "What is 15% of 80?";

interface Told {
  readonly token: string;
  readonly logprob: number;
  readonly top_logprobs?: readonly { readonly token?: string; readonly logprob?: number }[];
}

const textOf = (told: readonly Told[]): string => told.map(({ token }) => token).join("");

/** The chosen token leads, nothing is likelier than it, and all together are not more than certain. */
const expectLikely = (told: readonly Told[], top: number): void => {
  for (const { token, logprob, top_logprobs: tops = [] } of told) {
    expect(tops[0]).toMatchObject({ token, logprob });
    expect(new Set(tops.map((each) => each.token)).size).toBe(top);
    const sum = tops.reduce((all, each) => all + Math.exp(each.logprob ?? 0), 0);
    expect(sum).toBeLessThanOrEqual(1);
  }
};

describe("P-J1 log probabilities on Chat Completions", () => {
  it("spell the answer, with the bytes of every token", async () => {
    const { choices } = await served.client.chat.completions.create(asked);
    const [choice] = choices;
    const told = choice?.logprobs?.content ?? [];
    expect(textOf(told)).toBe(choice?.message.content);
    expect(told.length).toBeGreaterThan(3);
    expectLikely(told, 3);
    const bytes = told.flatMap((each) => each.bytes ?? []);
    expect(new TextDecoder().decode(new Uint8Array(bytes))).toBe(choice?.message.content);
    expect(choice?.logprobs?.refusal).toBeNull();
  });

  it("come with the pieces of a stream, and the helper gathers them", async () => {
    const whole = await served.client.chat.completions.create({ ...asked, n: 2 });
    const runner = served.client.chat.completions.stream({ ...asked, n: 2 });
    const { choices } = await runner.finalChatCompletion();
    expect(choices.map(({ logprobs }) => logprobs)).toEqual(
      whole.choices.map(({ logprobs }) => logprobs),
    );
  });

  it("have alternatives only where they were asked for, up to twenty", async () => {
    const plain = await served.client.chat.completions.create({
      model: "gpt-4.1",
      messages,
      logprobs: true,
    });
    expect(plain.choices[0]?.logprobs?.content?.[0]?.top_logprobs).toEqual([]);
    const many = await served.client.chat.completions.create({ ...asked, top_logprobs: 20 });
    expectLikely(many.choices[0]?.logprobs?.content ?? [], 20);
  });

  it("are null where nobody asked, and for calls", async () => {
    const { choices } = await served.client.chat.completions.create({ model: "gpt-4.1", messages });
    expect(choices[0]?.logprobs).toBeNull();
    const fetch = emulate({ scripts: [script({}, [calls("look", {})], [refuses("No.")])] });
    const tools = [{ type: "function", function: { name: "look" } }];
    const call = await ask(fetch, "chat", { ...asked, tools });
    expect(call.body).toMatchObject({ choices: [{ logprobs: null }] });
    const refusal = await ask(fetch, "chat", asked);
    expect(refusal.body).toMatchObject({
      choices: [{ logprobs: { content: null, refusal: [{ token: "No." }] } }],
    });
  });

  it("are for models that do not think", async () => {
    const { status, message } = await ask(emulate(), "chat", { ...asked, model: "gpt-5" });
    expect([status, message]).toEqual([
      400,
      "Unsupported parameter: 'logprobs' is not supported with this model.",
    ]);
    const off = { ...asked, model: "gpt-5.2", reasoning_effort: "none" };
    expect((await ask(emulate(), "chat", off)).status).toBe(200);
  });
});

describe("P-J1 log probabilities on Responses", () => {
  const wanted = { model: "gpt-4.1", input, include, top_logprobs: 2 };

  it("stand beside the text, and the number of alternatives is repeated", async () => {
    const response = await served.client.responses.create(wanted);
    const [message] = response.output;
    const part = message?.type === "message" ? message.content[0] : undefined;
    const told = part?.type === "output_text" ? (part.logprobs ?? []) : [];
    expect(textOf(told)).toBe(response.output_text);
    expectLikely(told, 2);
    expect(told[0]?.bytes.length).toBeGreaterThan(0);
    expect(response).toMatchObject({ top_logprobs: 2 });
  });

  it("come with every delta of a stream, and again with what is done", async () => {
    const whole = await served.client.responses.create(wanted);
    const deltas: Told[] = [];
    const done: Told[] = [];
    let last: unknown;
    for await (const event of await served.client.responses.create({ ...wanted, stream: true })) {
      if (event.type === "response.output_text.delta") deltas.push(...event.logprobs);
      if (event.type === "response.output_text.done") done.push(...event.logprobs);
      if (event.type === "response.completed") last = event.response.output[0];
    }
    expect(textOf(deltas)).toBe(whole.output_text);
    expect(done).toEqual(deltas);
    expect(last).toMatchObject({
      content: whole.output[0]?.type === "message" ? whole.output[0].content : [],
    });
  });

  it("are taken back with the answer they came with", async () => {
    const response = await served.client.responses.create({ ...wanted, store: false });
    const next = [
      { role: "user" as const, content: input },
      ...response.output.filter((item) => item.type === "message"),
      { role: "user" as const, content: "And twice that?" },
    ];
    const again = await served.client.responses.create({ ...wanted, input: next });
    expect(again.status).toBe("completed");
  });

  it("are refused while a model thinks", async () => {
    const thinking = { model: "gpt-6-sol", input, include };
    expect(await ask(emulate(), "responses", thinking)).toMatchObject({
      status: 400,
      message: "logprobs are not supported with reasoning models.",
      body: { error: { param: "include", code: "unsupported_parameter" } },
    });
    const off = { ...thinking, reasoning: { effort: "none" } };
    expect((await ask(emulate(), "responses", off)).status).toBe(200);
  });
});

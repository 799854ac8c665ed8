import Anthropic from "@anthropic-ai/sdk";
import { describe, expect, it } from "vitest";

import { emulate } from "./emulate.ts";
import { ask } from "./testing/ask.ts";

const beta = { "anthropic-beta": "message-threads-2026-08-12" };
const model = "claude-opus-5-5";
const asked = (content: string, thread: object) => ({
  model,
  max_tokens: 2000,
  messages: [{ role: "user", content }],
  thread: { ...thread },
});
const goOn = (id: unknown) => ({ type: "continue", previous_message_id: String(id) });

const textOf = (body: object): string => JSON.stringify(body);

describe("P-J4 threads that Anthropic holds", () => {
  it("go on from the last answer with the new words alone", async () => {
    const fetch = emulate();
    const create = { ...asked("What is 15% of 80?", { type: "create" }), system: "Be brief." };
    const first = await ask(fetch, "anthropic", create, beta);
    const next = await ask(fetch, "anthropic", asked("Double that", goOn(first.body["id"])), beta);
    expect(textOf(next.body)).toContain("**24**");
    const last = await ask(fetch, "anthropic", asked("Double that", goOn(next.body["id"])), beta);
    expect(textOf(last.body)).toContain("**48**");
    expect(fetch.journal().at(-1)?.body).toMatchObject({ system: "Be brief." });
  });

  it("are not there for others, nor twice", async () => {
    const fetch = emulate();
    const { body } = await ask(fetch, "anthropic", asked("Hi", { type: "create" }), beta);
    const again = asked("And now?", goOn(body["id"]));
    const other = await ask(fetch, "anthropic", again, { ...beta, "x-api-key": "another" });
    await ask(fetch, "anthropic", again, beta);
    const twice = await ask(fetch, "anthropic", again, beta);
    expect([other, twice].map(({ status, body: { error } }) => [status, error])).toMatchObject([
      [404, { type: "not_found_error", details: { error_code: "thread_not_found" } }],
      [400, { details: { error_code: "thread_already_continued" } }],
    ]);
  });

  it("carry the tool loop of the official client", async () => {
    const client = new Anthropic({ apiKey: "k", fetch: emulate(), maxRetries: 0 });
    const runner = client.beta.messages.toolRunner({
      model,
      max_tokens: 2000,
      messages: [{ role: "user", content: "What is the weather in Oslo?" }],
      tools: [
        {
          type: "custom",
          name: "get_weather",
          description: "The weather of a city",
          input_schema: { type: "object", properties: { city: { type: "string" } } },
          parse: (input) => input,
          run: () => "4 degrees",
        },
      ],
    });
    expect(textOf((await runner).content)).toContain("Oslo: 4 degrees");
  });
});

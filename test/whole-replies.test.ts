import { emulate } from "@mull/emulator";
import type { JsonObject } from "mull";
import { describe, expect, it } from "vitest";

import { fieldsOf, readVendorTypes } from "./vendor-types.ts";

const types = readVendorTypes("@anthropic-ai/sdk", "resources/messages/messages.d.ts");

const ask = async (stream: boolean): Promise<string> => {
  const response = await emulate()("https://api.anthropic.com/v1/messages", {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-api-key": "emulated",
      "anthropic-version": "2023-06-01",
    },
    body: JSON.stringify({
      model: "claude-opus-5",
      max_tokens: 4000,
      stream,
      messages: [{ role: "user", content: "What is 17 times 23?" }],
    }),
  });
  expect(response.status).toBe(200);
  return response.text();
};

const namesOf = (name: string): readonly string[] => [...fieldsOf(types, name).keys()].toSorted();

describe("P-J1 Anthropic's replies have every field of the vendor's types", () => {
  it("in the usage of a whole answer", async () => {
    const { usage } = JSON.parse(await ask(false)) as { readonly usage: JsonObject };
    expect(Object.keys(usage).toSorted()).toEqual(namesOf("Usage"));
  });

  it("in the usage of the first event, and in the last one", async () => {
    const events = (await ask(true))
      .split("\n")
      .filter((line) => line.startsWith("data: "))
      .map((line) => JSON.parse(line.slice(6)) as Readonly<Record<string, JsonObject>>);
    const usage = events[0]?.["message"]?.["usage"] ?? {};
    expect(Object.keys(usage).toSorted()).toEqual(namesOf("Usage"));
    const end = events.at(-2);
    expect(Object.keys(end?.["usage"] ?? {}).toSorted()).toEqual(namesOf("MessageDeltaUsage"));
    expect(Object.keys(end?.["delta"] ?? {}).toSorted()).toEqual(
      namesOf("RawMessageDeltaEvent.Delta"),
    );
  });
});

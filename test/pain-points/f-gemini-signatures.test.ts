import type { AssistantMessage, JsonObject } from "mull";
import { readExchange } from "mull/wire";
import { describe, expect, test } from "vitest";
import {
  answer,
  bodyFor,
  claudeSays,
  composed,
  deepseekSays,
  geminiCall,
  geminiSays,
  listAt,
  results,
  thought,
  toolUse,
  user,
  words,
} from "./kit.ts";

const flash = "gemini-3.8-flash";
const skip = "skip_thought_signature_validator";

const modelParts = (message: AssistantMessage, ref = flash): JsonObject[] => {
  const body = bodyFor(ref, [user("hi"), message, results(message)]);
  return listAt(body, "contents", 1, "parts");
};

/** Chunks of a stream, of which the last one ends it. */
const streamed = (...parts: readonly JsonObject[]): string =>
  parts
    .map((part, at) => {
      const content = { role: "model", parts: [part] };
      const isLast = at === parts.length - 1;
      return { candidates: [{ content, ...(isLast && { finishReason: "STOP" }) }] };
    })
    .map((chunk) => `data: ${JSON.stringify(chunk)}\r\n\r\n`)
    .join("");

describe("F. thought signatures of Gemini", () => {
  test("P-F1 R201 R202 R204 a signature comes back on the part it came with", () => {
    const said = answer(
      flash,
      geminiSays({ text: "Sure.", thoughtSignature: "T1" }, geminiCall("C1")),
    );
    expect(said.parts[1]?.seal?.data).toMatchObject({ thoughtSignature: "C1" });
    expect(modelParts(said).map((part) => part["thoughtSignature"])).toEqual(["T1", "C1"]);
  });

  test("R203 without a signature nothing is added to text", () => {
    const said = answer("gemini-2.5-pro", geminiSays({ text: "Sure." }));
    const body = bodyFor("gemini-2.5-pro", [user("hi"), said, user("b")]);
    expect(JSON.stringify(body)).not.toMatch(/thoughtSignature/);
  });

  test("P-F1 a call made elsewhere gets the documented skip value", () => {
    const foreign = answer("claude-opus-5-5", claudeSays(thought(), toolUse()));
    expect(modelParts(foreign)[0]).toMatchObject({ thoughtSignature: skip });
  });

  test("P-F2 parallel calls stay one turn, the signature on the call it belongs to", () => {
    const said = answer(flash, geminiSays(geminiCall("C1"), geminiCall(undefined, "Lima")));
    const body = bodyFor(flash, [user("hi"), said, results(said)]);
    const contents = listAt(body, "contents");
    expect(contents.map(({ role }) => role)).toEqual(["user", "model", "user"]);
    const parts = listAt(body, "contents", 1, "parts");
    expect(parts.map((part) => part["thoughtSignature"])).toEqual(["C1", undefined]);
    expect(listAt(body, "contents", 2, "parts")).toHaveLength(2);
  });

  test("P-F3 a signature that comes late is data of its call, not a new call", () => {
    const body = streamed(geminiCall("C1"), geminiCall(undefined, "Lima"), { text: "" });
    const { message } = readExchange({ wire: "google-generate", model: flash, body });
    const calls = message.parts.filter((part) => part.type === "tool-call");
    expect(calls.map(({ input }) => input)).toEqual([{ city: "Oslo" }, { city: "Lima" }]);
    expect(calls.map((call) => call.seal?.data["thoughtSignature"])).toEqual(["C1", undefined]);
  });

  test("P-F4 through an OpenAI-shaped gateway the signature stays where that gateway has it", () => {
    const ref = "openrouter:google/gemini-3.8-flash";
    const details = [
      { type: "reasoning.encrypted", data: "C1", id: "c1", format: "google-gemini-v1" },
    ];
    const call = {
      id: "c1",
      type: "function",
      function: { name: "get_weather", arguments: '{"city":"Oslo"}' },
    };
    const said = answer(
      ref,
      deepseekSays({ content: null, tool_calls: [call], reasoning_details: details }),
    );
    const body = bodyFor(ref, [user("hi"), said, results(said)]);
    expect(listAt(body, "messages")[1]).toMatchObject({ reasoning_details: details });
  });

  test("P-F5 what a gateway sealed is not sent to another endpoint", () => {
    const ref = "openrouter:google/gemini-3.8-flash";
    const details = [{ type: "reasoning.encrypted", data: "C1", id: "c1" }];
    const said = answer(ref, deepseekSays({ content: "Sure.", reasoning_details: details }));
    const elsewhere = { endpoint: "https://gateway.example" };
    for (const { encoded } of [
      composed(ref, [user("hi"), said, user("b")], elsewhere),
      composed(flash, [user("hi"), said, user("b")]),
    ]) {
      expect(JSON.stringify(encoded.body)).not.toContain('"C1"');
    }
  });

  test("P-F6 a signature in a chunk of its own is kept", () => {
    const body = streamed(
      { text: "I think.", thought: true },
      { text: "Sure." },
      { text: "", thoughtSignature: "T1" },
    );
    const { message } = readExchange({ wire: "google-generate", model: flash, body });
    const sent = JSON.stringify(bodyFor(flash, [user("hi"), message, user("b")]));
    expect(JSON.stringify(message)).toContain('"T1"');
    expect(sent).not.toContain("I think.");
  });

  test("P-F7 thoughts are never replayed as text", () => {
    const said = answer("claude-opus-5-5", claudeSays(thought("secret plan"), words("Sure.")));
    expect(JSON.stringify(bodyFor(flash, [user("a"), said, user("b")]))).not.toContain("secret");
  });
});

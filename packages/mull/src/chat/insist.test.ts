import { describe, expect, test } from "vitest";
import type { Fetch } from "../types/http.ts";
import { chat } from "./ask.ts";

/** Refuses in the words of the list, one request after the other, then answers. */
function refusing(texts: readonly string[]): {
  readonly fetch: Fetch;
  readonly count: () => number;
} {
  let count = 0;
  return {
    count: () => count,
    fetch: async () => {
      const message = texts[count++];
      if (message !== undefined) {
        const error = { type: "invalid_request_error", message };
        return Response.json({ type: "error", error }, { status: 400 });
      }
      const events = [
        { type: "message_start", message: { id: "m", model: "m", usage: { input_tokens: 1 } } },
        { type: "content_block_start", index: 0, content_block: { type: "text", text: "Four." } },
        { type: "content_block_stop", index: 0 },
        { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 1 } },
        { type: "message_stop" },
      ];
      const body = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
      return new Response(body, { headers: { "content-type": "text/event-stream" } });
    },
  };
}

const refusals = [
  '"thinking.type.enabled" is not supported for this model.',
  "adaptive thinking is not supported on this model",
];
const request = {
  messages: [{ role: "user", parts: [{ type: "text", text: "What is 2 + 2?" }] }],
} as const;
const ask = (
  service: { readonly fetch: Fetch },
  heal: "repair" | "insist" | "fail",
): ReturnType<typeof chat> =>
  chat("claude-sonnet-4-5/med", request, { fetch: service.fetch, apiKey: "simulated", heal });

describe("R253 a request that is refused more than once", () => {
  test("R253 insist repairs each refusal, and the receipt names them in order", async () => {
    const service = refusing(refusals);
    const { text, receipt } = await ask(service, "insist");
    expect([text, service.count()]).toEqual(["Four.", 3]);
    expect(receipt.repairs.map(({ rule }) => rule)).toEqual([
      "anthropic/budget-unsupported",
      "anthropic/adaptive-unsupported",
    ]);
  });

  test("P-A15 a word that `heal` does not know is refused before anything is sent", async () => {
    const service = refusing([]);
    await expect(ask(service, "off" as "fail")).rejects.toMatchObject({
      field: "heal",
      allowed: ["repair", "insist", "fail"],
    });
    expect(service.count()).toBe(0);
  });

  test("R253 repair repairs one, fail none", async () => {
    const [once, never] = [refusing(refusals), refusing(refusals)];
    await expect(ask(once, "repair")).rejects.toThrow("adaptive thinking");
    await expect(ask(never, "fail")).rejects.toThrow("thinking.type.enabled");
    expect([once.count(), never.count()]).toEqual([2, 1]);
  });

  test("R253 insist ends when nothing is left to repair", async () => {
    const service = refusing(Array.from({ length: 9 }, () => "The blocks are not to my liking."));
    await expect(ask(service, "insist")).rejects.toThrow("not to my liking");
    expect(service.count()).toBe(1);
  });
});

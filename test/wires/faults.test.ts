import { chat, isMullError, streamChat, type Fetch, type MullError, type WireId } from "mull";
import { describe, expect, test } from "vitest";

import { streamsOf, wireIds } from "./streams.ts";

const models: Readonly<Record<WireId, string>> = {
  "anthropic-messages": "claude-sonnet-4-5",
  "openai-responses": "gpt-6-sol",
  "openai-chat": "openai-chat:gpt-5.1",
  "google-generate": "gemini-3.8-flash",
};
const messages = [{ role: "user", parts: [{ type: "text", text: "What is 23 * 47?" }] }] as const;

/** Answers every request alike, and counts them. */
function answering(answer: () => Response): {
  readonly fetch: Fetch;
  readonly calls: () => number;
} {
  let calls = 0;
  return {
    calls: () => calls,
    fetch: () => {
      calls += 1;
      return Promise.resolve(answer());
    },
  };
}

const options = (fetch: Fetch) => ({
  fetch,
  env: {},
  apiKey: "test-account",
  sleep: () => Promise.resolve(),
});

async function failureOf(wire: WireId, fetch: Fetch): Promise<MullError> {
  const error: unknown = await chat(models[wire], { messages }, options(fetch)).catch(
    (thrown: unknown) => thrown,
  );
  if (!isMullError(error)) throw new Error(`no typed error: ${String(error)}`);
  return error;
}

const html = (status: number, text: string): Response =>
  new Response(text, { status, headers: { "content-type": "text/html" } });

/** Delivers what is given, then the connection breaks. */
const breaking = (pieces: readonly Uint8Array[]): Response => {
  let at = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      pull: (controller) => {
        const next = pieces[at++];
        if (next === undefined) controller.error(new TypeError("terminated"));
        else controller.enqueue(next);
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
};

/** Where a frame ends, in bytes. */
const frameEnds = (bytes: Uint8Array): readonly number[] =>
  [
    ...Buffer.from(bytes)
      .toString("latin1")
      .matchAll(/\r?\n\r?\n/g),
  ].map(({ index, 0: gap }) => index + gap.length);

describe.each(wireIds)("%s", (wire) => {
  test("F-N6 a page of a proxy is the server's fault, shortened, and asked for three times", async () => {
    const { fetch, calls } = answering(() =>
      html(502, `<h1>Bad</h1>${"<p>x</p>".repeat(100_000)}`),
    );
    const error = await failureOf(wire, fetch);
    expect([error.category, error.retryable, calls()]).toEqual(["server", true, 3]);
    expect(error.message.length).toBeLessThan(600);
    expect(error.message).not.toContain("<p>");
  });

  test("F-N7 a page instead of an answer is named, and asked for once", async () => {
    const { fetch, calls } = answering(() => html(200, "<html>Sign in to the hotel</html>"));
    const error = await failureOf(wire, fetch);
    expect([error.category, calls()]).toEqual(["protocol", 1]);
    expect(error.message).toContain("text/html");
  });

  test("F-N8 nothing is never an answer; it is asked for once more", async () => {
    const headers = { "content-type": "text/event-stream" };
    const { fetch, calls } = answering(() => new Response("", { headers }));
    const error = await failureOf(wire, fetch);
    expect([error.category, error.code, calls()]).toEqual(["protocol", "empty_response", 2]);
  });

  test("F-N10 a redirect is not followed, and the error says where it led", async () => {
    const { fetch, calls } = answering(
      () => new Response(null, { status: 307, headers: { location: "https://other.test/x?k=1" } }),
    );
    const error = await failureOf(wire, fetch);
    expect(calls()).toBe(1);
    expect(error.message).toContain("other.test");
    expect(error.message).not.toContain("k=1");
  });

  test("F-N3 a break behind any event delivers what came, then one error, and asks no more", async () => {
    const { bytes } = streamsOf(wire).find(({ name }) => /thinking/.test(name))!;
    const ends = frameEnds(bytes).slice(0, -1);
    expect(ends.length).toBeGreaterThan(3);
    for (const end of ends) {
      const { fetch, calls } = answering(() => breaking([bytes.subarray(0, end)]));
      let said = "";
      const error: unknown = await (async () => {
        for await (const event of streamChat(models[wire], { messages }, options(fetch)))
          if (event.type === "text" || event.type === "thinking") said += event.delta;
        return undefined;
      })().catch((thrown: unknown) => thrown);
      if (error === undefined) continue;
      if (!isMullError(error)) throw error;
      const kept = (error.partial?.message.parts ?? [])
        .map((part) => ("text" in part ? part.text : ""))
        .join("");
      expect(kept).toBe(said);
      expect(error.category).toMatch(/^(?:network|protocol)$/);
      expect(said === "" || calls() === 1).toBe(true);
    }
  });
});

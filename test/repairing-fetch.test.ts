import { emulate } from "@mull/emulator";
import { describe, expect, test } from "vitest";
import { repairingFetch, type AnyFetch, type RepairedRequest } from "mull/rules";

const url = "https://api.anthropic.com/v1/messages";
const headers = {
  "x-api-key": "test",
  "anthropic-version": "2023-06-01",
  "content-type": "application/json",
};

/** A tool loop without the thought that has to lead it. */
const broken = {
  model: "claude-haiku-4-5",
  max_tokens: 4000,
  thinking: { type: "enabled", budget_tokens: 2000 },
  messages: [
    { role: "user", content: "Weather in Oslo?" },
    { role: "assistant", content: [{ type: "tool_use", id: "toolu_1", name: "w", input: {} }] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_1", content: "4 °C" }] },
  ],
  tools: [{ name: "w", input_schema: { type: "object" } }],
};

const fine = {
  model: "claude-haiku-4-5",
  max_tokens: 10,
  messages: [{ role: "user", content: "Hi" }],
};

const foreign = {
  ...fine,
  max_tokens: 4000,
  thinking: { type: "enabled", budget_tokens: 2000 },
  messages: [
    { role: "user", content: "Hi." },
    {
      role: "assistant",
      content: [
        { type: "thinking", thinking: "Hm.", signature: "bm90IGZyb20gaGVyZQ==" },
        { type: "text", text: "Hello." },
      ],
    },
    { role: "user", content: "Go on." },
  ],
};

const post = (body: unknown, more: RequestInit = {}): RequestInit => ({
  method: "POST",
  headers,
  body: JSON.stringify(body),
  ...more,
});

/** What reaches the service, and what is told. */
function watched(service: AnyFetch = emulate()) {
  const sent: (readonly [string | URL | Request, RequestInit | undefined])[] = [];
  const told: RepairedRequest[] = [];
  const fetch = repairingFetch({
    fetch: (input, init) => {
      sent.push([input, init]);
      return service(input, init);
    },
    onRepair: (repaired) => void told.push(repaired),
  });
  return { fetch, sent, told };
}

describe("repairingFetch", () => {
  test("a request that is fine goes through as it is, whatever its spacing", async () => {
    const { fetch, sent, told } = watched();
    const init = post(fine, { body: JSON.stringify(fine, null, 3) });
    expect((await fetch(url, init)).status).toBe(200);
    expect(sent).toEqual([[url, init]]);
    expect(sent[0]?.[1]).toBe(init);
    expect(told).toEqual([]);
  });

  test.each([
    ["a text", (): Parameters<AnyFetch> => [url, post(broken)]],
    [
      "a URL and bytes",
      (): Parameters<AnyFetch> => [
        new URL(url),
        post(broken, { body: new TextEncoder().encode(JSON.stringify(broken)) }),
      ],
    ],
    ["a Request", (): Parameters<AnyFetch> => [new Request(url, post(broken))]],
  ])("what a rule foresees is repaired before it is sent, given as %s", async (_, ask) => {
    const { fetch, sent, told } = watched();
    expect((await fetch(...ask())).status).toBe(200);
    expect(sent).toHaveLength(1);
    expect(told).toMatchObject([
      { model: "claude-haiku-4-5", repairs: [{ rule: "anthropic/leading-thinking" }] },
    ]);
  });

  test("what only the service can tell is repaired after it has, once", async () => {
    const { fetch, sent, told } = watched();
    const response = await fetch(url, post(foreign));
    expect(response.status).toBe(200);
    expect(sent).toHaveLength(2);
    expect(told[0]?.repairs[0]?.error).toContain("Invalid `signature`");
    const again = sent[1]?.[1]?.body;
    for (const words of ["Hi.", "Hello.", "Go on."]) expect(again).toContain(words);
  });

  test("a second refusal is the answer, and is not asked about again", async () => {
    const refusal = JSON.stringify({
      type: "error",
      error: {
        type: "invalid_request_error",
        message: "messages.1.content.0: Invalid `signature` in `thinking` block",
      },
    });
    const { fetch, sent } = watched(() => Promise.resolve(new Response(refusal, { status: 400 })));
    const response = await fetch(url, post(foreign));
    expect([response.status, await response.text()]).toEqual([400, refusal]);
    expect(sent).toHaveLength(2);
  });

  test("a refusal that nobody can repair comes as it is, whole", async () => {
    const { fetch, sent, told } = watched(() =>
      Promise.resolve(Response.json({ error: { message: "No." } }, { status: 400 })),
    );
    const response = await fetch(url, post(fine));
    expect(await response.json()).toEqual({ error: { message: "No." } });
    expect([sent.length, told.length]).toEqual([1, 0]);
  });

  test.each([
    ["https://example.com/v1/messages", post({ text: "Hi" })],
    ["https://example.com/files", post(broken)],
    [url, { method: "GET", headers }],
    [url, post(broken, { body: "{" })],
    [url, post(broken, { headers: { ...headers, "content-encoding": "gzip" } })],
  ])("%s that isn't a request to a model passes, untouched", async (address, init) => {
    const { fetch, sent, told } = watched(() => Promise.resolve(new Response("ok")));
    await fetch(address, init);
    expect(sent).toEqual([[address, init]]);
    expect(sent[0]?.[1]).toBe(init);
    expect(told).toEqual([]);
  });

  test("a signal stops the repaired request too", async () => {
    const controller = new AbortController();
    const { fetch, sent } = watched();
    await fetch(url, post(broken, { signal: controller.signal }));
    expect(sent[0]?.[1]?.signal).toBe(controller.signal);
  });
});

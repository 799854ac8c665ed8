import { describe, expect, test } from "vitest";
import type { UserPart } from "../types/message.ts";
import { chat } from "./ask.ts";

/** The headers a question goes out with. */
async function headersOf(
  model: string,
  headers: Readonly<Record<string, string>>,
  part: UserPart = { type: "text", text: "hi" },
): Promise<Headers> {
  let sent = new Headers();
  const options = {
    apiKey: "the-key",
    env: {},
    headers,
    maxAttempts: 1,
    fetch: (_url: string, init: RequestInit) => {
      sent = new Headers(init.headers);
      return Promise.resolve(new Response("{}", { status: 400 }));
    },
  };
  await chat(model, { messages: [{ role: "user", parts: [part] }] }, options).catch(
    () => undefined,
  );
  return sent;
}

describe("headers of the caller's", () => {
  test.each(["Authorization", "authorization", "AUTHORIZATION"])(
    "%s replaces the one made of the key, and does not stand beside it",
    async (name) => {
      const sent = await headersOf("gpt-6-sol", { [name]: "Bearer of-a-gateway" });
      expect(sent.get("authorization")).toBe("Bearer of-a-gateway");
    },
  );

  test("Anthropic-Beta comes on top of what the request needs", async () => {
    const file = {
      type: "file",
      mediaType: "application/pdf",
      source: { type: "id", id: "file_1" },
    } as const;
    const alone = (await headersOf("claude-opus-5-5", {}, file)).get("anthropic-beta");
    expect(alone).toContain("files-api");
    const beta = { "Anthropic-Beta": "mine-2026-01-01", "Anthropic-Version": "2026-01-01" };
    const sent = await headersOf("claude-opus-5-5", beta, file);
    expect(sent.get("anthropic-beta")).toBe(`${alone},mine-2026-01-01`);
    expect(sent.get("anthropic-version")).toBe("2026-01-01");
    const plain = await headersOf("claude-opus-5-5", beta);
    expect(plain.get("anthropic-beta")).toBe("mine-2026-01-01");
  });

  test("P-A15 come as people have them: an object, a Headers, a Map or pairs", async () => {
    const pairs: [string, string][] = [["X-Team", "search"]];
    for (const headers of [new Headers(pairs), new Map(pairs), pairs]) {
      const sent = await headersOf("gpt-6-sol", headers as unknown as Record<string, string>);
      expect(sent.get("x-team")).toBe("search");
    }
  });

  test("a name that no header may have is refused by that name, before anything is sent", async () => {
    const request = {
      messages: [{ role: "user", parts: [{ type: "text", text: "hi" }] }],
    } as const;
    const options = { apiKey: "the-key", env: {}, headers: { "x team": "search" } };
    await expect(chat("gpt-6-sol", request, options)).rejects.toMatchObject({
      category: "invalid_argument",
      field: "headers",
      message: expect.stringContaining("x team"),
    });
  });

  test("F-G4: a key in a header is in no error, even when the service repeats it", async () => {
    const secret = "gateway-token-0123456789";
    const refused: unknown = await chat(
      "gpt-6-sol",
      { messages: [{ role: "user", parts: [{ type: "text", text: "hi" }] }] },
      {
        env: {},
        headers: { Authorization: `Bearer ${secret}` },
        fetch: () =>
          Promise.resolve(
            Response.json({ error: { message: `no such token: ${secret}` } }, { status: 401 }),
          ),
      },
    ).catch((error: unknown) => error);
    expect(String(refused)).toContain("no such token");
    expect(String(refused)).not.toContain(secret);
  });
});

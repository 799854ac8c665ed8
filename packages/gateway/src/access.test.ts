import { emulate } from "@mull/emulator";
import type { Fetch } from "mull";
import { describe, expect, test } from "vitest";

import { hashKey, type GatewayOptions } from "./index.ts";
import { errorOf, openGateway, type GatewaySetUp } from "./testing/set-up.ts";

/** A gateway before an emulator, unless the options say otherwise. */
const setUp = (options: Partial<GatewayOptions> = {}): GatewaySetUp =>
  openGateway({ fetch: emulate(), ...options });

const hello = (headers: Readonly<Record<string, string>>, host = "127.0.0.1"): Request =>
  new Request(`http://${host}/v1/messages`, {
    method: "POST",
    headers: { "anthropic-version": "2023-06-01", ...headers },
    body: JSON.stringify({
      model: "claude-opus-5-5",
      max_tokens: 4096,
      messages: [{ role: "user", content: "What is 2 + 2?" }],
    }),
  });

describe("promise 7: safe by default", () => {
  test("without keys it answers this machine only, and no page of another site", async () => {
    const { ask } = setUp();
    expect((await ask(hello({}))).status).toBe(200);
    expect((await ask(hello({}, "evil.example"))).status).toBe(403);
    expect((await ask(hello({ origin: "https://evil.example" }))).status).toBe(403);
    const named = setUp({ hosts: ["gateway.example"] });
    expect((await named.ask(hello({}, "gateway.example"))).status).toBe(403);
  });

  test("with keys it asks for one", async () => {
    const { ask } = setUp({ clientKeys: [await hashKey("right")], hosts: ["gateway.example"] });
    for (const host of ["127.0.0.1", "gateway.example"]) {
      const wrong = await ask(hello({ "x-api-key": "wrong" }, host));
      expect(wrong.status).toBe(401);
      // Claude Code repeats what has a wrong key for minutes, unless it reads this.
      expect(wrong.headers.get("x-should-retry")).toBe("false");
      expect(await errorOf(wrong)).toMatchObject({ type: "authentication_error" });
      expect((await ask(hello({}, host))).status).toBe(401);
      expect((await ask(hello({ authorization: "Bearer right" }, host))).status).toBe(200);
    }
  });

  test("a client's key goes to its own vendor, and to nobody else", async () => {
    const seen: [string, string][] = [];
    const fetch: Fetch = (url, init) => {
      seen.push([new URL(url).host, JSON.stringify(init.headers)]);
      return Promise.resolve(Response.json({ error: { message: "no" } }, { status: 500 }));
    };
    const { ask } = setUp({ env: {}, fetch });
    await ask(hello({ "x-api-key": "sk-ant-mine" }));
    expect(seen).toEqual([["api.anthropic.com", expect.stringContaining("sk-ant-mine") as string]]);
    const foreign = setUp({ env: {}, fetch, model: "gpt-6-sol" });
    const refused = await foreign.ask(hello({ "x-api-key": "sk-ant-mine" }));
    expect(refused.status).toBe(401);
    expect(seen).toHaveLength(1);
    const keyed = setUp({ env: {}, fetch, clientKeys: [await hashKey("sk-ant-mine")] });
    expect((await keyed.ask(hello({ "x-api-key": "sk-ant-mine" }))).status).toBe(401);
    expect(seen).toHaveLength(1);
  });
});

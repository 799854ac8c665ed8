import { emulate, says, script } from "@mull/emulator";
import type { Fetch } from "mull";
import { describe, expect, test } from "vitest";

import type { GatewayOptions } from "./index.ts";
import { openGateway, type GatewaySetUp } from "./testing/set-up.ts";
import { question } from "./testing/wires.ts";

/** A gateway before an emulator, unless the options say otherwise. */
const setUp = (options: Partial<GatewayOptions> = {}): GatewaySetUp =>
  openGateway({ fetch: emulate(), ...options });

const failing =
  (status: number, by: Fetch): Fetch =>
  (url, init) =>
    url.includes("anthropic")
      ? Promise.resolve(
          Response.json({ type: "error", error: { type: "x", message: "no" } }, { status }),
        )
      : by(url, init);

describe("promise 6: another model stands in", () => {
  test.each([529, 429, 500])("where the first answers %s", async (status) => {
    const { ask, receipts } = setUp({
      fetch: Object.assign(failing(status, emulate()), { simulated: true }),
      fallback: ["gemini-3.8-flash/low"],
    });
    for (const stream of [true, false]) {
      const response = await ask(
        question("anthropic-messages", "claude-opus-5-5", "What is 12 * 12?", stream),
      );
      expect(response.status).toBe(200);
      expect(await response.text()).toContain("144");
    }
    expect(receipts[0]).toMatchObject({
      model: "gemini-3.8-flash",
      fallbacks: [{ model: "anthropic:claude-opus-5-5" }],
    });
  });

  test("but not for a wrong request, and never behind words that were seen", async () => {
    const wrong = setUp({ fetch: failing(400, emulate()), fallback: ["gemini-3.8-flash"] });
    const refused = await wrong.ask(
      question("anthropic-messages", "claude-opus-5-5", "Hello", false),
    );
    expect(refused.status).toBe(400);
    const fetch = emulate({
      scripts: [script({ model: "gpt-6-sol" }, [says("Half of an answer"), { cuts: "inside" }])],
    });
    const late = setUp({ fetch, fallback: ["gemini-3.8-flash"] });
    const cut = await late.ask(question("anthropic-messages", "gpt-6-sol", "Hello", true));
    expect(await cut.text()).toContain("event: error");
    expect(late.receipts[0]?.fallbacks).toEqual([]);
  });
});

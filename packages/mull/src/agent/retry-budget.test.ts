import { describe, expect, test } from "vitest";
import { Agent } from "./agent.ts";
import type { AgentOptions } from "./options.ts";

/** A service that is down, or one that is only there the second time. */
const service = (
  isUp: (call: number) => boolean,
): { readonly calls: () => number; readonly options: AgentOptions } => {
  let calls = 0;
  return {
    calls: () => calls,
    options: {
      apiKey: "k",
      env: {},
      sleep: () => Promise.resolve(),
      fetch: () => {
        calls++;
        return Promise.resolve(new Response("{}", { status: isUp(calls) ? 400 : 503 }));
      },
    },
  };
};

describe("F-R10 the retries of agents", () => {
  test("a service that is down is not asked three times by each of a thousand agents", async () => {
    const down = service(() => false);
    const agents = Array.from({ length: 1000 }, () => new Agent("deepseek-v4-pro", down.options));
    await Promise.allSettled(agents.map((agent) => agent.send("hi")));
    expect(down.calls()).toBe(1010);
    const other = service((call) => call > 1);
    await new Agent("kimi-k3", other.options).send("hi").catch(() => undefined);
    expect(other.calls()).toBe(2);
  });
});

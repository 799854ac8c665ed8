import { calls, says, script, stalls, thinks } from "@mull/emulator";
import { tool, type Receipt } from "mull";
import { describe, expect, it } from "vitest";
import { testServer, type TestServer, type Visitor } from "./testing/test-server.ts";

interface Shown {
  readonly messages: readonly {
    readonly metadata?: Readonly<Record<string, unknown>>;
    readonly parts: readonly { readonly type: string; readonly data?: Step }[];
  }[];
}

interface Step {
  readonly receipt: Receipt;
}

const stepsOf = async (visitor: Visitor, id: string): Promise<readonly Step[]> => {
  const { messages } = await visitor.json<Shown>("GET", `/api/conversations/${id}/messages`);
  const parts = messages.at(-1)!.parts.filter(({ type }) => type === "data-receipt");
  return parts.flatMap(({ data }) => data ?? []);
};

const metricsOf = async (server: TestServer): Promise<string> =>
  (await server.visitor().call("GET", "/metrics")).text();

/** Reads until the stream has this text. */
async function readTo(response: Response, text: string): Promise<void> {
  const reader = response.body!.getReader();
  const decoder = new TextDecoder();
  for (let read = ""; !read.includes(text);) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`the stream ended without ${text}`);
    read += decoder.decode(value, { stream: true });
  }
  reader.releaseLock();
}

describe("what turns take", () => {
  it("a stopped answer is counted as at least so much, in usage, limits and receipt", async () => {
    const begun = script({}, [thinks("Let me see. ".repeat(40)), says("Begun"), stalls(60_000)]);
    const server = testServer({ emulator: { scripts: [begun] }, limits: { tokensPerDay: 40_000 } });
    const ann = await server.signedUp("ann");
    const id = await ann.newConversation("gpt-6-sol");
    await readTo(await ann.ask(id, { text: "Well?" }), "text-delta");
    await ann.json("POST", `/api/chat/${id}/stop`);
    const spent = await ann.json<{ tokens: number; cost: number; rows: object[] }>(
      "GET",
      "/api/usage?minutesEast=-60",
    );
    expect(spent.rows).toMatchObject([{ turns: 1, cost: spent.cost }]);
    expect(spent.tokens).toBeGreaterThan(100);
    expect(spent.cost).toBeGreaterThan(0);
    const { messages } = await ann.json<Shown>("GET", `/api/conversations/${id}/messages`);
    expect(messages.at(-1)!.metadata).toMatchObject({
      state: "stopped",
      cost: spent.cost,
      usage: { estimated: true, total: spent.tokens },
    });
    const steps = await stepsOf(ann, id);
    expect(steps).toMatchObject([{ receipt: { unfinished: true, cost: { atLeast: true } } }]);
    const { userId } = await ann.json<{ userId: string }>("GET", "/api/account");
    const nothing = { tokens: 0, cost: 0 };
    const counted = await server.store.reserve({
      userId,
      turnId: "next",
      most: { turns: 0, ...nothing },
      took: nothing,
      input: nothing,
      output: { wanted: 0, least: 0, costEach: 0 },
      ms: 0,
    });
    expect(counted.spent).toEqual({ tokens: spent.tokens, cost: spent.cost });
  });

  it("each step of a shared turn is on its own model's account; `use` says who still answers", async () => {
    let ann: Visitor | undefined;
    let id = "";
    const used: unknown[] = [];
    const look = tool({
      name: "look",
      run: async () => {
        used.push(
          await ann!.json("POST", `/api/chat/${id}/use`, { model: "anthropic:claude-haiku-4-5" }),
        );
        return "found";
      },
    });
    const server = testServer({
      emulator: { scripts: [script({}, [thinks("Hm."), calls("look")], [says("Found.")])] },
      tools: [look],
    });
    ann = await server.signedUp("ann");
    id = await ann.newConversation("gpt-6-sol");
    await ann.askWhole(id, "Look.");
    expect(used).toMatchObject([{ tookOver: true }]);
    expect(used[0]).not.toHaveProperty("answering");
    const steps = await stepsOf(ann, id);
    expect(steps.map(({ receipt }) => receipt.plan.model)).toEqual([
      "gpt-6-sol",
      "claude-haiku-4-5",
    ]);
    const costs = steps.map(({ receipt }) => receipt.cost!.total);
    const spent = await ann.json<{ cost: number }>("GET", "/api/usage");
    expect(spent.cost).toBeCloseTo(
      costs.reduce((sum, cost) => sum + cost),
      12,
    );
    const metrics = await metricsOf(server);
    expect(metrics).toContain(`mull_dollars_total{model="gpt-6-sol"} ${costs[0]}`);
    expect(metrics).toContain(`mull_dollars_total{model="claude-haiku-4-5"} ${costs[1]}`);
  });

  it("`use` in the middle of a step names the model that finishes it", async () => {
    const begun = script({}, [says("Begun"), stalls(60_000)]);
    const server = testServer({ emulator: { scripts: [begun] } });
    const ann = await server.signedUp("ann");
    const id = await ann.newConversation("gpt-6-sol");
    await readTo(await ann.ask(id, { text: "Well?" }), "text-delta");
    const model = "anthropic:claude-haiku-4-5";
    expect(await ann.json("POST", `/api/chat/${id}/use`, { model })).toMatchObject({
      tookOver: true,
      answering: "gpt-6-sol",
    });
    await ann.json("POST", `/api/chat/${id}/stop`);
  });
});

import { calls, emulate, says, script, type Emulator } from "@mull/emulator";
import { Agent, tool, type AgentEvent, type AgentOptions } from "mull";
import { describe, expect, test, vi } from "vitest";
import { wrong } from "../stubs.ts";

const wires = [
  "claude-opus-5-5/low",
  "gpt-6-sol/low",
  "openai-chat:gpt-6-sol/none",
  "gemini-3.8-flash/low",
];

const asked = (): Emulator =>
  emulate({
    scripts: [
      { ...script({ turn: 1 }, [calls("look", {}), calls("pay", { sum: 500 })]), repeat: true },
      { ...script({ turn: 2 }, [says("Very well.")]), repeat: true },
    ],
  });

const optionsWith = (
  run: (input: { readonly sum: number }) => unknown,
  fetch: Emulator,
): AgentOptions => ({
  fetch,
  apiKey: "emulated",
  tools: [
    tool({ name: "look", run: () => "nothing" }),
    tool<{ readonly sum: number }>({
      name: "pay",
      input: { type: "object", properties: { sum: { type: "number" } }, required: ["sum"] },
      needsApproval: ({ sum }) => sum > 100,
      run,
    }),
  ],
});

const failing = (): boolean => {
  throw new Error("no rule");
};

describe.each(wires)("R440 approval with %s", (model) => {
  test("pauses the turn; another process agrees, and the call runs once", async () => {
    const fetch = asked();
    const run = vi.fn<() => string>(() => "paid");
    const agent = new Agent(model, optionsWith(run, fetch));
    const events: AgentEvent[] = [];
    const stream = agent.sendStream("Pay.");
    for await (const event of stream.events()) events.push(event);
    expect(events.find(({ type }) => type === "approval")).toMatchObject({
      pending: [{ call: { name: "pay", input: { sum: 500 } }, why: "approval" }],
    });
    const { finish, pending } = await stream.result();
    expect([finish.reason, pending?.length, run.mock.calls.length]).toEqual(["approval", 1, 0]);

    const other = Agent.restore(JSON.stringify(agent), optionsWith(run, fetch));
    expect(other.isOpen).toBe(true);
    await expect(other.resumeStream().result()).rejects.toMatchObject({ code: "undecided" });
    const [waiting] = await other.pendingCalls();
    other.decide(waiting!.call.id, "run");
    const { text } = await other.resumeStream().result();
    expect([text, run.mock.calls, other.isOpen]).toEqual([
      "Very well.",
      [[{ sum: 500 }, expect.anything()]],
      false,
    ]);
    expect(other.history.messages.map(({ role }) => role)).toEqual([
      "user",
      "assistant",
      "tool",
      "assistant",
    ]);
    expect(fetch.journal().map(({ verdict }) => verdict)).toEqual(["answered", "answered"]);
  });

  test("R439 a refusal goes back to the model with its reason, an output as the tool's own", async () => {
    for (const [decision, said, refused] of [
      [{ refuse: "too much" }, "Refused, the call was not run: too much", "too much"],
      [{ output: { paid: true } }, '{"paid":true}', undefined],
    ] as const) {
      const fetch = asked();
      const run = vi.fn<() => string>(() => "paid");
      const agent = new Agent(model, optionsWith(run, fetch));
      const { pending = [] } = await agent.send("Pay.");
      agent.decide(pending[0]!.call.id, decision);
      const results: unknown[] = [];
      for await (const event of agent.resumeStream().events())
        if (event.type === "tool-result") results.push(event.result);
      expect(run).not.toHaveBeenCalled();
      expect(results).toMatchObject([{ callId: pending[0]!.call.id, output: said }]);
      expect(results).toMatchObject([refused === undefined ? {} : { refused, isError: true }]);
      expect(JSON.stringify(fetch.journal().at(-1)?.body)).toContain(
        JSON.stringify(said).slice(1, -1),
      );
    }
  });
});

test("R440 small sums pass, a rule that fails lets nothing pass, a new question sets calls aside", async () => {
  const run = vi.fn<() => string>(() => "paid");
  const small = emulate({ scripts: [script({}, [calls("pay", { sum: 5 })], [says("Paid.")])] });
  expect((await new Agent(wires[0]!, optionsWith(run, small)).send("Pay.")).text).toBe("Paid.");
  expect(run).toHaveBeenCalledTimes(1);

  const fetch = emulate({ scripts: [script({}, [calls("act", {})], [says("Then not.")])] });
  const act = tool({ name: "act", needsApproval: failing, run });
  const agent = new Agent(wires[0]!, { fetch, apiKey: "k", tools: [act] });
  expect((await agent.send("Act.")).finish.reason).toBe("approval");
  expect((await agent.send("Never mind.")).text).toBe("Then not.");
  expect(run).toHaveBeenCalledTimes(1);
  expect(await agent.pendingCalls()).toEqual([]);
});

test("R439 wrong decisions are refused with what is allowed", async () => {
  const agent = new Agent(
    wires[1]!,
    optionsWith(() => "", asked()),
  );
  expect(() => agent.decide("x", "run")).toThrow("none is open");
  const { pending = [] } = await agent.send("Pay.");
  const { id } = pending[0]!.call;
  expect(() => agent.decide("x", "run")).toThrow(id);
  expect(() => agent.decide(id, wrong("yes"))).toThrow('"run", { refuse: reason } or { output }');
  expect(() => tool({ name: "a", needsApproval: wrong("yes"), run: () => "" })).toThrow(
    "tool a needsApproval",
  );
});

test("R439 a call that was agreed to and has no result may have run, and is asked about again", async () => {
  const agent = new Agent(
    wires[2]!,
    optionsWith(() => "paid", asked()),
  );
  const { pending = [] } = await agent.send("Pay.");
  const { id } = pending[0]!.call;
  const saved = JSON.stringify(agent.decide(id, "run"));
  const other = Agent.restore(
    saved,
    optionsWith(() => "paid", asked()),
  );
  expect(await other.pendingCalls()).toMatchObject([{ call: { id }, why: "interrupted" }]);
});

import { getEventListeners } from "node:events";
import { calls, fails, says, script, thinks } from "@mull/emulator";
import { isMullError, tool, type Agent, type AgentChunk, type Fetch } from "mull";
import { describe, expect, test } from "vitest";
import { agentAt, emulator, refusalsOf } from "./emulated.ts";

const wires = ["claude-opus-5-5", "gpt-6-sol", "openai-chat:gpt-5.1", "gemini-3.8-flash"];

const turns = [
  [thinks("Let me see. ".repeat(4)), says("Looking. "), calls("get_weather", { city: "Oslo" })],
  [thinks("Cold."), says("It is 9 degrees in Oslo.")],
];

interface Line {
  readonly fetch: Fetch;
  /** Whether the connection of the last answer was given up, or read to its end. */
  readonly isClosed: () => boolean;
}

/** Passes the emulator's bytes on one event at a time and notes when nobody wants more. */
function watchedLine(hold?: "connect" | "headers" | "first-event", onHeld?: () => void): Line {
  const served = emulator({ scripts: [script({}, ...turns)] });
  let closed = false;
  const whenAborted = (signal: AbortSignal): Promise<never> =>
    new Promise((_, reject) => {
      signal.addEventListener("abort", () => {
        closed = true;
        reject(signal.reason as Error);
      });
    });
  return {
    isClosed: () => closed,
    fetch: async (url, init) => {
      const signal = init.signal!;
      if (hold !== undefined && onHeld !== undefined) setTimeout(onHeld, 1);
      if (hold === "connect" || hold === "headers") return whenAborted(signal);
      const response = await served(url, init);
      const events = (await response.text()).split(/(?<=\n\r?\n)/);
      whenAborted(signal).catch(() => undefined);
      return new Response(
        new ReadableStream(
          {
            async pull(controller) {
              if (hold === "first-event") return new Promise(() => undefined);
              await new Promise((resolve) => setTimeout(resolve, 0));
              const next = events.shift();
              closed = events.length === 0;
              if (next === undefined) controller.close();
              else controller.enqueue(new TextEncoder().encode(next));
            },
            cancel() {
              closed = true;
            },
          },
          { highWaterMark: 0 },
        ),
        { headers: response.headers },
      );
    },
  };
}

/** After whatever happened, the conversation can be gone on with. */
async function expectContinuable(agent: Agent, ref: string): Promise<void> {
  const served = emulator();
  await agentAt(ref, served, { history: agent.history }).send("Are you still there?");
  expect(refusalsOf(served)).toEqual([]);
  expect(agent.isRunning).toBe(false);
}

const abortedError = async (result: Promise<unknown>): Promise<string> => {
  const error: unknown = await result.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return isMullError(error) ? error.category : `not stopped: ${String(error)}`;
};

async function stopWhen(
  agent: Agent,
  isTime: (chunk: AgentChunk) => boolean,
  stop: AbortController,
): Promise<void> {
  for await (const chunk of agent.sendStream("weather?", { signal: stop.signal })) {
    if (isTime(chunk)) stop.abort();
  }
}

describe.each(wires)("F-A1 %s: stopping at any moment leaves a valid conversation", (ref) => {
  test("before the call", async () => {
    const line = watchedLine();
    const agent = agentAt(ref, line.fetch);
    expect(await abortedError(agent.send("hi", { signal: AbortSignal.abort() }))).toBe("aborted");
    expect(agent.history.length).toBe(0);
    await expectContinuable(agent, ref);
  });

  test.each(["connect", "headers", "first-event"] as const)("while waiting: %s", async (hold) => {
    const stop = new AbortController();
    const line = watchedLine(hold, () => stop.abort());
    const agent = agentAt(ref, line.fetch);
    expect(await abortedError(agent.send("hi", { signal: stop.signal }))).toBe("aborted");
    expect(line.isClosed()).toBe(true);
    expect(agent.history.length).toBe(0);
    await expectContinuable(agent, ref);
  });

  const moments: readonly (readonly [string, (chunk: AgentChunk) => boolean])[] = [
    ["in text", ({ text }) => text !== undefined],
    ["at a call", ({ event }) => event.type === "answer" && event.event.type === "tool-call"],
    ["between steps", ({ event }) => event.type === "step"],
    ["after a tool", ({ event }) => event.type === "tool-result"],
    ["in the second step", ({ event }) => event.type === "answer" && event.step === 1],
  ];
  test.each(moments)("%s", async (_, isTime) => {
    const line = watchedLine();
    const agent = agentAt(ref, line.fetch);
    const stop = new AbortController();
    expect(await abortedError(stopWhen(agent, isTime, stop))).toBe("aborted");
    expect(line.isClosed()).toBe(true);
    expect(agent.history.length).toBeGreaterThan(1);
    await expectContinuable(agent, ref);
  });

  test("while a tool runs: its signal says so, the call gets a result", async () => {
    const line = watchedLine();
    const stop = new AbortController();
    let toolStopped = false;
    const slow = tool({
      name: "get_weather",
      input: { type: "object", properties: { city: { type: "string" } } },
      run: (_, { signal }) =>
        new Promise(() => {
          signal.addEventListener("abort", () => (toolStopped = true));
          stop.abort();
        }),
    });
    const agent = agentAt(ref, line.fetch, { tools: [slow] });
    expect(await abortedError(agent.send("weather?", { signal: stop.signal }))).toBe("aborted");
    expect(toolStopped).toBe(true);
    const last = agent.history.messages.at(-1);
    expect(last?.parts).toMatchObject([{ type: "tool-result", isError: true }]);
    await expectContinuable(agent, ref);
  });

  test("in backoff", async () => {
    const served = emulator({ scripts: [script({}, [fails(529)], [fails(529)])] });
    const stop = new AbortController();
    const agent = agentAt(ref, served, {
      maxAttempts: 3,
      sleep: () => new Promise(() => stop.abort()),
    });
    expect(await abortedError(agent.send("hi", { signal: stop.signal }))).toBe("aborted");
    await expectContinuable(agent, ref);
  });

  test("by a signal of the agent's: the turn that runs, and those that come", async () => {
    const stop = new AbortController();
    const line = watchedLine("first-event", () => stop.abort());
    const agent = agentAt(ref, line.fetch, { signal: stop.signal });
    expect(await abortedError(agent.send("hi"))).toBe("aborted");
    expect(line.isClosed()).toBe(true);
    expect(await abortedError(agent.send("hi again"))).toBe("aborted");
    expect(getEventListeners(stop.signal, "abort")).toEqual([]);
    await expectContinuable(agent, ref);
  });

  test("after the end nothing happens", async () => {
    const stop = new AbortController();
    const agent = agentAt(ref, emulator());
    await agent.send("hi", { signal: stop.signal });
    const before = agent.history;
    stop.abort();
    expect(agent.history).toBe(before);
    await expectContinuable(agent, ref);
  });

  test.each(moments)("F-A2 leaving the loop %s closes the connection", async (_, isTime) => {
    const line = watchedLine();
    const agent = agentAt(ref, line.fetch);
    for await (const chunk of agent.sendStream("weather?")) if (isTime(chunk)) break;
    expect(agent.isRunning).toBe(false);
    await expectContinuable(agent, ref);
  });

  test("F-A2 F-K1 leaving the loop behind a tool result keeps it", async () => {
    const line = watchedLine();
    const agent = agentAt(ref, line.fetch);
    for await (const { event } of agent.sendStream("weather?")) {
      if (event.type === "tool-result") break;
    }
    expect(agent.history.messages.at(-1)).toMatchObject({
      role: "tool",
      parts: [{ output: "9 degrees, clear" }],
    });
  });

  test("F-A2 leaving the loop in mid answer closes the connection", async () => {
    const line = watchedLine();
    const agent = agentAt(ref, line.fetch);
    for await (const chunk of agent.sendStream("weather?"))
      if (chunk.event.type === "answer") break;
    expect(line.isClosed()).toBe(true);
  });
});

describe("a turn and its neighbours", () => {
  test("a second turn is refused while one runs, and welcome afterwards", async () => {
    const agent = agentAt("gpt-6-sol", emulator());
    const first = agent.sendStream("hi");
    const iterator = first[Symbol.asyncIterator]();
    await iterator.next();
    await expect(agent.send("again")).rejects.toMatchObject({ code: "turn_running" });
    const { history } = agent;
    expect(() => (agent.history = history)).toThrow("A turn is running");
    await first.result();
    await agent.send("again");
    expect(agent.history.length).toBe(4);
  });

  test("an interrupted turn goes on without a new question", async () => {
    const line = watchedLine();
    const agent = agentAt("claude-opus-5-5", line.fetch);
    for await (const { event } of agent.sendStream("weather?")) if (event.type === "step") break;
    const served = emulator();
    const next = agentAt("claude-opus-5-5", served, { history: agent.history });
    for (const { call } of await next.pendingCalls()) next.decide(call.id, "run");
    const result = await next.resumeStream().result();
    expect(result.text).not.toBe("");
    expect(refusalsOf(served)).toEqual([]);
    expect(next.history.messages.filter(({ role }) => role === "user")).toHaveLength(1);
  });

  test("a result after leaving says that there is none", async () => {
    const agent = agentAt("gpt-6-sol", emulator());
    const stream = agent.sendStream("hi");
    for await (const _ of stream) break;
    await expect(stream.result()).rejects.toMatchObject({ category: "aborted" });
  });
});

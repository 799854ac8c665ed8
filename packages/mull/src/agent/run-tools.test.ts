import { afterEach, describe, expect, test, vi } from "vitest";
import type { ToolCallPart, ToolResultPart } from "../types/message.ts";
import { runTools, type RunToolsOptions } from "./run-calls.ts";
import { tool, type Tool, type ToolOptions } from "./tool.ts";

const call = (name: string, id = "c1", extra: Partial<ToolCallPart> = {}): ToolCallPart => ({
  type: "tool-call",
  id,
  name,
  input: {},
  ...extra,
});

const table = (...tools: readonly Tool[]): ReadonlyMap<string, Tool> =>
  new Map(tools.map((entry) => [entry.spec.name, entry]));

const named = (run: ToolOptions<unknown>["run"], extra: Partial<ToolOptions<unknown>> = {}): Tool =>
  tool<unknown>({ name: "t", run, ...extra });

const options = (extra: Partial<RunToolsOptions> = {}): RunToolsOptions => ({
  signal: new AbortController().signal,
  concurrency: 8,
  timeoutMs: 120_000,
  maxResultBytes: 262_144,
  onResult: () => undefined,
  ...extra,
});

const runOne = async (
  made: Tool,
  extra: Partial<RunToolsOptions> = {},
  part = call("t"),
): Promise<ToolResultPart | undefined> =>
  (await runTools([part], table(made), options(extra))).at(0);

afterEach(() => {
  vi.useRealTimers();
});

const offline: unknown = "offline";

describe("F-K1 a tool that fails gives an error result, without a stack", () => {
  const failing: readonly (readonly [string, () => unknown, string])[] = [
    ["throws an Error", () => raise(new Error("no such city")), "The tool failed: no such city"],
    ["throws a nameless Error", () => raise(new TypeError("")), "The tool failed: TypeError"],
    ["throws undefined", () => raise(undefined), "The tool failed."],
    ["rejects with a string", () => Promise.reject(offline), "The tool failed: offline"],
    ["throws a string", () => raise("offline"), "The tool failed: offline"],
  ];
  test.each(failing)("%s", async (_, run, output) => {
    expect(await runOne(named(run))).toEqual({
      type: "tool-result",
      callId: "c1",
      name: "t",
      output,
      isError: true,
      durationMs: expect.any(Number),
    });
  });

  test("throws after the stop: the result says that it was stopped", async () => {
    const stop = new AbortController();
    const made = named(async (_, { signal }) => {
      stop.abort();
      await Promise.resolve();
      signal.throwIfAborted();
    });
    const result = await runOne(made, { signal: stop.signal });
    expect(result).toMatchObject({ isError: true });
    expect(result?.output).toContain("interrupted, the turn was stopped");
  });
});

const raise = (value: unknown): never => {
  throw value as Error;
};

describe("F-K2 a tool that hangs", () => {
  test("is given up after its limit; its signal is aborted, a late result ignored", async () => {
    vi.useFakeTimers();
    let signal: AbortSignal | undefined;
    let finish: ((value: string) => void) | undefined;
    const made = named((_, context) => {
      ({ signal } = context);
      return new Promise((resolve) => (finish = resolve));
    });
    const running = runOne(made);
    await vi.advanceTimersByTimeAsync(119_999);
    expect(signal?.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    const result = await running;
    finish?.("late");
    await vi.runAllTimersAsync();
    expect(signal?.aborted).toBe(true);
    expect(result?.output).toBe("The tool failed: timed out after 120000 ms");
  });

  test("its own limit wins, and the check of its input counts too", async () => {
    vi.useFakeTimers();
    const schema = { "~standard": { validate: () => new Promise<never>(() => undefined) } };
    const made = named(() => "never", {
      timeoutMs: 50,
      input: schema,
      inputSchema: { type: "object" },
    });
    const running = runOne(made);
    await vi.advanceTimersByTimeAsync(50);
    expect((await running)?.output).toBe("The tool failed: timed out after 50 ms");
  });

  test("a limit of Infinity is none", async () => {
    const made = named(() => new Promise((resolve) => setTimeout(resolve, 5, "done")));
    expect((await runOne(made, { timeoutMs: Infinity }))?.output).toBe("done");
  });

  test("stopped between check and run, it never starts", async () => {
    const stop = new AbortController();
    let ran = false;
    const schema = {
      "~standard": {
        validate: (value: unknown) => {
          stop.abort();
          return { value };
        },
      },
    };
    const made = named(() => (ran = true), { input: schema, inputSchema: { type: "object" } });
    expect((await runOne(made, { signal: stop.signal }))?.isError).toBe(true);
    expect(ran).toBe(false);
  });
});

describe("F-K6 calls that cannot be run", () => {
  test("an unknown tool: the result names those there are", async () => {
    const result = await runOne(
      named(() => ""),
      {},
      call("__proto__"),
    );
    expect(result?.output).toBe('There is no tool "__proto__". Tools: t.');
    const [none] = await runTools([call("x")], new Map(), options());
    expect(none?.output).toContain("Tools: none.");
  });

  test("an input against the schema: the result names the fields", async () => {
    const made = named(() => "", {
      input: {
        type: "object",
        properties: { city: { type: "string" }, days: { type: "integer" } },
        required: ["city"],
      },
    });
    const result = await runOne(made, {}, call("t", "c1", { input: { days: 1.5 } }));
    expect(result).toMatchObject({
      isError: true,
      output:
        "The input does not fit the tool: input.city is required; input.days must be integer, not number.",
    });
  });

  test("an input that wasn't JSON is not run and says why", async () => {
    const invalid = { raw: '{"city": "Os', reason: "the arguments are not valid JSON" };
    const result = await runOne(
      named(() => "ran"),
      {},
      call("t", "c1", { invalid }),
    );
    expect(result?.output).toBe(
      'The call was not run: the arguments are not valid JSON. It began: "{\\"city\\": \\"Os"',
    );
  });
});

describe("parallel calls", () => {
  test("results stand in the order of the calls; as many run as allowed", async () => {
    let running = 0;
    let most = 0;
    let release: (() => void) | undefined;
    const last = new Promise<void>((resolve) => {
      release = resolve;
    });
    const made = named(async (_, { callId }) => {
      most = Math.max(most, ++running);
      if (callId === "c0") await last;
      else await new Promise((resolve) => setTimeout(resolve, 1));
      if (callId === "c6") release?.();
      running--;
      return callId;
    });
    const calls = Array.from({ length: 7 }, (_, at) => call("t", `c${at}`));
    const seen: number[] = [];
    const results = await runTools(
      calls,
      table(made),
      options({ concurrency: 3, onResult: (_, at) => seen.push(at) }),
    );
    expect(most).toBe(3);
    expect(results.map(({ output }) => output)).toEqual(calls.map(({ id }) => id));
    expect(seen.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(seen[0]).not.toBe(0);
  });

  test("a tool cannot change the call it was given", async () => {
    const part = call("t", "c1", { input: { list: [1] } });
    const made = tool<{ list: number[] }>({
      name: "t",
      input: { type: "object" },
      run: ({ list }) => list.push(2),
    });
    await runOne(made, {}, part);
    expect(part.input).toEqual({ list: [1] });
  });

  test("fifty tools that run at once put one listener on the signal, and take it back", async () => {
    const { signal } = new AbortController();
    const added = vi.spyOn(signal, "addEventListener");
    const removed = vi.spyOn(signal, "removeEventListener");
    const calls = Array.from({ length: 50 }, (_, index) => call("t", `c${index}`));
    await runTools(calls, table(named(() => "x")), options({ signal, concurrency: Infinity }));
    expect(added).toHaveBeenCalledTimes(1);
    expect(removed.mock.calls).toEqual(added.mock.calls);
  });
});

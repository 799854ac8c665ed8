import { calls, says, script, stalls, thinks } from "@mull/emulator";
import { streamChat, type AgentStream, type ChatStream } from "mull";
import { describe, expect, test } from "vitest";
import { agentAt, emulator } from "./emulated.ts";

const scripts = [
  script(
    {},
    [thinks("Which city is meant? Oslo it is."), calls("get_weather", { city: "Oslo" })],
    [says("It is nine degrees in Oslo, and the sky is clear.")],
  ),
];
const turn = (): AgentStream =>
  agentAt("claude-opus-5-5", emulator({ scripts })).sendStream("Oslo?");

const words = [script({}, [says("It is nine degrees in Oslo, and the sky is clear.")])];
const answer = (apiKey = "emulated"): ChatStream =>
  streamChat(
    "claude-opus-5-5",
    { messages: [{ role: "user", parts: [{ type: "text", text: "Oslo?" }] }] },
    { fetch: emulator({ scripts: words }), apiKey, env: {} },
  );

const allOf = async <T>(stream: AsyncIterable<T>): Promise<readonly T[]> => {
  const all: T[] = [];
  for await (const one of stream) all.push(one);
  return all;
};

const textOf = (stream: AgentStream): Promise<string> =>
  allOf(stream).then((chunks) => chunks.map((chunk) => chunk.text ?? "").join(""));

describe("P-E8 who waits for the result takes nothing from who reads", () => {
  test("the result of a turn is asked for before it is read", async () => {
    const stream = turn();
    const result = stream.result();
    expect(await textOf(stream)).toBe((await result).text);
    expect((await result).text).toContain("and the sky is clear.");
  });

  test("the result of a turn is asked for while it is read", async () => {
    const stream = turn();
    let result: Promise<{ readonly text: string }> | undefined;
    let text = "";
    for await (const { event } of stream) {
      result ??= stream.result();
      if (event.type === "answer" && event.event.type === "text") text += event.event.delta;
    }
    expect(text).toBe((await result)?.text);
  });

  test("events of a turn come whole and in order beside the result", async () => {
    const alone = await allOf(turn().events());
    const stream = turn();
    const result = stream.result();
    const beside: unknown[] = [];
    for await (const { type } of stream.events()) beside.push(type);
    expect(beside).toEqual(alone.map(({ type }) => type));
    await result;
  });

  test("calls for the next event that do not wait for each other are served in order", async () => {
    const alone = await allOf(turn().events());
    const events = turn().events()[Symbol.asyncIterator]();
    const steps = await Promise.all(alone.map(() => events.next()));
    expect(steps.map((step) => (step.done ? "end" : step.value.type))).toEqual(
      alone.map(({ type }) => type),
    );
  });

  test("the result of one answer is asked for before it is read", async () => {
    const stream = answer();
    const result = stream.result();
    const events = await allOf(stream);
    const text = events.map((event) => (event.type === "text" ? event.delta : "")).join("");
    expect(text).toBe((await result).text);
    expect(events.at(-1)?.type).toBe("finish");
  });
});

describe("a failure is the same for everybody", () => {
  test.each(["reads first", "waits first", "both at once"])("P-E8 who %s", async (order) => {
    for (const stream of [
      answer("an-invalid-key"),
      agentAt("claude-opus-5-5", emulator(), { apiKey: "an-invalid-key" }).sendStream("Oslo?"),
    ]) {
      const reads = (): Promise<unknown> => allOf<unknown>(stream).catch((error: unknown) => error);
      const waits = (): Promise<unknown> => stream.result().catch((error: unknown) => error);
      const both =
        order === "reads first"
          ? [await reads(), await waits()]
          : order === "waits first"
            ? [await waits(), await reads()]
            : await Promise.all([waits(), reads()]);
      expect(both).toMatchObject([{ category: "auth" }, { category: "auth" }]);
    }
  });

  test("P-E8 a line that breaks within the answer", async () => {
    const broken = emulator({ scripts: words });
    const fetch = async (url: string, init?: RequestInit): Promise<Response> => {
      const whole = await broken(url, init);
      const bytes = new Uint8Array(await whole.arrayBuffer());
      let at = 0;
      const body = new ReadableStream({
        pull: (controller) => {
          if (at > bytes.length / 2) throw new Error("gone");
          controller.enqueue(bytes.subarray(at, (at += 100)));
        },
      });
      return new Response(body, { status: whole.status, headers: whole.headers });
    };
    const stream = streamChat(
      "claude-opus-5-5",
      { messages: [{ role: "user", parts: [{ type: "text", text: "Oslo?" }] }] },
      { fetch, apiKey: "emulated", env: {} },
    );
    await expect(allOf(stream)).rejects.toMatchObject({ category: "network" });
    await expect(stream.result()).rejects.toMatchObject({ category: "network" });
  });

  test("P-E4 leaving ends a turn that hangs, also while somebody waits for its result", async () => {
    const hanging = emulator({
      scripts: [script({}, [thinks("Hm. It takes long."), stalls(3_600_000)])],
    });
    const agent = agentAt("claude-opus-5-5", hanging);
    const stream = agent.sendStream("Oslo?");
    const result = stream.result().catch((error: unknown) => error);
    for await (const chunk of stream) if (chunk.thinking !== undefined) break;
    expect(await result).toMatchObject({ category: "aborted" });
    expect(agent.isRunning).toBe(false);
    expect(agent.history.messages.at(-1)).toMatchObject({ role: "assistant", interrupted: true });
  });

  test("a turn that was left has no result, and says so", async () => {
    const stream = turn();
    for await (const _ of stream) break;
    await expect(stream.result()).rejects.toMatchObject({ category: "aborted" });
  });
});

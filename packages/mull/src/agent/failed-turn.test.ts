import { describe, expect, test } from "vitest";
import { isMullError, type MullError } from "../types/error.ts";
import type { Fetch } from "../types/http.ts";
import { Agent } from "./agent.ts";
import type { AgentOptions } from "./options.ts";
import { tool } from "./tool.ts";

const frame = (parts: readonly object[], finishReason?: string): string =>
  `data: ${JSON.stringify({ candidates: [{ content: { role: "model", parts }, finishReason }] })}\n\n`;

const events = (...frames: readonly string[]): Response =>
  new Response(frames.join(""), { headers: { "content-type": "text/event-stream" } });

const whole = (): Response => events(frame([{ text: "Four." }], "STOP"));
const cut = (): Response => events(frame([{ text: "Fo" }]));
const asksTool = (): Response =>
  events(frame([{ functionCall: { name: "look", args: {} }, thoughtSignature: "c2ln" }], "STOP"));
const tooMany = (): Response =>
  Response.json(
    { error: { code: 429, status: "RESOURCE_EXHAUSTED", message: "slow down" } },
    {
      status: 429,
    },
  );
const refused = (): Response =>
  Response.json(
    { error: { code: 400, status: "INVALID_ARGUMENT", message: "no" } },
    {
      status: 400,
    },
  );
const lost = (): Response => {
  throw new TypeError("fetch failed");
};

type Answer = () => Response;

/** An agent whose service gives these answers, one after the other. */
function agentWith(answers: readonly Answer[], options: AgentOptions = {}): Agent {
  const left = [...answers];
  const fetch: Fetch = async () => (left.shift() ?? lost)();
  const look = tool({
    name: "look",
    description: "Looks.",
    input: { type: "object", properties: {} },
    run: () => "seen",
  });
  return new Agent("gemini-3.8-flash/low", {
    apiKey: "key",
    fetch,
    tools: [look],
    sleep: () => Promise.resolve(),
    ...options,
  });
}

async function failureOf(turn: Promise<unknown>): Promise<MullError> {
  const error = await turn.then(
    () => new Error("it went well"),
    (cause: unknown) => cause,
  );
  if (!isMullError(error)) throw error;
  return error;
}

const rolesOf = ({ history }: Agent): readonly string[] => history.messages.map(({ role }) => role);

describe("error.turn tells whether to send the question again", () => {
  const nothing: readonly (readonly [string, readonly Answer[], string, AgentOptions])[] = [
    ["a question refused here", [], "", {}],
    ["a setting refused here", [], "2 + 2?", { toolChoice: { tool: "find" } }],
    ["a request the service refuses", [refused], "2 + 2?", {}],
    ["a network that fails", [lost, lost, lost, lost], "2 + 2?", {}],
    ["a 429 after all retries", [tooMany, tooMany, tooMany, tooMany], "2 + 2?", { maxAttempts: 3 }],
  ];
  test.each(nothing)("not-started after %s", async (_, answers, question, options) => {
    const agent = agentWith(answers, options);
    const { turn } = await failureOf(agent.send(question));
    expect([turn, rolesOf(agent)]).toEqual(["not-started", []]);
  });

  test("not-started: the question is sent again, and stands in the history once", async () => {
    const agent = agentWith([refused, whole]);
    await failureOf(agent.send("2 + 2?"));
    expect((await agent.send("2 + 2?")).text).toBe("Four.");
    expect(rolesOf(agent)).toEqual(["user", "assistant"]);
  });

  test("not-started for a second turn beside a running one", async () => {
    const agent = agentWith([whole]);
    const running = agent.send("2 + 2?");
    const { turn, code } = await failureOf(agent.send("3 + 3?"));
    expect([turn, code]).toEqual(["not-started", "turn_running"]);
    expect((await running).text).toBe("Four.");
  });
});

describe("error.turn tells whether to resume", () => {
  test("partial after a stream that broke, and the turn goes on from there", async () => {
    const agent = agentWith([cut, whole]);
    const { turn } = await failureOf(agent.send("2 + 2?"));
    expect([turn, rolesOf(agent)]).toEqual(["partial", ["user", "assistant"]]);
    expect((await agent.resumeStream().result()).text).toBe("Four.");
  });

  test("partial after a failure in step 2 of a tool loop: the tool is not run again", async () => {
    const agent = agentWith([asksTool, refused, whole]);
    const { turn } = await failureOf(agent.send("2 + 2?"));
    expect([turn, rolesOf(agent)]).toEqual(["partial", ["user", "assistant", "tool"]]);
    expect((await agent.resumeStream().result()).text).toBe("Four.");
    expect(rolesOf(agent)).toEqual(["user", "assistant", "tool", "assistant"]);
  });

  test("a resumed turn of which nothing came can be resumed again", async () => {
    const agent = agentWith([asksTool, refused, refused, whole]);
    await failureOf(agent.send("2 + 2?"));
    const { turn } = await failureOf(agent.resumeStream().result());
    expect([turn, rolesOf(agent)]).toEqual(["not-started", ["user", "assistant", "tool"]]);
    expect((await agent.resumeStream().result()).text).toBe("Four.");
  });

  test("not-started where there is nothing to resume", async () => {
    expect((await failureOf(agentWith([]).resumeStream().result())).turn).toBe("not-started");
  });
});

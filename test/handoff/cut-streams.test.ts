import { calls, says, script, thinks } from "@mull/emulator";
import { History, isMullError, lint, type Fetch, type JsonValue, type Part, type Seal } from "mull";
import { describe, expect, test } from "vitest";
import { agentAt, bodiesOf, emulator, refs, refusalsOf } from "./emulated.ts";

const turn = [
  thinks("First I weigh what to look up. ".repeat(3)),
  says("I look up two cities. "),
  thinks("Oslo and Lima it is."),
  calls("get_weather", { city: "Oslo" }),
  calls("get_weather", { city: "Lima" }),
];

/** The whole body of the first answer, as the service streams it. */
async function recordTurn(ref: string): Promise<string> {
  const served = emulator({ scripts: [script({}, turn)] });
  let body = "";
  const agent = agentAt(ref, async (url, init) => {
    const response = await served(url, init);
    body ||= await response.clone().text();
    return response;
  });
  await agent.send("How is the weather?");
  return body;
}

/** Answers with the beginning of a body; the connection breaks, or ends as if all were well. */
function answering(text: string, breaks: boolean): Fetch {
  let sent = false;
  return () =>
    Promise.resolve(
      new Response(
        new ReadableStream(
          {
            pull(controller) {
              if (sent && breaks) controller.error(new TypeError("terminated"));
              else if (sent) controller.close();
              else controller.enqueue(new TextEncoder().encode(text));
              sent = true;
            },
          },
          { highWaterMark: 0 },
        ),
        { headers: { "content-type": "text/event-stream" } },
      ),
    );
}

async function historyAfterCut(ref: string, text: string, breaks: boolean): Promise<History> {
  const agent = agentAt(ref, answering(text, breaks));
  const error: unknown = await agent.send("How is the weather?").catch((thrown: unknown) => thrown);
  expect(error instanceof Error ? isMullError(error) : true).toBe(true);
  return agent.history;
}

const boundariesOf = (body: string): readonly number[] =>
  [...body.matchAll(/\r?\n\r?\n/g)].map(({ index, 0: gap }) => index + gap.length);

function sealsOf(history: History): readonly Seal[] {
  return history.messages.flatMap((message) =>
    message.parts.flatMap((part) => (part.seal === undefined ? [] : [part.seal])),
  );
}

const stringsIn = (value: JsonValue | undefined): readonly string[] =>
  typeof value === "string"
    ? [value]
    : typeof value === "object" && value !== null
      ? Object.values(value as Record<string, JsonValue>).flatMap(stringsIn)
      : [];

describe("F-S17 a stream that breaks at any event leaves a conversation that goes on", () => {
  test.each(refs)("P-E1 %s, then every other model", async (ref) => {
    const body = await recordTurn(ref);
    const ends = boundariesOf(body).slice(0, -1);
    expect(ends.length).toBeGreaterThan(3);
    for (const [at, end] of ends.entries()) {
      const history = await historyAfterCut(ref, body.slice(0, end), at % 2 === 0);
      const copy = History.parse(JSON.stringify(history));
      for (const next of refs) {
        const served = emulator();
        await agentAt(next, served, { history: copy }).send("Go on, please.");
        expect([ref, at, next, refusalsOf(served)]).toEqual([ref, at, next, []]);
        expect(lintOf(served, next)).toEqual([]);
      }
    }
  });

  test.each(refs)("F-S18 P-A14 %s: no seal is ever half of one", async (ref) => {
    const body = await recordTurn(ref);
    for (let end = 0; end < body.length - 2; end += 13) {
      const history = await historyAfterCut(ref, body.slice(0, end), true);
      for (const text of sealsOf(history).flatMap((seal) => stringsIn(seal.data))) {
        expect(body).toContain(`"${text}"`);
      }
      const cut = history.messages
        .flatMap(({ parts }): readonly Part[] => parts)
        .filter((part) => "cut" in part && part.cut);
      expect(cut.filter((part) => part.send !== false || part.seal !== undefined)).toEqual([]);
    }
  });

  test("P-E1 finished sealed blocks are sent again, the cut one is shown and never sent", async () => {
    const body = await recordTurn("claude-opus-5-5");
    const second = body.lastIndexOf("thinking_delta");
    const history = await historyAfterCut("claude-opus-5-5", body.slice(0, second), true);
    const parts = history.messages.at(-1)?.parts ?? [];
    expect(parts.map(({ type, send }) => [type, send])).toEqual([
      ["thinking", undefined],
      ["text", undefined],
      ["thinking", false],
    ]);
    const served = emulator();
    await agentAt("claude-opus-5-5", served, { history }).send("Go on.");
    const sent = JSON.stringify(bodiesOf(served)[0]);
    const [thought] = parts;
    expect(sent).toContain(JSON.stringify(thought?.seal?.data["signature"]));
    expect(sent).toContain("First I weigh");
    expect(sent).not.toContain("Oslo");
  });
});

function lintOf(served: ReturnType<typeof emulator>, ref: string): readonly string[] {
  return served.journal().flatMap(({ wire, body, path }) =>
    wire === undefined
      ? []
      : lint({ wire, body: body as never, path, model: ref.split(":").at(-1)! })
          .findings.filter(({ severity }) => severity === "error")
          .map(({ rule, message }) => `${rule}: ${message}`),
  );
}

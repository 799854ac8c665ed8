import { emulate, fails, script } from "@mull/emulator";
import { Agent, chat, History, lint } from "mull";
import { describe, expect, test } from "vitest";
import {
  answer,
  bodyFor,
  claudeSays,
  composed,
  functionCall,
  gptSays,
  listAt,
  reasoning,
  results,
  signature,
  thought,
  toolUse,
  user,
  words,
} from "./kit.ts";

const sonnet = "claude-sonnet-4-5";
const opus = "claude-opus-5-5";
const types = (blocks: readonly object[]): unknown[] =>
  blocks.map((b) => (b as { type?: unknown }).type);

describe("A. thinking blocks of Claude", () => {
  test("P-A1 a loop begun elsewhere goes out with thinking off and no block left, and says so", () => {
    const call = answer("gpt-6-sol", gptSays(reasoning(), functionCall()));
    const { encoded, plan, notes } = composed(sonnet, [user("hi"), call, results(call)]);
    expect(encoded.body["thinking"]).toEqual({ type: "disabled" });
    expect(types(listAt(encoded.body, "messages", 1, "content"))).toEqual(["tool_use"]);
    expect(plan).toMatchObject({ applied: "none", visible: "nothing" });
    expect(notes.find(({ code }) => code === "open-loop")?.message).toContain("gpt-6-sol");
  });

  test("P-A1 with its leading block the loop keeps thinking", () => {
    const call = answer(sonnet, claudeSays(thought(), toolUse()));
    const body = bodyFor(sonnet, [user("hi"), call, results(call)]);
    expect(body["thinking"]).toMatchObject({ type: "enabled" });
    expect(types(listAt(body, "messages", 1, "content"))).toEqual(["thinking", "tool_use"]);
  });

  test("P-A2 a signature goes whole, and only to who may read it", () => {
    const long = `EqQB${"A".repeat(90_000)}`;
    const said = answer(opus, claudeSays(thought("hm", long), words("Yes.")));
    expect(JSON.stringify(bodyFor(opus, [user("a"), said, user("b")]))).toContain(long);
    for (const other of [sonnet, "gpt-6-sol", "gemini-3.8-flash", "deepseek:deepseek-v4-pro"]) {
      expect(JSON.stringify(bodyFor(other, [user("a"), said, user("b")]))).not.toContain(
        "AAAAAAAA",
      );
    }
  });

  test("P-A3 P-A4 the latest turn goes back block for block, interleaving kept", () => {
    const content = [
      thought("one"),
      words("First."),
      { type: "redacted_thinking", data: signature },
      thought("two"),
      toolUse("toolu_1"),
      toolUse("toolu_2"),
    ];
    const said = answer(opus, claudeSays(...content));
    const body = bodyFor(opus, [user("hi"), said, results(said)]);
    expect(listAt(body, "messages", 1, "content")).toEqual(content);
  });

  test("P-A5 a changed system prompt or message is seen before the service sees it", () => {
    const first = composed(opus, [user("hi")], { system: "Be brief." });
    const said = answer(opus, claudeSays(thought(), words("Yes.")));
    const { prefix } = first.prepared;
    const bound = {
      ...said,
      parts: said.parts.map((part) =>
        part.seal === undefined ? part : { ...part, seal: { ...part.seal, prefix: prefix! } },
      ),
    };
    const next = [user("hi"), bound, user("b")];
    expect(composed(opus, next, { system: "Be brief." }).prepared.withheld).toEqual([]);
    for (const changed of [
      composed(opus, next, { system: "Be long." }),
      composed(opus, [user("hello"), bound, user("b")], { system: "Be brief." }),
      composed(opus, next, { system: "Be brief.", tools: [] }),
    ]) {
      expect(changed.prepared.withheld).toMatchObject([
        { code: "thinking-withheld", detail: expect.stringContaining("has changed") as string },
      ]);
      expect(JSON.stringify(changed.encoded.body)).not.toContain(signature);
    }
  });

  test("P-A6 after a compaction the old blocks stay readable and are never sent again", async () => {
    const served = emulate();
    const options = { fetch: served, apiKey: "k", env: {}, heal: "fail", level: "med" } as const;
    const agent = new Agent(opus, options);
    await agent.send("What is 17 * 23?");
    await agent.send("And 18 * 23?");
    const kept = agent.history.messages.slice(2);
    const compacted = History.from([user("Summary: we multiplied."), ...kept]);
    const after = new Agent(opus, { ...options, history: compacted });
    const result = await after.send("And 19 * 23?");
    expect(result.receipt.withheld.length).toBeGreaterThan(0);
    expect(after.history.messages[2]?.parts.some(({ type }) => type === "thinking")).toBe(true);
    await after.send("And 20 * 23?");
    expect(served.journal().every(({ status }) => status === 200)).toBe(true);
  });

  test("P-A7 P-A8 a signed block without text is kept, its empty field included", () => {
    const said = answer(opus, claudeSays(thought(""), toolUse()));
    const [block] = listAt(
      bodyFor(opus, [user("a"), said, results(said)]),
      "messages",
      1,
      "content",
    );
    expect(block).toEqual({ type: "thinking", thinking: "", signature });
  });

  test("P-A9 thinking is never made up: the synthetic way is refused where signatures count", () => {
    const call = answer("gpt-6-sol", gptSays(reasoning(), functionCall()));
    const messages = [user("hi"), call, results(call)];
    expect(() => bodyFor(sonnet, messages, { openLoop: "synthetic" })).toThrow(/checks signatures/);
    expect(() => bodyFor(sonnet, messages, { openLoop: "fail" })).toThrow(/leading thought/);
    const demoted = bodyFor(sonnet, messages, { openLoop: "demote" });
    expect(demoted["thinking"]).toMatchObject({ type: "enabled" });
    expect(JSON.stringify(demoted)).toContain("[called get_weather with");
    expect(JSON.stringify(demoted)).not.toContain("I look it up.");
    const lintOf = (body: typeof demoted): boolean =>
      lint({ wire: "anthropic-messages", model: sonnet, body }).ok;
    expect(lintOf(demoted)).toBe(true);
    expect(lintOf(bodyFor(sonnet, messages, { openLoop: "warn" }))).toBe(false);
  });

  test("P-A10 signed text is sent unit for unit, half characters included", async () => {
    const odd = "half \ud83d of \u0000 it";
    const said = answer(opus, claudeSays(thought(odd), words("half \ud83d too")));
    const sent: string[] = [];
    const fetch = (_: string, init: RequestInit): Promise<Response> => {
      sent.push(init.body as string);
      return Promise.resolve(new Response("{}", { status: 500 }));
    };
    const asked = { messages: [user("a"), said, user("b")] };
    const endpoint = { baseUrl: "https://api.anthropic.com", maxAttempts: 1 };
    await chat(opus, asked, { fetch, env: {}, ...endpoint }).catch(() => undefined);
    const body = JSON.parse(sent[0]!) as {
      messages: { content: { thinking?: string; text?: string }[] }[];
    };
    expect(body.messages[1]?.content[0]?.thinking).toBe(odd);
    expect(body.messages[1]?.content[1]?.text).toBe("half \ufffd too");
  });

  test("P-A11 foreign or unsigned thinking is left out, never sent as text", () => {
    const foreign = answer("gpt-6-sol", gptSays(reasoning(), functionCall()));
    const unsigned = {
      role: "assistant" as const,
      parts: [
        { type: "thinking" as const, text: "I look it up.", visibility: "full" as const },
        { type: "text" as const, text: "Yes." },
      ],
    };
    for (const said of [foreign, unsigned]) {
      const { encoded, prepared } = composed(opus, [user("a"), said, results(foreign), user("b")]);
      expect(JSON.stringify(encoded.body)).not.toContain("I look it up.");
      expect(prepared.withheld).toHaveLength(1);
    }
  });

  test("P-A12 a forced tool and a budget do not meet", () => {
    const body = bodyFor(sonnet, [user("hi")], { toolChoice: "required" });
    expect(lint({ wire: "anthropic-messages", model: sonnet, body }).findings).toEqual([]);
    const schema = { type: "object", properties: {}, additionalProperties: false };
    const structured = bodyFor(sonnet, [user("hi")], { output: { schema }, tools: [] });
    expect(structured).not.toHaveProperty("tool_choice");
    expect(structured["thinking"]).toMatchObject({ type: "enabled" });
  });

  test("P-A13 thinking off and blocks in the history are decided together", () => {
    const call = answer(sonnet, claudeSays(thought(), toolUse()));
    const body = bodyFor(sonnet, [user("hi"), call, results(call)], { level: "none" });
    expect(body).not.toHaveProperty("thinking");
    expect(types(listAt(body, "messages", 1, "content"))).toEqual(["tool_use"]);
  });

  test("P-A14 a block cannot be sent without its signature", () => {
    const said = answer(opus, claudeSays({ type: "thinking", thinking: "hm" }, words("Yes.")));
    const body = bodyFor(opus, [user("a"), said, user("b")]);
    expect(types(listAt(body, "messages", 1, "content"))).toEqual(["text"]);
  });

  test("P-A15 a repair is on the receipt, and can be turned off", async () => {
    const refusal = fails({
      status: 400,
      message: "messages.1.content.0: Invalid `signature` in `thinking` block",
    });
    const forged = answer(opus, claudeSays(thought(), words("Yes.")));
    const ask = async (heal: "repair" | "fail"): Promise<unknown> => {
      const fetch = emulate({ scripts: [script({}, [refusal])], foreignSeals: "accept" });
      const messages = [user("a"), forged, user("b")];
      const options = { fetch, apiKey: "k", env: {}, heal };
      const endpoint = { baseUrl: "https://api.anthropic.com" };
      const result = await chat(opus, { messages, level: "med" }, { ...options, ...endpoint });
      return result.receipt.repairs;
    };
    expect(await ask("repair")).toMatchObject([{ rule: "anthropic/signature" }]);
    await expect(ask("fail")).rejects.toMatchObject({ category: "invalid_argument", status: 400 });
  });
});

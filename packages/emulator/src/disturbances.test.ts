import { describe, expect, it } from "vitest";

import { emulate } from "./emulate.ts";
import {
  calls,
  cuts,
  fails,
  omits,
  redacts,
  refuses,
  says,
  stalls,
  thinks,
} from "./script/actions.ts";
import { script, type Script } from "./script/script.ts";
import type { Clock } from "./world/clock.ts";
import { readToEnd, send, testWires } from "./testing/wires.ts";

const scripted = (...turn: Script["turns"][number]): { readonly scripts: readonly Script[] } => ({
  scripts: [script({}, turn)],
});

/** What the services say when an answer is complete. */
const farewell =
  /message_stop|response\.completed|\[DONE\]|"finish_reason":"|"finishReason":|"stop_reason":"/;
const words = "one two three four five six seven eight nine ten eleven twelve";

describe.each(testWires)("scripts on $name", (wire) => {
  it("F-S17 cut a stream in the middle of a text", async () => {
    const emulator = emulate(scripted(says(words), cuts()));
    const { text, isBroken } = await readToEnd(await send(emulator, wire, true, "Hi"));
    expect(isBroken).toBe(true);
    expect(text).toContain("one two");
    expect(text).not.toContain("eleven");
  });

  it("F-S17 cut a stream in the middle of thinking, before any text", async () => {
    const emulator = emulate(scripted(thinks(words), cuts(), says("Never said.")));
    const { text, isBroken } = await readToEnd(await send(emulator, wire, true, "Hi"));
    expect(isBroken).toBe(true);
    expect(text).not.toContain("Never");
    expect(text.includes("one two")).toBe(wire.name !== "chat");
    expect(text).not.toContain("twelve");
  });

  it("cut a stream between two parts", async () => {
    const emulator = emulate(scripted(says(words), cuts("after"), calls("f", { a: 1 })));
    const { text, isBroken } = await readToEnd(await send(emulator, wire, true, "Hi"));
    expect(isBroken).toBe(true);
    expect(text).toContain("twelve");
    expect(text).not.toContain('"f"');
  });

  it("F-R8 send an error event after output began", async () => {
    const emulator = emulate(scripted(says(words), fails(529), says("Never said.")));
    const { text, isBroken } = await readToEnd(await send(emulator, wire, true, "Hi"));
    expect(isBroken).toBe(false);
    expect(text).toMatch(/twelve[^]*verloaded/);
    expect(text).not.toContain("Never");
  });

  it("F-R8 fail behind the last part too, without a farewell", async () => {
    for (const last of [[says(words)], [thinks("Hm."), says(words)], [says(words), calls("f")]]) {
      const emulator = emulate(scripted(...last, fails({ status: 529 })));
      const { text, isBroken } = await readToEnd(await send(emulator, wire, true, "Hi"));
      expect(isBroken).toBe(false);
      expect(text).toMatch(/eleven[^]*verloaded/);
      expect(text).not.toMatch(farewell);
      emulator.reset();
      const whole = await send(emulator, wire, false, "Hi");
      expect([whole.status, emulator.journal()[0]?.verdict]).toEqual([529, "failed"]);
    }
  });

  it("F-N15 stall for as long as they say, where they say", async () => {
    const slept: number[] = [];
    const clock: Clock = {
      now: () => 0,
      sleep: (ms) => {
        slept.push(ms);
        return Promise.resolve();
      },
    };
    const emulator = emulate({ ...scripted(says(words), stalls(360_000), says("x")), clock });
    const { text } = await readToEnd(await send(emulator, wire, true, "Hi"));
    expect(slept).toEqual([360_000]);
    expect(text).toContain("twelve");
  });

  it("answer with an error status instead", async () => {
    const emulator = emulate(
      scripted(fails({ status: 503, retry: { form: "seconds", ms: 2000 } })),
    );
    const answer = await send(emulator, wire, true, "Hi");
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "2"]);
    expect(emulator.journal()[0]).toMatchObject({ verdict: "failed", status: 503 });
  });

  it("P-E3 redact and omit thinking, and keep it sealed", async () => {
    const emulator = emulate(scripted(redacts(), omits("secret thought"), says("Done.")));
    const text = await (await send(emulator, wire, false, "Hi")).text();
    expect(text).not.toContain("secret thought");
    expect(text).toContain("Done.");
  });

  it("decline in the service's way", async () => {
    const text = await (await send(emulate(scripted(refuses("No."))), wire, false, "Hi")).text();
    expect(text).toMatch(/"stop_reason":"refusal"|"refusal":"No\."|"PROHIBITED_CONTENT"/);
  });

  it("F-S20 send arguments that aren't JSON", async () => {
    const emulator = emulate(scripted(calls("f", {}, { raw: '{"a": oops' })));
    const { text } = await readToEnd(await send(emulator, wire, true, "Hi"));
    expect(text.includes("oops")).toBe(wire.name !== "google");
  });
});

const headed = (fault: string): { readonly headers: Record<string, string> } => ({
  headers: { "x-mull-fault": fault },
});

describe.each(testWires)("faults on $name", (wire) => {
  it.each([401, 403, 404, 408, 413, 429, 500, 503, 529])("status %i by header", async (status) => {
    const headers = { "x-mull-fault": `status=${status}` };
    const answer = await send(emulate(), wire, true, "Hi", { headers });
    expect(answer.status).toBe(status);
    expect((await answer.json()) as object).toHaveProperty("error");
  });

  it("F-R1 429 with every form of a wait", async () => {
    const emulator = emulate({ seed: "r" });
    const read = async (form: string): Promise<string> => {
      emulator.fault({ faults: `status=429:${form}:1500`, times: 1 });
      const answer = await send(emulator, wire, true, "Hi");
      return `${JSON.stringify(Object.fromEntries(answer.headers))}${await answer.text()}`;
    };
    expect(await read("seconds")).toContain('"retry-after":"2"');
    expect(await read("decimal")).toContain('"retry-after":"1.500"');
    expect(await read("ms")).toContain('"retry-after-ms":"1500"');
    expect(await read("date")).toMatch(/"retry-after":"\w{3}, \d+ Nov 2026/);
    expect(await read("text")).toMatch(/(?:try again|retry) in 1\.5s/);
    expect(await read("reset")).toMatch(/reset(?:-requests)?":"(?:1\.5s|2026-)/);
    expect(await read("info")).toMatch(/retry in 1\.5s/);
    expect((await send(emulator, wire, true, "Hi")).status).toBe(200);
  });

  it("F-N3 cut after so many bytes, or inside a part", async () => {
    const emulator = emulate();
    emulator.fault({ faults: "cut=100", times: 1 });
    const cut = await readToEnd(await send(emulator, wire, true, "Hi"));
    expect([cut.isBroken, cut.text.length]).toEqual([true, 100]);
    emulator.fault({ faults: "cut-block=0", times: 1 });
    expect((await readToEnd(await send(emulator, wire, true, "Hi"))).isBroken).toBe(true);
    expect((await readToEnd(await send(emulator, wire, true, "Hi"))).isBroken).toBe(false);
  });

  it("F-N6 F-N7 F-N8 pages of a proxy, and nothing at all", async () => {
    const proxy = await send(emulate(), wire, true, "Hi", headed("html=502"));
    expect([proxy.status, proxy.headers.get("content-type")]).toEqual([
      502,
      "text/html; charset=utf-8",
    ]);
    const portal = await send(emulate(), wire, true, "Hi", headed("html=200"));
    expect(await portal.text()).toContain("<html>");
    const empty = await send(emulate(), wire, true, "Hi", headed("empty"));
    expect([empty.status, await empty.text()]).toEqual([200, ""]);
  });

  it("F-S14 break the JSON of whole answers too", async () => {
    const headers = { "x-mull-fault": "malformed" };
    const answer = await send(emulate(), wire, false, "Hi", { headers });
    await expect(answer.json()).rejects.toThrow(SyntaxError);
  });

  it("F-S8 F-S5 send every event twice, and a giant one", async () => {
    const twice = await (
      await send(emulate({ seed: "d" }), wire, true, "Hi", headed("duplicate"))
    ).text();
    const once = await (await send(emulate({ seed: "d" }), wire, true, "Hi")).text();
    expect(twice).toHaveLength(once.length * 2);
    const giant = await send(emulate(), wire, true, "Hi", headed("giant=1000000"));
    const text = await giant.text();
    expect(text.length).toBeGreaterThan(1_000_000);
    expect(text).toContain("padding");
  });
});

describe("faults of Google's array", () => {
  it("keep it an array", async () => {
    const google = testWires.find((wire) => wire.name === "google");
    const ask = async (fault: string): Promise<readonly unknown[]> => {
      const answer = await emulate()(
        "http://x/v1beta/models/gemini-3.8-flash:streamGenerateContent",
        {
          method: "POST",
          headers: { ...google?.headers, ...headed(fault).headers },
          body: JSON.stringify(google?.body("Hi")),
        },
      );
      return (await answer.json()) as readonly unknown[];
    };
    expect((await ask("error=503@2")).at(-1)).toHaveProperty("error.status", "UNAVAILABLE");
    const [first, second] = await ask("duplicate");
    expect(first).toEqual(second);
    expect((await ask("giant=1000"))[0]).toHaveProperty("padding");
  });
});

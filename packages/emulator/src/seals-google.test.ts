import { describe, expect, it } from "vitest";
import type { JsonValue } from "mull";

import { emulate, type Emulator } from "./emulate.ts";
import { calls } from "./script/actions.ts";
import { script } from "./script/script.ts";
import { ask, type Answered } from "./testing/ask.ts";

type Block = Record<string, JsonValue>;
interface Candidate {
  readonly content: { readonly parts: Block[] };
}

const textOf = (value: JsonValue | undefined): string => (typeof value === "string" ? value : "");

const ask3 = (
  emulator: Emulator,
  parts: readonly JsonValue[],
  model = "gemini-3.8-flash",
): Promise<Answered> =>
  ask(emulator, "google", {
    model,
    contents: [
      { role: "user", parts: [{ text: "Begin" }] },
      ...(parts.length === 0
        ? []
        : [
            { role: "model", parts },
            {
              role: "user",
              parts: parts.map((part) => {
                const { id, name } = (part as { functionCall: { id: string; name: string } })
                  .functionCall;
                return { functionResponse: { id, name, response: { output: 4 } } };
              }),
            },
          ]),
    ],
    tools: [{ functionDeclarations: [{ name: "f" }, { name: "g" }] }],
  });
const calling = (): Emulator =>
  emulate({ scripts: [script({ turn: 1 }, [calls("f", { a: 1 }), calls("g")])] });
const partsOf = ({ body }: Answered): Block[] => {
  const { candidates } = body as { readonly candidates?: readonly Candidate[] };
  return candidates?.[0]?.content.parts ?? [];
};

describe("P-F1 Gemini's thought signatures", () => {
  it("sit on the first of parallel calls and go back there", async () => {
    const emulator = calling();
    const parts = partsOf(await ask3(emulator, []));
    expect(parts.map((part) => part["thoughtSignature"] !== undefined)).toEqual([true, false]);
    expect((await ask3(emulator, parts)).status).toBe(200);
    expect((await ask3(emulator, parts, "gemini-3.6-flash")).status).toBe(200);
  });

  it.each<[string, (parts: Block[]) => Block[]]>([
    [
      "moved to another call",
      ([a = {}, b = {}]) => {
        const { thoughtSignature = "", ...bare } = a;
        return [{ ...b, thoughtSignature }, bare];
      },
    ],
    [
      "truncated",
      ([a = {}, b = {}]) => [
        { ...a, thoughtSignature: textOf(a["thoughtSignature"]).slice(0, -4) },
        b,
      ],
    ],
    ["of Claude", ([a = {}, b = {}]) => [{ ...a, thoughtSignature: "EqQBCkYIARgCKkAx" }, b]],
  ])("are refused when %s", async (_, change) => {
    const emulator = calling();
    const parts = partsOf(await ask3(emulator, []));
    const { status, message } = await ask3(emulator, change(parts));
    expect([status, message]).toEqual([400, expect.stringMatching(/thought signature/i)]);
  });

  it("may be skipped with the documented word", async () => {
    const emulator = calling();
    const [a = {}, b = {}] = partsOf(await ask3(emulator, []));
    const skipped = { ...a, thoughtSignature: "skip_thought_signature_validator" };
    expect((await ask3(emulator, [skipped, b])).status).toBe(200);
  });
});

import * as fc from "fast-check";
import { expect, test } from "vitest";
import { runs } from "../../../../test/runs.ts";
import { plain, readPlain } from "../../../../test/plain-decoder.ts";
import { isMullError, MullError } from "../types/error.ts";
import { send } from "./send.ts";

const whole = new TextEncoder().encode(
  `${plain.start}: ping\r\n\r\n${plain.text("añ🧠")}${plain.text("b\n")}${plain.end}`,
);

/** Overwrites, inserts and removes bytes, those that mean something to a splitter above all. */
const mutation = fc.record({
  at: fc.nat(whole.length),
  remove: fc.nat(9),
  insert: fc.oneof(
    fc.uint8Array({ maxLength: 6 }),
    fc
      .constantFrom("\r", "\n", "\n\n", "{", "}", '"', "\\", "data", ":", "[", "\uFEFF", '{"error"')
      .map((text) => new TextEncoder().encode(text)),
  ),
});

function mutate(
  mutations: readonly { at: number; remove: number; insert: Uint8Array }[],
): Uint8Array<ArrayBuffer> {
  const bytes = [...whole];
  for (const { at, remove, insert } of mutations) bytes.splice(at, remove, ...insert);
  return Uint8Array.from(bytes);
}

async function outcomeOf(bytes: Uint8Array<ArrayBuffer>, size: number): Promise<string> {
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (let at = 0; at < bytes.length; at += size)
        controller.enqueue(bytes.slice(at, at + size));
      controller.close();
    },
  });
  const response = await send(
    {
      url: "http://stub.test",
      headers: {},
      body: "",
      decodeError: () => new MullError("refused", { category: "server" }),
    },
    { fetch: async () => new Response(body), maxAttempts: 1 },
  );
  const types: string[] = [];
  try {
    for await (const event of readPlain(response)) types.push(JSON.stringify(event));
  } catch (error) {
    return `${types.join()} ${isMullError(error) ? error.code : String(error)}`;
  }
  return types.join();
}

test("F-G9: a damaged stream ends as an answer or a MullError, the same in any chunking", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(mutation, { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 1, max: 40 }),
      async (mutations, size) => {
        const bytes = mutate(mutations);
        const outcome = await outcomeOf(bytes, bytes.length + 1);
        expect(outcome).toMatch(/"finish"|(?:truncated|invalid_json|empty_response|undecodable)$/);
        expect(await outcomeOf(bytes, size)).toBe(outcome);
      },
    ),
    { numRuns: runs(3000), seed: 20_261_115 },
  );
});

import { deflateSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";

import { emulate } from "./emulate.ts";
import { listen } from "./node.ts";
import { testWires, type TestWire } from "./testing/wires.ts";

const bodyOf = (wire: TestWire, text: string): string => JSON.stringify(wire.body(text));

const packedInit = (wire: TestWire, encoding: string, body: Uint8Array<ArrayBuffer>) => ({
  method: "POST",
  headers: { "content-type": "application/json", "content-encoding": encoding, ...wire.headers },
  body,
});

describe("P-J2 a packed body", () => {
  it.each(testWires)("is unpacked by $name, on a port as in process", async (wire) => {
    const body = bodyOf(wire, "What is 15% of 80? Grüße");
    const listening = await listen();
    try {
      for (const [encoding, packed] of [
        ["gzip", gzipSync(body)],
        ["deflate", deflateSync(body)],
      ] as const) {
        const init = packedInit(wire, encoding, packed);
        const path = new URL(wire.url).pathname;
        for (const response of [
          await emulate()(wire.url, init),
          await fetch(listening.url + path, init),
        ]) {
          expect(response.status).toBe(200);
          expect(await response.text()).toContain("**12**");
        }
      }
    } finally {
      await listening.close();
    }
  });

  it.each(testWires)("that is torn or in another form is no JSON to $name", async (wire) => {
    const fetch = emulate();
    const packed = gzipSync(bodyOf(wire, "Hi"));
    for (const init of [
      packedInit(wire, "gzip", packed.subarray(0, packed.length - 12)),
      packedInit(wire, "zstd", packed),
    ]) {
      const response = await fetch(wire.url, init);
      expect(response.status).toBe(400);
    }
    expect(fetch.journal().map(({ rule }) => rule)).toEqual(["http/json", "http/json"]);
  });

  it("is not looked into by Ollama", async () => {
    const body = gzipSync(JSON.stringify({ model: "qwen3:8b", messages: [] }));
    const ollama = emulate();
    await ollama("http://localhost:11434/v1/chat/completions", {
      method: "POST",
      headers: { "content-type": "application/json", "content-encoding": "gzip" },
      body,
    });
    expect(ollama.journal()).toMatchObject([{ status: 400, rule: "http/json" }]);
  });
});

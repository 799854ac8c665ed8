import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { createSecretFinder } from "./find-secrets.ts";
import { play } from "./play.ts";
import { createStreamRedactor } from "./redact-stream.ts";
import { record } from "./record.ts";
import { makeDirectory, readPieces, serve } from "./testing/loopback.ts";

const mebibyte = 1024 * 1024;
const url = "https://api.example.test/v1";

describe("F-V5 recording a large stream", () => {
  test("for a slow reader holds at most 8 MB of 300", async () => {
    const total = 300 * mebibyte;
    const piece = Buffer.alloc(64 * 1024, "data: 0123456789abcdef\n\n");
    let produced = 0;
    const source = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        if (produced >= total) return controller.close();
        produced += piece.length;
        controller.enqueue(Uint8Array.from(piece));
      },
    });
    const live = record({
      cassette: join(await makeDirectory(), "large.jsonl"),
      fetch: async () => new Response(source),
    });
    const reader = (await live(url)).body?.getReader();
    let read = 0;
    for (let count = 0; count < 20; count += 1) {
      read += (await reader?.read())?.value?.byteLength ?? 0;
      await new Promise((resolve) => setTimeout(resolve, 10));
      expect(produced - read).toBeLessThan(8 * mebibyte);
    }
    await reader?.cancel();
    await live.done();
  });

  test("over a socket the server is held back too", async () => {
    const piece = Buffer.alloc(64 * 1024, "x");
    let written = 0;
    const address = await serve((_, response) => {
      const fill = (): void => {
        while (written < 300 * mebibyte && response.writable) {
          written += piece.length;
          if (!response.write(piece)) return;
        }
        response.end();
      };
      response.on("drain", fill);
      fill();
    });
    const live = record({ cassette: join(await makeDirectory(), "socket.jsonl"), fetch });
    const reader = (await live(address)).body?.getReader();
    let read = 0;
    for (let count = 0; count < 10; count += 1) {
      read += (await reader?.read())?.value?.byteLength ?? 0;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect(written - read).toBeLessThan(8 * mebibyte);
    await reader?.cancel();
    await live.done();
  });

  test("a secret on the seam of two searched pieces is found, and every cut stays", async () => {
    const key = ["sk-", "ant-", "api03-", "q1".repeat(30)].join("");
    const pieces: Buffer[] = [];
    for (let index = 0; index < 4000; index += 1) {
      const text = `data: {"n":${index},"text":"${"word ".repeat(40)}${key}"}\n\n`;
      for (let start = 0; start < text.length; start += 97) {
        pieces.push(Buffer.from(text.slice(start, start + 97)));
      }
    }
    const redactor = createStreamRedactor(createSecretFinder());
    let held = 0;
    let most = 0;
    const out: Buffer[] = [];
    for (const piece of pieces) {
      held += piece.length;
      for (const { bytes } of redactor.push(piece, 0)) out.push(bytes);
      const released = pieces.slice(0, out.length).length;
      most = Math.max(most, held - released * 97);
    }
    for (const { bytes } of redactor.end()) out.push(bytes);
    const whole = Buffer.concat(out).toString("utf8");
    expect(out).toHaveLength(pieces.length);
    expect(most).toBeLessThan(mebibyte);
    expect(whole).not.toContain("sk-");
    expect(whole).not.toContain("q1q1");
    expect(whole.split("REDACTED")).toHaveLength(4001);
  });

  test("a stream of single bytes is redacted in bounded memory", () => {
    const redactor = createStreamRedactor(createSecretFinder());
    let out = 0;
    let pushed = 0;
    for (; pushed < 200_000; pushed += 1) out += redactor.push(Uint8Array.of(0x61), 0).length;
    expect(pushed - out).toBeLessThanOrEqual(64 * 1024);
    expect(out + redactor.end().length).toBe(200_000);
  });

  test("what is written as it passes replays byte for byte", async () => {
    const cassette = join(await makeDirectory(), "medium.jsonl");
    const piece = Buffer.alloc(60_001, "data: 0123456789 äöü\n\n");
    let left = 100;
    const live = record({
      cassette,
      fetch: async () =>
        new Response(
          new ReadableStream<Uint8Array>({
            pull: (controller) => {
              if ((left -= 1) < 0) controller.close();
              else controller.enqueue(Uint8Array.from(piece));
            },
          }),
        ),
    });
    const recorded = await readPieces(await live(url));
    await live.done();
    const played = await readPieces(await play(cassette)(url));
    expect(played.length).toBe(100);
    expect(Buffer.concat(played).equals(Buffer.concat(recorded))).toBe(true);
  });
});

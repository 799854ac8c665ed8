import { emulate } from "@mull/emulator";
import type { Fetch } from "mull";
import { describe, expect, test } from "vitest";

import type { GatewayOptions } from "./index.ts";
import {
  begunAnswer,
  errorOf,
  openGateway,
  type GatewaySetUp,
  textFrame,
} from "./testing/set-up.ts";
import { post, question } from "./testing/wires.ts";

/** A gateway before an emulator, unless the options say otherwise. */
const setUp = (options: Partial<GatewayOptions> = {}): GatewaySetUp =>
  openGateway({ fetch: emulate(), ...options });

describe("bad input is an error in the caller's wire", () => {
  test.each([
    ["no JSON", post("/v1/messages", "{"), 400, "invalid_request_error"],
    ["a list", post("/v1/messages", "[]"), 400, "invalid_request_error"],
    ["no model", post("/v1/responses", {}), 400, "invalid_request_error"],
    [
      "an unknown model",
      post("/v1/chat/completions", { model: "nobody-1" }),
      404,
      "invalid_request_error",
    ],
    ["an unknown path", post("/v1/messages/nothing", {}), 404, "not_found_error"],
    ["nothing at all", post("/v1/messages", { model: "gpt-6-sol" }), 400, "invalid_request_error"],
    [
      "odd messages",
      post("/v1/messages", { model: "gpt-6-sol", messages: [null, 5, { role: 7 }] }),
      400,
      "invalid_request_error",
    ],
  ])("%s", async (_name, request, status, type) => {
    const { ask, receipts } = setUp();
    const response = await ask(request);
    expect(response.status).toBe(status);
    expect(await errorOf(response)).toMatchObject({ type });
    expect(receipts).toHaveLength(1);
  });

  test("a level that is none is named, and an unknown path is no unknown model", async () => {
    const { ask, receipts } = setUp();
    const level = await ask(post("/v1/responses", { model: "gpt-6-sol/loud", input: "Hi" }));
    expect((await errorOf(level))["message"]).toContain(
      '"gpt-6-sol/loud" is not a model this gateway knows: Unknown level "loud". Levels: auto none',
    );
    const path = await ask(new Request("http://127.0.0.1/v1/responses/resp_1"));
    expect(path.status).toBe(404);
    expect(await errorOf(path)).toMatchObject({
      code: "unknown_url",
      message: expect.stringContaining("this gateway does not answer GET /v1/responses/resp_1"),
    });
    await ask(new Request("http://127.0.0.1/v1/models/nobody"));
    expect(receipts[2]).toMatchObject({ asked: "nobody", status: 404 });
  });

  test("a name without end is told by its beginning", async () => {
    const { ask, receipts } = setUp();
    for (const model of ["x".repeat(1_000_000), `gpt-6-sol/${"x".repeat(1_000_000)}`]) {
      const response = await ask(post("/v1/responses", { model, input: "Hi" }));
      expect(response.status).toBe(404);
      expect((await response.text()).length).toBeLessThan(1000);
    }
    expect(JSON.stringify(receipts).length).toBeLessThan(5000);
  });

  test("a badly escaped name on Google", async () => {
    const { ask } = setUp();
    const response = await ask(post("/v1beta/models/%E0%A4%A:generateContent", { contents: [] }));
    expect(response.status).toBe(404);
    expect(await errorOf(response)).toMatchObject({ status: "NOT_FOUND" });
  });

  test("50 MB, and half a request", async () => {
    const { ask } = setUp();
    const chunk = new Uint8Array(1024 * 1024);
    let left = 50;
    const large = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        if (left-- > 0) controller.enqueue(chunk);
        else controller.close();
      },
    });
    const half = new ReadableStream<Uint8Array>({
      start: (controller) => {
        controller.enqueue(new TextEncoder().encode('{"model":'));
        controller.error(new Error("gone"));
      },
    });
    const send = (body: ReadableStream<Uint8Array>): Promise<Response> =>
      ask(
        new Request("http://127.0.0.1/v1/messages", {
          method: "POST",
          body,
          duplex: "half",
        } as RequestInit),
      );
    expect((await send(large)).status).toBe(413);
    expect(left).toBeGreaterThan(0);
    expect((await send(half)).status).toBe(400);
  });

  test("a client that never reads holds up its own service only", async () => {
    let pulled = 0;
    const endless: Fetch = () =>
      Promise.resolve(
        new Response(
          new ReadableStream<Uint8Array>({
            pull: (controller) => {
              const frame = pulled++ === 0 ? begunAnswer : textFrame("x".repeat(10_000));
              controller.enqueue(new TextEncoder().encode(frame));
            },
          }),
          { headers: { "content-type": "text/event-stream" } },
        ),
      );
    const { ask } = setUp({ fetch: endless });
    const silent = await ask(question("anthropic-messages", "gpt-6-sol", "Hello", true));
    const other = setUp();
    const answers = await Promise.all(
      Array.from({ length: 20 }, async () =>
        (
          await other.ask(question("openai-chat", "claude-opus-5-5", "What is 2 + 2?", true))
        ).text(),
      ),
    );
    expect(answers.every((text) => text.includes("[DONE]"))).toBe(true);
    expect(pulled).toBeLessThan(200);
    await silent.body?.cancel();
  });
});

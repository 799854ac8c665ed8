import { describe, expect, test } from "vitest";
import type { MullError } from "../types/error.ts";
import { type Exchange, readExchange } from "./exchange.ts";

const failureOf = (exchange: Exchange): MullError => {
  try {
    readExchange(exchange);
  } catch (error) {
    return error as MullError;
  }
  throw new Error("nothing was thrown");
};

const text = (content: string): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`;

describe("an SSE line `error: {…}`, as gpustack ends a Chat stream that failed", () => {
  const line = 'error: {"code":500,"message":"CUDA out of memory","type":"server_error"}\n\n';
  test.each([
    ["behind text", text("Hel"), line],
    ["alone", "", line],
    ["nested", text("Hel"), 'error: {"error":{"code":500,"message":"CUDA out of memory"}}\n\n'],
    ["before [DONE]", text("Hel"), `${line}data: [DONE]\n\n`],
    ["without its blank line", text("Hel"), line.trimEnd()],
    ["as plain words", text("Hel"), "error: CUDA out of memory\n\n"],
  ])("is the error it names: %s", (_name, said, end) => {
    const error = failureOf({ wire: "openai-chat", body: said + end });
    expect(error.message).toContain("CUDA out of memory");
    expect(error.code).not.toBe("truncated");
    expect(error.partial?.message.parts).toMatchObject(said === "" ? [] : [{ text: "Hel" }]);
    expect(error.status).toBe(end.includes("500") ? 500 : 200);
  });
});

test("[DONE] between blanks ends a Chat stream, also at the end of the body", () => {
  for (const end of ["data:  [DONE]  \n\n", "data: [DONE] "]) {
    const reply = readExchange({ wire: "openai-chat", body: text("Hi") + end });
    expect(reply.message.parts).toEqual([{ type: "text", text: "Hi" }]);
  }
});

const chunk = (part: object, finishReason?: string): string =>
  `data: ${JSON.stringify({ candidates: [{ content: { parts: [part] }, finishReason }] })}\r\n\r\n`;

test("Gemini's code execution gives several finish reasons; the whole answer is read", () => {
  const body =
    chunk({ executableCode: { code: "6*7" } }, "STOP") +
    chunk({ codeExecutionResult: { output: "42" } }, "STOP") +
    chunk({ text: "It is 42." }, "STOP");
  const reply = readExchange({ wire: "google-generate", body, chunkSize: 10 });
  expect(reply.message.parts.map(({ type }) => type)).toEqual(["opaque", "opaque", "text"]);
  expect(reply.finish).toEqual({ reason: "stop", raw: "STOP" });
  const truncated = chunk({ text: "a" });
  expect(failureOf({ wire: "google-generate", body: truncated }).code).toBe("truncated");
});

import type { JsonObject, JsonValue } from "mull";
import { describe, expect, it } from "vitest";

import { emulate } from "./emulate.ts";
import { ask, type WireName } from "./testing/ask.ts";

describe("P-B9 pictures", () => {
  it("cost what is seen, not what is sent", async () => {
    const data = "iVBORw0KGgo".padEnd(4_000_000, "A");
    const source = { type: "base64", media_type: "image/png", data };
    const { status, body } = await ask(emulate(), "anthropic", {
      model: "claude-opus-5-5",
      max_tokens: 100,
      messages: [{ role: "user", content: [{ type: "image", source }] }],
    });
    expect(status).toBe(200);
    const { input_tokens: tokens } = body["usage"] as { input_tokens: number };
    expect(tokens).toBeGreaterThan(1500);
    expect(tokens).toBeLessThan(2000);
  });
});

const pdfOf = (text: string): string => btoa(`%PDF-1.7\n${text}`);
const page = "4 0 obj <</Type /Page /Parent 2 0 R>> endobj\n";
const pages = (count: number): string =>
  pdfOf(`2 0 obj <</Type /Pages /Count ${count}>> endobj\n${page.repeat(count)}`);

const asked: Readonly<Record<WireName, (data: string) => JsonObject>> = {
  anthropic: (data) => ({
    model: "claude-opus-5-5",
    max_tokens: 100,
    messages: [
      {
        role: "user",
        content: [
          { type: "document", source: { type: "base64", media_type: "application/pdf", data } },
        ],
      },
    ],
  }),
  responses: (data) => ({
    model: "gpt-6-sol",
    input: [
      {
        role: "user",
        content: [
          {
            type: "input_file",
            filename: "a.pdf",
            file_data: `data:application/pdf;base64,${data}`,
          },
        ],
      },
    ],
  }),
  chat: (data) => ({
    model: "gpt-5.1",
    messages: [
      {
        role: "user",
        content: [
          {
            type: "file",
            file: { filename: "a.pdf", file_data: `data:application/pdf;base64,${data}` },
          },
        ],
      },
    ],
  }),
  google: (data) => ({
    model: "gemini-3.8-flash",
    contents: [{ role: "user", parts: [{ inlineData: { mimeType: "application/pdf", data } }] }],
  }),
};

const inputOf = ({ usage, usageMetadata }: JsonObject): JsonValue | undefined => {
  const counted = { ...(usage as JsonObject), ...(usageMetadata as JsonObject) };
  return counted["input_tokens"] ?? counted["prompt_tokens"] ?? counted["promptTokenCount"];
};

const cost = async (wire: WireName, data: string): Promise<number> => {
  const { status, body } = await ask(emulate(), wire, asked[wire](data));
  expect(status).toBe(200);
  return Number(inputOf(body));
};

describe("P-B9 PDFs", () => {
  it.each([
    ["anthropic", 2330],
    ["responses", 1500],
    ["chat", 1500],
    ["google", 560],
  ] as const)("cost %s so much a page", async (wire, each) => {
    expect((await cost(wire, pages(10))) - (await cost(wire, pages(2)))).toBe(8 * each);
  });

  it.each([
    ["that say how many pages they have", pdfOf("1 0 obj <</Linearized 1/L 9/O 3/N 64/T 9>>"), 64],
    ["that keep their pages packed, by their size", pdfOf("x".repeat(240_000)), 5],
    ["too small to tell, as one page", pdfOf(""), 1],
  ] as const)("%s", async (_, data, count) => {
    expect(Math.floor((await cost("google", data)) / 560)).toBe(count);
  });
});

import { describe, expect, test } from "vitest";
import { learnTemplate, readByTemplate } from "./template.ts";

const frame = (
  part: string,
  usage = '{"promptTokenCount":1}',
  rest = ',"responseId":"r"',
): string =>
  `{"candidates":[{"content":{"parts":[${part}],"role":"model"},"index":0}],"usageMetadata":${usage}${rest}}`;

const learnt = (data: string): ReturnType<typeof learnTemplate> =>
  learnTemplate(data, JSON.parse(data));

describe("templates of frames", () => {
  test("perf 3.3: a frame like the one before it is cut, not parsed", () => {
    const template = learnt(frame('{"text":"one"}'));
    const next = frame(
      '{"text":"t\\u0077o \\"2\\""}',
      '{"promptTokenCount":1,"totalTokenCount":9}',
    );
    const read = template && readByTemplate(next, template);
    expect(read?.delta).toBe('two "2"');
    expect(next.slice(read?.usageFrom, read?.usageTo)).toBe(
      '{"promptTokenCount":1,"totalTokenCount":9}',
    );
  });

  test("perf 3.3: white space, Vertex's order and thoughts are learnt as they come", () => {
    const spaced =
      '{"candidates": [{"content": {"role": "model","parts": [{"thought": true,"text": "a"}]}}],"usageMetadata": {"x": 1},"modelVersion": "m"}';
    const template = learnt(spaced);
    expect(template?.kind).toBe("thinking");
    expect(template && readByTemplate(spaced.replace('"a"', '"b"'), template)?.delta).toBe("b");
  });

  test.each([
    ["another part", '{"functionCall":{"name":"f"}}'],
    ["a signature", '{"text":"a","thoughtSignature":"s"}'],
    ["two parts", '{"text":"a"},{"text":"b"}'],
    ["a text that is none", '{"text":1}'],
  ])("perf 3.3: %s is not learnt", (_, part) => {
    expect(learnt(frame(part))).toBeUndefined();
  });

  test.each([
    ["no usage", '{"candidates":[{"content":{"parts":[{"text":"a"}]}}],"responseId":"r"}'],
    ["usage last", frame('{"text":"a"}', "{}", "")],
    ["usage first", '{"usageMetadata":{},"candidates":[{"content":{"parts":[{"text":"a"}]}}]}'],
    [
      "a finish reason",
      '{"candidates":[{"content":{"parts":[{"text":"a"}]},"finishReason":"STOP"}]}',
    ],
    [
      "another candidate",
      '{"candidates":[{"content":{"parts":[{"text":"a"}]},"index":1}],"usageMetadata":{},"a":1}',
    ],
    ["no candidates", '{"candidates":[],"usageMetadata":{},"a":1}'],
    ["no content", '{"candidates":[{"index":0}],"usageMetadata":{},"a":1}'],
    [
      "a field in between",
      '{"candidates":[{"content":{"parts":[{"text":"a"}]}}],"x":{},"usageMetadata":{},"a":1}',
    ],
    [
      "an escaped key",
      '{"candidates":[{"content":{"parts":[{"te\\u0078t":"a"}]}}],"usageMetadata":{},"a":1}',
    ],
    [
      "a key twice",
      '{"candidates":[{"content":{"parts":[{"text":"a","text":"b"}]}}],"usageMetadata":{},"a":1}',
    ],
  ])("perf 3.3: a frame with %s is not learnt", (_, data) => {
    expect(learnt(data)).toBeUndefined();
  });

  test.each([
    ["an empty text", frame('{"text":""}')],
    ["a finish reason", frame('{"text":"a"}').replace('"index":0', '"finishReason":"STOP"')],
    ["another tail", frame('{"text":"a"}', "{}", ',"responseId":"other"')],
    ["one field more", frame('{"text":"a"}', "{}", ',"promptFeedback":{},"responseId":"r"')],
    ["no tail", frame('{"text":"a"}', "{}", "")],
    ["an open string", '{"candidates":[{"content":{"parts":[{"text":"a'],
    ["another start", "{}"],
  ])("perf 3.3: %s goes the slow way", (_, data) => {
    const template = learnt(frame('{"text":"one"}'));
    expect(template && readByTemplate(data, template)).toBeUndefined();
  });
});

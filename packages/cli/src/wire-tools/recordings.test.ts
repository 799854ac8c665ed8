import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";

import { emptyHome, jsonLines, mull } from "../testing/fake-io.ts";
import { readRecordings, type Recording } from "../../../../test/recordings.ts";
import type { LintView } from "./lint-request.ts";
import type { ErrorView, ReplyView } from "./read-reply.ts";
import type { RequestView } from "./request-view.ts";

const recordings = readRecordings();
const home = emptyHome();

const batch = async (command: string, lines: readonly object[]): Promise<Map<unknown, unknown>> => {
  const stdin = lines.map((line) => JSON.stringify(line)).join("\n");
  const { out } = await mull([command, "--batch", "-"], { stdin, home });
  return new Map(jsonLines(out).map((line) => [line["id"], line]));
};

const sha = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 16);

const sealKinds: ReadonlySet<string> = new Set([
  "signature",
  "encrypted_content",
  "thoughtSignature",
]);

const isCut = ({ stream, expected, api }: Recording): boolean =>
  stream && api === "openai-chat" && expected.finish == null && expected.terminal === undefined;
const isBroken = ({ expected }: Recording): boolean =>
  Boolean(expected.error) ||
  (expected.in_stream_error !== undefined && (expected.finish ?? "failed") === "failed");
const isAnswered = (recording: Recording): boolean =>
  recording.response.status < 300 && !isCut(recording) && !isBroken(recording);

/** A continued code execution has its pending calls in `message_start`, which `expected` does not read. */
const continues = ({ response }: Recording): boolean =>
  /"message_start".*"content":\[\{/.test(response.body_text);

type BatchReply = ReplyView & { readonly replyId: string | null };

const flatten = (view: BatchReply): object => ({
  thinking: view.thinking,
  text: view.text,
  refusal: view.refusal ?? "",
  calls: view.toolCalls.map(({ id, name, input }) => ({ id: id ?? "", name, input })),
  seals: view.seals.filter(({ kind }) => sealKinds.has(kind)).map(({ value }) => sha(value)),
  redacted: view.seals.filter(({ kind }) => kind === "redacted").length,
  model: view.model ?? undefined,
  id: view.replyId ?? "",
});

const flattenExpected = (recording: Recording, view: unknown): object => {
  const { expected } = recording;
  const calls = expected.tool_calls
    .filter(({ name }) => name !== "")
    .map(({ id, name, args }) => ({ id: id ?? "", name, input: args === "null" ? {} : args }));
  return {
    thinking: expected.thinking,
    text: expected.text,
    refusal: expected.refusal ?? "",
    calls: continues(recording) ? (view as BatchReply).toolCalls : calls,
    seals: expected.signature_sha256 ?? [],
    redacted: expected.redacted ?? 0,
    model: expected.model,
    id: expected.id ?? "",
  };
};

describe("recorded answers, one batch", async () => {
  const answers = await batch(
    "decode",
    recordings.map(({ id, api, stream, response }) => ({
      id,
      wire: api,
      stream,
      status: response.status,
      headers: response.headers,
      body_text: response.body_text,
    })),
  );

  test("every line is answered with its id", () => {
    expect(answers.size).toBe(recordings.length);
  });

  test("R98 R113 R152 answers say what was recorded, seals byte for byte", () => {
    const answered = recordings.filter(isAnswered);
    const read = answered.map(({ id }) => [id, flatten(answers.get(id) as BatchReply)]);
    expect(read).toEqual(
      answered.map((one) => [one.id, flattenExpected(one, answers.get(one.id))]),
    );
  });

  test("F-G10 F-N4 refusals, errors with status 200 and cut streams have the error form", () => {
    const failed = recordings.filter((one) => !isAnswered(one));
    const wrong = failed.filter((one) => {
      const { error, partial } = answers.get(one.id) as { error: ErrorView; partial: unknown };
      const isRefused = one.response.status >= 300;
      return (
        error.category === "unknown" ||
        error.message.length < 5 ||
        (isRefused && error.status !== one.response.status) ||
        (isCut(one) && !isRefused && partial === null)
      );
    });
    expect(wrong.map(({ id }) => [id, answers.get(id)])).toEqual([]);
  });
});

describe("recorded requests, one batch", async () => {
  const asked = recordings.filter(({ request }) => request.body !== null);
  const views = await batch(
    "lint",
    asked.map(({ id, api, request }) => ({
      id,
      wire: api,
      path: request.url_path,
      headers: request.headers,
      body: request.body,
    })),
  );

  test("no accepted request has an error", () => {
    const wrong = asked
      .filter(({ response }) => response.status < 300)
      .flatMap(({ id }) => {
        const { findings } = views.get(id) as LintView;
        return findings.filter(({ severity }) => severity === "error").map((found) => [id, found]);
      });
    expect(wrong).toEqual([]);
  });

  test("what was refused for its history or its thinking is found", () => {
    const missed = asked
      .filter(({ features }) =>
        features.some((name) => /^(?:history_rejected|rejected_)/.test(name)),
      )
      // Groq refuses what its own model wrote; nobody can know that from the request.
      .filter(({ id, provider }) => provider !== "groq" && (views.get(id) as LintView).ok)
      .map(({ id, response }) => [id, response.body_text.slice(0, 200)]);
    expect(missed).toEqual([]);
  });
});

const readers: Readonly<Record<string, string>> = {
  anthropic: "claude-sonnet-4-5/high",
  "openai-responses": "gpt-6-sol/med",
  google: "gemini-3.8-flash/high",
  "openai-chat": "deepseek:deepseek-v4-flash/med",
};
const homes: Readonly<Record<string, string>> = {
  anthropic: "anthropic",
  "openai-responses": "openai",
  google: "google",
  "openai-chat": "openai-chat",
};

describe("handoffs from recorded answers to every other vendor, one batch", async () => {
  const answered = recordings.filter(isAnswered);
  const lines = answered.flatMap((recording) =>
    Object.entries(readers)
      .filter(([api]) => api !== recording.api)
      .map(([api, to]) => ({
        id: `${recording.id} → ${api}`,
        wire: recording.api,
        stream: recording.stream,
        from: `${homes[recording.api]}:${recording.expected.model ?? "unknown"}`,
        to,
        user: "What was asked.",
        body_text: recording.response.body_text,
        results: recording.expected.tool_calls.map(() => "done"),
      })),
  );
  const views = await batch("handoff", lines);

  test("P-A1 promise 1: every request passes lint without a repair, and no thought goes as text", () => {
    const wrong = lines.flatMap(({ id }) => {
      const view = views.get(id) as RequestView;
      const isGood = view.lint?.ok && view.receipt.repairs.length === 0;
      return isGood ? [] : [[id, view.lint?.findings ?? view, view.receipt?.repairs]];
    });
    expect(wrong).toEqual([]);
  });

  test("D16 no seal of one vendor reaches another", () => {
    const leaked = answered.filter(({ id, expected }) => {
      const line = lines.find((one) => one.id.startsWith(`${id} →`));
      const body = JSON.stringify((views.get(line?.id) as RequestView).request.body);
      const words = body.match(/[A-Za-z0-9+/=_-]{40,}/g) ?? [];
      return words.some((word) => expected.signature_sha256?.includes(sha(word)));
    });
    expect(leaked.map(({ id }) => id)).toEqual([]);
  });
});

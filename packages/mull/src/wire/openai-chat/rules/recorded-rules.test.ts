import { describe, expect, it } from "vitest";
import { findModel } from "../../../catalogue/find-model.ts";
import type { Finding, RuleInput } from "../../../types/rule.ts";
import { readRecordings, type Recording } from "../../../../../../test/recordings.ts";
import { rulesOf } from "../../../rules.ts";

const recordings = readRecordings("openai-chat").filter(({ request }) => request.body !== null);

const inputOf = ({ provider, request }: Recording): RuleInput => {
  const body = request.body ?? {};
  const home = provider === "openai-chat" ? "openai" : provider;
  const row = findModel(typeof body["model"] === "string" ? body["model"] : "", { provider: home });
  // Recordings are older than the end of their models.
  const model = { ...row, provider: home, status: "current" as const };
  return { wire: "openai-chat", model, path: "/chat/completions", headers: {}, body };
};

const errorsOf = (recording: Recording): readonly Finding[] =>
  rulesOf("openai-chat")
    .flatMap((rule) => rule.check(inputOf(recording)))
    .filter(({ severity }) => severity === "error");

/** What a request that was refused could be known by, without the service. */
const knowable: readonly string[] = [
  "openai-chat/forced-tool",
  "openai-chat/thinking-chunks",
  "openai-chat/system-later",
  "openai-chat/cannot-be-off",
  "openai-chat/max-tokens",
  "openai-chat/file",
  "openai-chat/stop",
  "openai-chat/strict-schema",
  "openai-chat/numbers",
  "openai-chat/content",
];

/** Said in OpenAI's words, by servers that have their own; or with the dated id of the model. */
const worded: ReadonlySet<string> = new Set([
  "openai-chat/numbers",
  "openai-chat/content",
  "openai-chat/images",
  "openai-chat/cannot-be-off",
]);

/** Groq refuses what its own model wrote; nobody can know that from the request. */
const isKnowable = ({ provider, features }: Recording): boolean =>
  provider !== "groq" &&
  (features.includes("rejected_thinking") || features.includes("history_rejected"));

const refused = recordings.filter(({ response }) => [400, 422].includes(response.status));

describe("rules against real traffic", () => {
  it("no rule finds an error in a request that was accepted", () => {
    const wrong = recordings
      .filter(({ response }) => response.status < 300)
      .map((recording) => ({ id: recording.id, errors: errorsOf(recording) }))
      .filter(({ errors }) => errors.length > 0);
    expect(wrong).toEqual([]);
  });

  it("what was refused for its history or its settings is found", () => {
    const missed = refused.filter((one) => isKnowable(one) && errorsOf(one).length === 0);
    expect(missed.map(({ id }) => id)).toEqual([]);
    const found = new Set(refused.flatMap(errorsOf).map(({ rule }) => rule));
    expect(refused.length === 0 ? [] : knowable.filter((rule) => !found.has(rule))).toEqual([]);
  });

  it("the message found is the message the service answered", () => {
    const unsaid = refused.flatMap((recording) => {
      const errors = errorsOf(recording).filter(({ rule }) => !worded.has(rule));
      const answer = recording.response.body_text.replaceAll('\\"', '"');
      return errors.length === 0 || errors.some(({ message }) => answer.includes(message))
        ? []
        : [{ id: recording.id, errors }];
    });
    expect(unsaid).toEqual([]);
  });
});

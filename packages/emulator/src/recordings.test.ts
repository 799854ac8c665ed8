import { describe, expect, it } from "vitest";

import { readRecordings, type Recording } from "../../../test/recordings.ts";
import { emulate, type Emulator } from "./emulate.ts";

const recordings = readRecordings();

/** The four services themselves; compatible vendors have rules of their own. */
const providers = ["anthropic", "openai-responses", "openai-chat", "google"];

const paths = new Map<string, RegExp>(
  Object.entries({
    anthropic: /\/messages(?:\/count_tokens)?$/,
    "openai-responses": /\/responses$/,
    "openai-chat": /\/chat\/completions$/,
    google: /:(?:generateContent|streamGenerateContent|countTokens)$/,
  }),
);

const asked = (provider: string): readonly Recording[] =>
  recordings.filter(
    (recording) =>
      recording.provider === provider &&
      recording.request.body !== null &&
      paths.get(provider)?.test(recording.request.url_path) === true,
  );

const keyOf = new Map<string, readonly [string, string]>([
  ["anthropic", ["x-api-key", "emulated"]],
  ["openai-responses", ["authorization", "Bearer emulated"]],
  ["openai-chat", ["authorization", "Bearer emulated"]],
  ["google", ["x-goog-api-key", "emulated"]],
] as const);

const replay = async (
  emulator: Emulator,
  { provider, request }: Recording,
): Promise<{ readonly status: number; readonly text: string }> => {
  const query = new URLSearchParams(request.query ?? {});
  query.delete("key");
  const [name, key] = keyOf.get(provider) ?? ["x-api-key", "emulated"];
  const response = await emulator(`http://emulated${request.url_path}?${query.toString()}`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "anthropic-version": "2023-06-01",
      ...request.headers,
      [name]: key,
    },
    body: JSON.stringify(request.body),
  });
  return { status: response.status, text: await response.text() };
};

/** Refusals that lie in the key, in the size of a body cut for the record, or in a test double. */
const isUndecidable = (text: string): boolean =>
  /API key|input token count exceeds|Test error|Model not found gpt-5\.1-codex-max/.test(text);

/** What the emulator says that it cannot do, and that the service itself may. */
const isOwnLimit = (text: string): boolean =>
  /The mull emulator .*; the service itself may/.test(text);

/** Limits of models that are no longer served, and ids nobody ever knew. */
const concernsOldModels = (text: string): boolean =>
  /does not exist\.|not supported with gpt-4\.|'json_schema' is not supported|maximum allowed nesting/.test(
    text,
  );

const messageOf = (text: string): string =>
  (JSON.parse(text) as { readonly error: { readonly message: string } }).error.message;

describe.each(recordings.length > 0 ? providers : [])(
  "P-J1 recorded requests of %s",
  (provider) => {
    it("that were accepted are accepted", async () => {
      const emulator = emulate({ foreignSeals: "accept", unknownModels: "accept" });
      const refused: string[] = [];
      let accepted = 0;
      for (const recording of asked(provider)) {
        if (recording.response.status !== 200) continue;
        const { status, text } = await replay(emulator, recording);
        if (status === 200) accepted += 1;
        else if (isOwnLimit(text)) continue;
        else refused.push(`${recording.id}: ${status} ${text.slice(0, 300)}`);
      }
      expect(refused).toEqual([]);
      expect(accepted).toBeGreaterThan(10);
    });

    it("that were refused are refused", async () => {
      const strict = emulate({ foreignSeals: "accept" });
      const accepted: string[] = [];
      for (const recording of asked(provider)) {
        const { status, body_text: text } = recording.response;
        if (![400, 404].includes(status) || isUndecidable(text)) continue;
        const answer = await replay(strict, recording);
        if (answer.status === 200) accepted.push(recording.id);
      }
      expect(accepted).toEqual([]);
    });

    it("with a 400 that still applies are refused in the same words", async () => {
      const emulator = emulate({ foreignSeals: "accept", unknownModels: "accept" });
      const differing: string[] = [];
      for (const recording of asked(provider)) {
        const { status, body_text: text } = recording.response;
        if (status !== 400 || isUndecidable(text) || concernsOldModels(text)) continue;
        const answer = await replay(emulator, recording);
        if (messageOf(answer.text) !== messageOf(text)) differing.push(recording.id);
      }
      expect(differing).toEqual([]);
    });
  },
);

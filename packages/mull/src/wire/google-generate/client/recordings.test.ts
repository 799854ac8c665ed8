import { describe, expect, test } from "vitest";
import { isMullError } from "../../../types/error.ts";
import type { Reply, StreamEvent } from "../../../types/event.ts";
import type { JsonObject } from "../../../types/json.ts";
import type { Finding, RuleInput } from "../../../types/rule.ts";
import type { DecodeContext } from "../../../types/wire.ts";
import { findModel } from "../../../catalogue/find-model.ts";
import { googleLevels, type Model } from "../../../types/model.ts";
import {
  decodeBody,
  fingerprint,
  finishOf,
  readRecordings,
  type Recording,
} from "../../../../../../test/recordings.ts";
import { camelCase } from "./camel-case.ts";
import { asObject, asText } from "../../common/json-reading.ts";
import { objectsOf } from "./json-reading.ts";
import { createHotReader } from "../../common/hot-delta.ts";
import { decodeRequest } from "../service/read-request.ts";
import { decodeStream } from "./decode-stream.ts";
import { googleGenerate } from "../index.ts";
import { rulesOf } from "../../../rules.ts";
import { decode } from "./decode.ts";

const recordings = readRecordings("google");

const contextOf = (provider: string): DecodeContext => {
  let made = 0;
  return {
    origin: { wire: "google-generate", provider, model: "gemini" },
    now: () => 0,
    newId: () => `local-${made++}`,
  };
};

const answered = recordings.filter(({ response }) => response.status === 200);
const refused = recordings.filter(({ response }) => response.status !== 200);

/** Reads a recorded body the way the transport would hand it over. */
function readStream(
  recording: Recording,
  fast: boolean,
): { readonly reply: Reply; readonly events: readonly StreamEvent[] } {
  const decoder = decodeStream({
    ...contextOf(recording.provider),
    ...(fast && { hotReader: createHotReader }),
  });
  const events: StreamEvent[] = [];
  decodeBody(recording.response.body_text, decoder, events);
  return { reply: finishOf(events), events };
}

const joined = (reply: Reply, type: "text" | "thinking"): string =>
  reply.message.parts.flatMap((part) => (part.type === type ? [part.text] : [])).join("");

const at = (list: readonly Recording[], index: number): Recording => {
  const recording = list[index];
  if (recording === undefined) throw new RangeError(`no recording ${index}`);
  return recording;
};

/** What the independent reader says of an answer, in one shape with our own reading. */
const wanted = ({ id, expected }: Recording): unknown => ({
  recording: id,
  thinking: expected.thinking,
  text: expected.text,
  calls: expected.tool_calls.map((call) => ({ ...call, args: call.args ?? {} })),
  seals: expected.signature_sha256 ?? [],
  // One source puts the reason inside `content`, where the independent reader does not look.
  finish: String(expected.finish ?? expected.block_reason ?? "STOP"),
  note: expected.finish_detail,
  thinkingTokens: expected.reasoning_tokens,
  usage: expected.usage,
  model: expected.model,
  id: expected.id,
});

const reading = (reply: Reply, { id, expected }: Recording): unknown => ({
  recording: id,
  thinking: joined(reply, "thinking"),
  text: joined(reply, "text"),
  calls: reply.message.parts.flatMap((part) =>
    part.type === "tool-call"
      ? [{ id: part.localId === true ? null : part.id, name: part.name, args: part.input }]
      : [],
  ),
  seals: reply.message.parts.flatMap((part) =>
    part.seal === undefined ? [] : [fingerprint(part.seal.data["thoughtSignature"])],
  ),
  finish: reply.finish.raw,
  note: expected.finish_detail && reply.finish.note,
  thinkingTokens: reply.usage.thinking,
  usage: reply.usage.raw,
  model: reply.servedModel,
  id: reply.id,
});

describe("recorded answers", () => {
  test("R105 R107 R109 R133 R150: whole answers are read as an independent reader reads them", () => {
    const whole = answered.filter(({ response }) => /^\s*[[{]/.test(response.body_text));
    const replies = whole.map((recording) =>
      decode(JSON.parse(recording.response.body_text), contextOf(recording.provider)),
    );
    expect(replies.map((reply, i) => reading(reply, at(whole, i)))).toEqual(whole.map(wanted));
    expect(replies.filter((reply) => reply.usage.warning !== undefined)).toEqual([]);
  });

  test("R141 R148 R149 R151 F-S15: so are they through the stream reader", () => {
    const replies = answered.map((recording) => readStream(recording, true).reply);
    expect(replies.map((reply, i) => reading(reply, at(answered, i)))).toEqual(
      answered.map(wanted),
    );
  });

  test("H the fast path gives the events of the slow one", () => {
    expect(answered.map((recording) => readStream(recording, true).events)).toEqual(
      answered.map((recording) => readStream(recording, false).events),
    );
  });

  test("R164 R165 R166 R167: every recorded refusal has its category", () => {
    const categories = refused.map(({ response, provider }) => {
      const error = googleGenerate.decodeError(
        { status: response.status, headers: response.headers, body: response.body_text },
        provider,
      );
      expect(isMullError(error)).toBe(true);
      return `${response.status} ${error.category}`;
    });
    expect(new Set(categories)).toEqual(
      new Set(
        recordings.length === 0
          ? []
          : [
              "400 auth",
              "400 context_overflow",
              "400 invalid_argument",
              "403 auth",
              "404 not_found",
              "429 rate_limit",
              "503 overloaded",
            ],
      ),
    );
  });
});

/** A row that lets every recorded setting through: what is tested is the writing, not the limits. */
function rowOf({ request }: Recording): Model {
  const id = /models\/([^:]+):/.exec(request.url_path)?.[1] ?? "";
  const budget = { kind: "budget", min: 0, max: 65_536, off: "budget-zero" } as const;
  const level = { kind: "level", levels: googleLevels, off: "never" } as const;
  return {
    ...findModel(id),
    id,
    sampling: "free",
    thinking: JSON.stringify(request.body).includes("thinkingLevel") ? level : budget,
  };
}

/** One form for bodies that mean the same to the service. */
function normalised(body: JsonObject): unknown {
  // Snake case is camel case, null is absent, a single item is a list of one.
  const { systemInstruction, contents, tools, toolConfig, generationConfig, ...rest } =
    camelCase(body);
  const merged: { role: string; parts: unknown[] }[] = [];
  for (const { role, parts } of objectsOf(contents)) {
    // Results may come under `function`; an unset role is `user`; neighbours of a role are one.
    const name = role === "model" ? "model" : "user";
    const own = objectsOf(parts).map(withoutFalse);
    if (merged.at(-1)?.role === name) merged.at(-1)?.parts.push(...own);
    else merged.push({ role: name, parts: own });
  }
  const { thinkingConfig, ...config } = asObject(generationConfig);
  const { functionCallingConfig, ...toolRest } = asObject(toolConfig);
  const { mode, ...calling } = asObject(functionCallingConfig);
  const system = objectsOf(asObject(systemInstruction)["parts"])
    .map(withoutFalse)
    .filter(({ text }) => text !== "");
  return withoutEmpty({
    ...rest,
    // The instruction's role says nothing, nor does an empty text in it.
    system,
    contents: merged,
    // Functions may stand in one entry or several, beside the vendor's own tools or apart.
    functions: objectsOf(tools).flatMap((tool) => objectsOf(tool["functionDeclarations"])),
    vendorTools: objectsOf(tools).flatMap((tool) =>
      Object.entries(tool).filter(([key]) => key !== "functionDeclarations"),
    ),
    // Words may be written in lower case.
    toolConfig: withoutEmpty({ ...toolRest, ...calling, mode: asText(mode).toUpperCase() }),
    generationConfig: withoutEmpty({
      ...config,
      thinkingConfig: withoutEmpty({
        ...asObject(thinkingConfig),
        thinkingLevel: asText(asObject(thinkingConfig)["thinkingLevel"]).toUpperCase(),
      }),
    }),
  });
}

/** `false` flags, empty words, lists and objects say nothing. */
const withoutEmpty = (object: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(object).filter(
      ([, value]) =>
        value !== false &&
        value !== "" &&
        !(typeof value === "object" && value !== null && Object.keys(value).length === 0),
    ),
  );

const withoutFalse = (part: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(part).filter(([, value]) => value !== false));

const pathOf = ({ request }: Recording): string => {
  const query = new URLSearchParams(request.query ?? {}).toString();
  return query === "" ? request.url_path : `${request.url_path}?${query}`;
};

/** The rules see the catalogue's row, as lint and the emulator do. */
const inputOf = (recording: Recording): RuleInput => {
  const path = pathOf(recording);
  const id = /models\/([^:]+):/.exec(path)?.[1] ?? "";
  return {
    wire: "google-generate",
    model: findModel(id, { provider: "google" }),
    path,
    headers: recording.request.headers,
    body: recording.request.body ?? {},
  };
};

const errorsIn = (recording: Recording): readonly Finding[] =>
  rulesOf("google-generate")
    .flatMap((rule) => rule.check(inputOf(recording)))
    .filter(({ severity }) => severity === "error");

describe("recorded requests", () => {
  const accepted = answered.flatMap((recording) =>
    recording.request.body === null ? [] : [{ recording, body: recording.request.body }],
  );

  test("R84 R85 R86 R90 R202 R204: an accepted request, read and written again, means the same", () => {
    const written = accepted.map(({ recording, body }) => {
      const { headers } = recording.request;
      const request = decodeRequest({ path: pathOf(recording), headers, body });
      const { body: again } = googleGenerate.encode(request, { model: rowOf(recording) });
      // As it goes over the wire.
      return [recording.id, normalised(JSON.parse(JSON.stringify(again)))];
    });
    expect(written).toEqual(
      accepted.map(({ recording, body }) => [recording.id, normalised(body)]),
    );
  });

  test("no rule refuses what the service accepted", () => {
    const wrong = accepted.flatMap(({ recording }) =>
      errorsIn(recording)
        // Some of these models were still served when they were recorded.
        .filter(({ rule }) => rule !== "google/model-not-found")
        .map((finding) => [recording.id, finding]),
    );
    expect(wrong).toEqual([]);
  });

  test("R177: what the service refused for its form is found, in its words", () => {
    // Keys, quotas, load and lengths of texts and schemas cannot be seen in a request.
    const hidden = /API key|exceeds the maximum|quota|high demand|unregistered|No providers/;
    const refusals = refused.filter(
      ({ request, response }) => request.body !== null && !hidden.test(response.body_text),
    );
    const missed = refusals.filter((recording) => {
      const said = recording.response.body_text.replaceAll('\\"', '"');
      // Old texts call the method ListModels, and an unlisted id may be a new model: a warning.
      return !rulesOf("google-generate")
        .flatMap((rule) => rule.check(inputOf(recording)))
        .some(({ message, rule }) => said.includes(message) || /^google.model-/.test(rule));
    });
    expect(missed.map(({ id, response }) => [id, response.body_text])).toEqual([]);
  });
});

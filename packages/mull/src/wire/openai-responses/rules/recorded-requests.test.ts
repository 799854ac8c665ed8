import { describe, expect, it } from "vitest";
import type { JsonObject, JsonValue } from "../../../types/json.ts";
import { efforts, type Model } from "../../../types/model.ts";
import { findModel } from "../../../catalogue/find-model.ts";
import type { Finding } from "../../../types/rule.ts";
import { readRecordings } from "../../../../../../test/recordings.ts";
import { openaiResponses } from "../index.ts";
import { openaiResponsesMirror } from "../service/mirror.ts";
import { asObjects, asText } from "../../common/json-reading.ts";
import { rulesOf } from "../../../rules.ts";

const recordings = readRecordings("openai-responses");

/** Takes every setting: what a real row leaves out is tested with `encode`. */
const anyModel: Model = {
  id: "any",
  provider: "any",
  wire: "openai-responses",
  thinking: { kind: "effort", efforts, off: "effort-none" },
  shows: "summary",
  sampling: "free",
  toolChoice: "free",
  replay: "sealed",
  status: "current",
};

const isLost = (item: JsonObject): boolean =>
  item["type"] === "reasoning" && typeof item["encrypted_content"] !== "string";

/** Empty lists say nothing. */
const normalPart = (part: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(part).filter(([, value]) => !Array.isArray(value) || value.length > 0),
  );

/** One spelling of a message: a string is one text, `developer` is `system`, the type is implied. */
function normalMessage(item: JsonObject): JsonObject {
  const { type = "message", role, content, status: _, ...rest } = item;
  const text = role === "assistant" ? "output_text" : "input_text";
  const parts = typeof content === "string" ? [{ type: text, text: content }] : asObjects(content);
  const spelled = role === "developer" ? "system" : role;
  return { ...rest, type, role: spelled, content: parts.map(normalPart) };
}

/** What a call or thought was when it was answered (its status) is no part of what is sent. */
const normalItem = (item: JsonObject): JsonObject => {
  if (item["role"] !== undefined && item["tools"] === undefined) return normalMessage(item);
  const isResult = item["type"] === "function_call_output";
  return isResult ? item : { ...item, status: undefined };
};

const withoutId = (item: JsonObject): JsonObject => ({ ...item, id: undefined });

/** The id of a thought goes where the message behind it has none. */
const normalThought = (item: JsonObject, next: JsonObject | undefined): JsonObject =>
  item["type"] === "reasoning" && next?.["role"] !== undefined && next["id"] === undefined
    ? withoutId(item)
    : item;

/**
 * Nothing is kept at the service: a thought without its content goes, and so do the ids it vouches
 * for. Answers without ids that stand together are one message.
 */
function normalInput(input: JsonValue | undefined, hasLost: boolean): readonly JsonObject[] {
  if (typeof input === "string") return normalInput([{ role: "user", content: input }], hasLost);
  const kept = asObjects(input)
    .filter((item) => !isLost(item))
    .map(normalItem);
  const items: JsonObject[] = [];
  for (const [at, each] of kept.entries()) {
    const item = hasLost ? withoutId(each) : normalThought(each, kept[at + 1]);
    const last = items.at(-1);
    const isPlain = item["role"] === "assistant" && item["id"] === undefined;
    if (isPlain && last?.["role"] === "assistant" && last["id"] === undefined) {
      const content = [...asObjects(last["content"]), ...asObjects(item["content"])];
      items[items.length - 1] = { ...last, content };
    } else items.push(item);
  }
  return items;
}

/** `store` and the wish for encrypted content are the writer's own: it keeps nothing. */
function normalBody(body: JsonObject, hasLost: boolean): JsonObject {
  const { input, store: _, include, tools, ...rest } = body;
  const asked = Array.isArray(include) ? include : [];
  return {
    ...rest,
    input: normalInput(input, hasLost),
    stream: rest["stream"] === true,
    include: asked.filter((each) => each !== "reasoning.encrypted_content"),
    tools: asObjects(tools),
  };
}

describe("recorded requests", () => {
  const accepted = recordings.filter(
    (each) => each.response.status === 200 && each.request.body?.["input"] !== undefined,
  );
  it.each(accepted)("writes $id again as it was", ({ request }) => {
    const body = request.body ?? {};
    const read = openaiResponsesMirror.decodeRequest({ path: "/v1/responses", headers: {}, body });
    const again = openaiResponses.encode(read, { model: anyModel }).body;
    const hasLost = asObjects(body["input"]).some(isLost);
    expect(normalBody(again, hasLost)).toEqual(normalBody(body, hasLost));
  });
});

function findingsOf(body: JsonObject): readonly Finding[] {
  const model = findModel(asText(body["model"]));
  const input = {
    wire: "openai-responses",
    model,
    path: "/v1/responses",
    headers: {},
    body,
  } as const;
  return rulesOf("openai-responses").flatMap((rule) => rule.check(input));
}

describe("rules against recorded requests", () => {
  const accepted = recordings.filter(
    (each) => each.response.status === 200 && each.request.body?.["input"] !== undefined,
  );
  it.each(accepted)("find nothing wrong with $id", ({ request }) => {
    const findings = findingsOf(request.body ?? {});
    expect(findings.filter(({ severity }) => severity === "error")).toEqual([]);
  });

  const refused = recordings.filter(({ features }) =>
    features.some((feature) => feature === "history_rejected" || feature === "rejected_thinking"),
  );
  it.each(refused)("foresee the refusal of $id in its own words", ({ request, response }) => {
    const said: unknown = JSON.parse(response.body_text);
    const answers = findingsOf(request.body ?? {}).map(
      ({ answer }) => answer && openaiResponsesMirror.encodeError(answer),
    );
    expect(answers).toContainEqual(said);
  });
});

import { isJsonObject } from "mull/wire";
import type { JsonObject, JsonValue } from "mull";

import { newId } from "../world/ids.ts";
import type { RandomBytes } from "../world/random.ts";
import {
  invalidRequest,
  listIn,
  objectIn,
  type ServiceExchange,
  type ReadExchange,
  type Refusal,
} from "./service.ts";

const configOf = (body: JsonObject): JsonObject =>
  objectIn(body["generationConfig"] ?? body["generation_config"]);

/** Vertex sends log probabilities of Gemini 2.5 and the emulator has none. It refuses, so that nobody looks for them in the answer. */
export const refuseLogprobs = ({ body, path, model }: ServiceExchange): Refusal | undefined => {
  const config = configOf(body);
  const isAsked = (config["responseLogprobs"] ?? config["response_logprobs"]) === true;
  if (!isAsked || model.thinking.kind !== "budget" || !path.includes("/publishers/"))
    return undefined;
  const message = "The mull emulator gives no log probabilities of Gemini; Vertex itself does.";
  return invalidRequest("emulator/logprobs", message, { type: "INVALID_ARGUMENT" });
};

const countAsked = ({ body }: ReadExchange): number => {
  const config = configOf(body);
  const count = config["candidateCount"] ?? config["candidate_count"];
  return typeof count === "number" ? count : 1;
};

/** Two candidates never share the id of a call. Calls of Gemini 2.5 have no id. */
const otherCall = (part: JsonValue, random: RandomBytes): JsonValue => {
  const { functionCall: call } = objectIn(part);
  return isJsonObject(part) && isJsonObject(call) && "id" in call
    ? { ...part, functionCall: { ...call, id: newId.googleCall(random) } }
    : part;
};

const retold = (candidate: JsonObject, index: number, random: RandomBytes): JsonObject => {
  const content = objectIn(candidate["content"]);
  const parts = listIn(content["parts"]).map((part) => otherCall(part, random));
  return { ...candidate, content: { ...content, parts }, index };
};

/** The prompt is counted once, each candidate with its thoughts separately. */
const usageOf = (usage: JsonObject, count: number): JsonObject => {
  const times = (name: string): number => Number(usage[name] ?? 0) * count;
  const said = times("candidatesTokenCount");
  const thought = times("thoughtsTokenCount");
  return {
    ...usage,
    candidatesTokenCount: said,
    ...("thoughtsTokenCount" in usage && { thoughtsTokenCount: thought }),
    totalTokenCount: Number(usage["promptTokenCount"]) + said + thought,
  };
};

/** An answer with the number of candidates that was asked for. A rule limits that number. */
export const wholeCandidates = (answer: JsonObject, exchange: ReadExchange): JsonObject => {
  const count = countAsked(exchange);
  if (count === 1) return answer;
  const first = objectIn(listIn(answer["candidates"])[0]);
  const others = Array.from({ length: count - 1 }, (_, at) =>
    retold(first, at + 1, exchange.world.random),
  );
  return {
    ...answer,
    candidates: [first, ...others],
    usageMetadata: usageOf(objectIn(answer["usageMetadata"]), count),
  };
};

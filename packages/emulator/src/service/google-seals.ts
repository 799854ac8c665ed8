import { isJsonObject } from "mull/wire";
import type { AssistantPart, JsonObject, JsonValue, Seal } from "mull";
import type { RuleInput, SealVerdict } from "mull/rules";

import { mintSeal, openSeal } from "../seal/seal.ts";
import { shortHash } from "../seal/sha256.ts";
import { newId } from "../world/ids.ts";
import { modelOfSeal, readsSealsOf } from "./readable.ts";
import { listIn, objectIn, textIn, type ServiceExchange, type FittedPart } from "./service.ts";

const wire = "google-generate";

/** From Gemini 3 on, a call has an id and a signature that the next request must send back. */
const signsCalls = (exchange: ServiceExchange): boolean =>
  exchange.model.thinking.kind === "level" && !exchange.model.id.startsWith("gemma");

const callContent = (name: string, args: JsonValue | undefined): string =>
  shortHash(JSON.stringify([name, args ?? {}]));

/** Hidden thinking has no part of its own. Only its signature is there, on another part. */
export const isReadable = (part: FittedPart): boolean =>
  part.type === "text" || part.type === "call" || (part.type === "thinking" && part.shown === true);

/** In a stream the signature of a text comes after it, on an empty text part. */
const withCarrier = (
  parts: readonly FittedPart[],
  exchange: ServiceExchange,
): readonly FittedPart[] => {
  const isStream = exchange.path.includes(":streamGenerateContent");
  const carries = isStream && parts.at(-1)?.type === "text" && signsCalls(exchange);
  return carries ? [...parts, { type: "text", text: "" }] : parts;
};

/** Which part carries the signature: the first call, else the last text. */
const sealedPart = (parts: readonly FittedPart[], exchange: ServiceExchange): number => {
  const call = parts.findIndex((part) => part.type === "call");
  if (call !== -1) return call;
  return signsCalls(exchange) ? parts.findLastIndex((part) => part.type === "text") : -1;
};

export const sealGoogle = (
  drafted: readonly FittedPart[],
  exchange: ServiceExchange,
  replyId: string,
): readonly AssistantPart[] => {
  const { world, modelId, account } = exchange;
  const thinks = exchange.model.thinking.kind !== "none";
  const parts = withCarrier(drafted.filter(isReadable), exchange);
  const sealed = thinks ? sealedPart(parts, exchange) : -1;
  const sealOf = (part: FittedPart, index: number): { readonly seal?: Seal } => {
    if (index !== sealed) return {};
    const thoughtSignature = mintSeal(world.secret, {
      wire,
      kind: part.type,
      model: modelId,
      account,
      content: part.type === "call" ? callContent(part.name, part.input) : "",
      prefix: "",
      reply: replyId,
      index: 0,
      count: 1,
      before: index,
      previous: "",
    });
    return {
      seal: { origin: { wire, provider: "google", model: modelId }, data: { thoughtSignature } },
    };
  };
  return parts.map((part, i): AssistantPart => {
    if (part.type === "thinking")
      return { type: "thinking", text: part.text, visibility: "summary" };
    if (part.type === "call") {
      const id = part.id ?? newId.googleCall(world.random);
      return {
        type: "tool-call",
        id,
        name: part.name,
        input: part.input,
        ...(!signsCalls(exchange) && part.id === undefined && { localId: true as const }),
        ...sealOf(part, i),
      };
    }
    return { type: "text", text: part.type === "text" ? part.text : "", ...sealOf(part, i) };
  });
};

const partAt = (body: JsonObject, at: string): JsonObject | undefined => {
  const place = /contents\[?\.?(\d+)\]?\.parts\[?\.?(\d+)\]?/.exec(at);
  if (place === null) return undefined;
  const content = listIn(body["contents"])[Number(place[1])];
  const part = listIn(objectIn(content)["parts"])[Number(place[2])];
  return isJsonObject(part) ? part : undefined;
};

/** A signature must be on the kind of part it came with; that of a call, on the same call. */
export const verifyGoogle =
  (exchange: ServiceExchange): NonNullable<RuleInput["verifySeal"]> =>
  (seal, at): SealVerdict => {
    const facts = openSeal(exchange.world.secret, wire, seal);
    if (facts === undefined) {
      return exchange.world.options.foreignSeals === "accept" ? "ok" : "invalid";
    }
    const maker = modelOfSeal(facts.model, exchange.world.options.models);
    if (!readsSealsOf(exchange.model, maker)) return "invalid";
    const part = partAt(exchange.body, at);
    if (part === undefined) return "ok";
    const call = part["functionCall"] ?? part["function_call"];
    if (!isJsonObject(call)) return facts.kind === "call" ? "invalid" : "ok";
    const content = callContent(textIn(call["name"]), call["args"]);
    return facts.kind === "call" && facts.content === content ? "ok" : "invalid";
  };

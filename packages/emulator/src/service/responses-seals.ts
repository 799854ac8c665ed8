import { isJsonObject } from "mull/wire";
import type { AssistantPart, JsonObject } from "mull";
import type { RuleInput, SealVerdict } from "mull/rules";

import { mintSeal, openSeal } from "../seal/seal.ts";
import { itemId, newId, readItemId, responseKey, type ItemPrefix } from "../world/ids.ts";
import { isLocal, openThought } from "./local-responses.ts";
import { modelOfSeal, readsSealsOf } from "./readable.ts";
import { listIn, textIn, type ServiceExchange, type FittedPart } from "./service.ts";

const wire = "openai-responses";

/** From GPT-5.3 on, a message says whether it is the answer or a comment before tool calls. */
const hasPhases = (id: string): boolean => /^gpt-(?:5\.[3-9]|[6-9])/.test(id);

/** Since July 2026 OpenAI sends encrypted content by default. Other hosts of its wire send it on request. */
const givesSeals = ({ body, model }: ServiceExchange): boolean =>
  model.provider === "openai" || listIn(body["include"]).includes("reasoning.encrypted_content");

/** Gives every item its id, reasoning items their encrypted content, and ties what follows to them. */
export const sealResponses = (
  parts: readonly FittedPart[],
  exchange: ServiceExchange,
  replyId: string,
): readonly AssistantPart[] => {
  const { world, modelId, account, model } = exchange;
  const local = isLocal(exchange);
  const provider = local ? model.provider : "openai";
  const origin = { wire, provider, model: modelId } as const;
  const phase: JsonObject = hasPhases(model.id)
    ? { phase: parts.some((part) => part.type === "call") ? "commentary" : "final_answer" }
    : {};
  let reasoning: number | undefined;
  const idAt = (prefix: ItemPrefix, index: number): string =>
    itemId(world.secret, {
      prefix,
      response: responseKey(replyId),
      index,
      reasoning: prefix === "rs" ? undefined : reasoning,
    });
  return parts.map((part, index): AssistantPart => {
    switch (part.type) {
      case "thinking":
      case "omitted":
      case "redacted": {
        const id = idAt("rs", index);
        reasoning = index;
        const text = part.type === "thinking" && part.shown === true ? part.text : "";
        if (local) {
          const { visibility, data } = openThought(part, exchange);
          return { type: "thinking", text, visibility, seal: { origin, data: { id, ...data } } };
        }
        const encrypted = mintSeal(world.secret, {
          wire,
          kind: "reasoning",
          model: modelId,
          account,
          content: id,
          prefix: "",
          reply: replyId,
          index,
          count: 1,
          before: 0,
          previous: "",
        });
        const summary = text === "" ? [] : [{ type: "summary_text", text }];
        const data = { id, summary, ...(givesSeals(exchange) && { encrypted_content: encrypted }) };
        const visibility = text === "" ? "hidden" : "summary";
        return { type: "thinking", text, visibility, seal: { origin, data } };
      }
      case "text": {
        const data = { id: idAt("msg", index), ...phase };
        return {
          type: "text",
          text: part.text,
          ...(part.refusal === true && { refusal: true as const }),
          seal: { origin, data },
        };
      }
      case "call":
        return {
          type: "tool-call",
          id: part.id ?? newId.openaiCall(world.random),
          name: part.name,
          input: part.input,
          ...(part.raw !== undefined && { invalid: { raw: part.raw, reason: "scripted" } }),
          seal: { origin, data: { id: idAt("fc", index) } },
        };
      default:
        return part satisfies never;
    }
  });
};

const itemAt = (body: JsonObject, at: string): JsonObject | undefined => {
  const place = /input\[?\.?(\d+)\]?/.exec(at);
  const item = place === null ? undefined : listIn(body["input"])[Number(place[1])];
  return isJsonObject(item) ? item : undefined;
};

/** An id records the thought it was made with. Only an id without a thought is valid alone. */
const verifyId = (exchange: ServiceExchange, id: string): SealVerdict => {
  const facts = readItemId(exchange.world.secret, id);
  if (facts === undefined) return "unknown";
  return facts.reasoning === undefined ? "ok" : "invalid";
};

/** Encrypted content opens for the same account and for models that may read it, on the item it came with. */
export const verifyResponses =
  (exchange: ServiceExchange): NonNullable<RuleInput["verifySeal"]> =>
  (seal, at, kind): SealVerdict => {
    if (isLocal(exchange)) return "ok";
    if (kind !== "reasoning") return verifyId(exchange, seal);
    const facts = openSeal(exchange.world.secret, wire, seal);
    if (facts === undefined) {
      return exchange.world.options.foreignSeals === "accept" ? "ok" : "invalid";
    }
    const id = textIn(itemAt(exchange.body, at)?.["id"]);
    if (id !== "" && id !== facts.content) return "invalid";
    if (facts.account !== exchange.account) return "invalid";
    const maker = modelOfSeal(facts.model, exchange.world.options.models);
    return readsSealsOf(exchange.model, maker) ? "ok" : "invalid";
  };

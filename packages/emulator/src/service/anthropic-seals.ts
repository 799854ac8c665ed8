import { isJsonObject } from "mull/wire";
import type { AssistantPart, JsonObject, JsonValue } from "mull";
import type { RuleInput, SealVerdict } from "mull/rules";

import { mintSeal, openSeal, sealName, type SealFacts } from "../seal/seal.ts";
import { shortHash } from "../seal/sha256.ts";
import { newId } from "../world/ids.ts";
import {
  blocksOf,
  hashOf,
  prefixesOf,
  thinkingBlocksOf,
  type PrefixHash,
  type SealedBlock,
} from "./anthropic-prefix.ts";
import { modelOfSeal, readsSealsOf } from "./readable.ts";
import {
  invalidRequest,
  listIn,
  objectIn,
  textIn,
  type ServiceExchange,
  type FittedPart,
  type Refusal,
} from "./service.ts";

const wire = "anthropic-messages";

const isThinkingPart = (part: FittedPart): boolean =>
  part.type === "thinking" || part.type === "omitted" || part.type === "redacted";

/** Thinking blocks next to each other are one thought. Each seal counts the blocks so far, not those that come later. */
const runLength = (parts: readonly FittedPart[], at: number): number => {
  let [first, last] = [at, at];
  while (first > 0 && isThinkingPart(parts[first - 1] as FittedPart)) first -= 1;
  while (last + 1 < parts.length && isThinkingPart(parts[last + 1] as FittedPart)) last += 1;
  return last - first + 1;
};

interface Mint {
  /** `count` is the length of the run of thinking it belongs to. */
  readonly seal: (kind: string, content: string, count: number) => string;
  /** A block without a seal comes before the next one. */
  readonly pass: () => void;
}

/** Makes the seals of one answer in order. Each points at the one before. */
const createMint = (exchange: ServiceExchange, reply: string): Mint => {
  const { world, modelId, account, body } = exchange;
  const prefix = prefixesOf(body).whole;
  let previous = sealName(thinkingBlocksOf(body).at(-1)?.seal ?? "");
  let index = 0;
  let before = 0;
  return {
    pass: () => {
      before += 1;
    },
    seal: (kind, content, count) => {
      const place = { reply, index, count, before, previous };
      const facts = { wire, kind, model: modelId, account, content, prefix, ...place } as const;
      const seal = mintSeal(world.secret, facts);
      previous = sealName(seal);
      index += 1;
      return seal;
    },
  };
};

const plainPart = (
  part: FittedPart & { readonly type: "text" | "call" },
  exchange: ServiceExchange,
): AssistantPart =>
  part.type === "text"
    ? { type: "text", text: part.text }
    : {
        type: "tool-call",
        id: part.id ?? newId.anthropicCall(exchange.world.random),
        name: part.name,
        input: part.input,
        extra: { wire, fields: { caller: { type: "direct" } } },
        ...(part.raw !== undefined && { invalid: { raw: part.raw, reason: "scripted" } }),
      };

/** Seals the thinking of an answer to its text, its place, its model and what came before. */
export const sealAnthropic = (
  parts: readonly FittedPart[],
  exchange: ServiceExchange,
  replyId: string,
): readonly AssistantPart[] => {
  const origin = { wire, provider: "anthropic", model: exchange.modelId } as const;
  const mint = createMint(exchange, replyId);
  return parts.map((part, at): AssistantPart => {
    if (part.type === "text" || part.type === "call") {
      mint.pass();
      return plainPart(part, exchange);
    }
    const count = runLength(parts, at);
    if (part.type === "redacted") {
      const data = { redacted: mint.seal("redacted_thinking", "", count) };
      return { type: "thinking", text: "", visibility: "redacted", seal: { origin, data } };
    }
    const text = part.type === "thinking" && part.shown === true ? part.text : "";
    const data = { signature: mint.seal("thinking", text === "" ? "" : shortHash(text), count) };
    const visibility = text === "" ? "hidden" : "summary";
    return { type: "thinking", text, visibility, seal: { origin, data } };
  });
};

const open = (exchange: ServiceExchange, seal: string): SealFacts | undefined =>
  openSeal(exchange.world.secret, wire, seal);

const blockAt = (body: JsonObject, at: string): (JsonObject & { at: number }) | undefined => {
  const place = /^messages\.(\d+)\.content\.(\d+)/.exec(at);
  if (place === null) return undefined;
  const message = listIn(body["messages"])[Number(place[1])];
  const block = isJsonObject(message) ? blocksOf(message["content"])[Number(place[2])] : undefined;
  return isJsonObject(block) ? { ...block, at: Number(place[1]) } : undefined;
};

const hasChanged = (facts: SealFacts, block: JsonObject): boolean =>
  facts.content !== "" && facts.content !== shortHash(textIn(block["thinking"]));

/** A block in the middle was removed: the block that this one points at is missing, older ones are there. */
const chainBroken = (facts: SealFacts, names: readonly string[], at: number): boolean =>
  facts.previous !== sealName("") && at > 0 && !names.slice(0, at).includes(facts.previous);

const bindsPrefix = (exchange: ServiceExchange, facts: SealFacts): boolean => {
  const { options } = exchange.world;
  const bound = modelOfSeal(facts.model, options.models).seals?.prefixBound;
  if (bound === "always") return true;
  const asked = objectIn(objectIn(exchange.body["thinking"])["block_binding"]);
  const set = asked["prefix_mismatch_behavior"] !== undefined;
  return bound === "newer-accounts" && (set || options.accounts !== "older");
};

const dropsBlocks = (body: JsonObject): boolean =>
  objectIn(objectIn(body["thinking"])["block_binding"])["prefix_mismatch_behavior"] ===
  "drop_block";

/** Why the service would drop a genuine seal; `undefined` if it would not. */
const mismatch = (
  exchange: ServiceExchange,
  facts: SealFacts,
  place: { readonly message: number; readonly seal: string },
  known: KnownSeal,
): "model" | "organization" | "prefix" | undefined => {
  const maker = modelOfSeal(facts.model, exchange.world.options.models);
  if (!readsSealsOf(exchange.model, maker)) return "model";
  if (maker.seals?.accountBound === true && facts.account !== exchange.account) {
    return "organization";
  }
  if (!bindsPrefix(exchange, facts)) return undefined;
  const at = known.names.indexOf(sealName(place.seal));
  return known.before(facts.prefix)[place.message]?.has(facts.prefix) !== true ||
    chainBroken(facts, known.names, at)
    ? "prefix"
    : undefined;
};

interface KnownSeal {
  /** By the hash that made this prefix. */
  readonly before: (prefix: string) => readonly ReadonlySet<string>[];
  readonly names: readonly string[];
}

const knownOf = (body: JsonObject): KnownSeal => {
  const found = new Map<PrefixHash, readonly ReadonlySet<string>[]>();
  return {
    before: (prefix) => {
      const hash = hashOf(prefix);
      const before = found.get(hash) ?? prefixesOf(body, hash).before;
      found.set(hash, before);
      return before;
    },
    names: thinkingBlocksOf(body).map(({ seal }) => sealName(seal)),
  };
};

export const verifyAnthropic = (
  exchange: ServiceExchange,
): NonNullable<RuleInput["verifySeal"]> => {
  let known: KnownSeal | undefined;
  return (seal, at, kind): SealVerdict => {
    const facts = open(exchange, seal);
    if (facts === undefined) {
      return exchange.world.options.foreignSeals === "accept" ? "ok" : "invalid";
    }
    const block = blockAt(exchange.body, at);
    if (block === undefined || !kind.startsWith(facts.kind.split("_")[0] as string))
      return "invalid";
    if (block["type"] !== facts.kind || hasChanged(facts, block)) return "invalid";
    known ??= knownOf(exchange.body);
    const why = mismatch(exchange, facts, { message: block.at, seal }, known);
    return why === "prefix" && !dropsBlocks(exchange.body) ? "foreign-prefix" : "ok";
  };
};

const modified = (found: SealedBlock): Refusal =>
  invalidRequest(
    "anthropic/latest-thinking-unmodified",
    `messages.${found.message}.content.${found.index}: \`thinking\` or \`redacted_thinking\` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.`,
  );

/** The latest assistant message must hold its thinking as it was generated. */
export const checkLatestThinking = (exchange: ServiceExchange): Refusal | undefined => {
  const messages = listIn(exchange.body["messages"]);
  const latest = messages.findLastIndex(
    (message) => isJsonObject(message) && message["role"] === "assistant",
  );
  const found = thinkingBlocksOf(exchange.body)
    .filter((block) => block.message === latest)
    .map((block) => ({ ...block, facts: open(exchange, block.seal) }));
  const minted = found.filter(
    (block): block is typeof block & { facts: SealFacts } => block.facts !== undefined,
  );
  const replies = new Set(minted.map((block) => block.facts.reply));
  for (const [i, block] of minted.entries()) {
    if (hasChanged(block.facts, block.block)) return modified(block);
    if (replies.size > 1 || minted.length < found.length) continue;
    const others = block.index - i;
    if (block.facts.index !== i || block.facts.before !== others) return modified(block);
    const run = minted.filter((other) => other.index - other.facts.index === others);
    if (block.facts.count !== run.length) return modified(block);
  }
  return undefined;
};

/** What the service did with the thinking that was sent back. Callers with the binding beta are told. */
export const inputTransformations = (exchange: ServiceExchange): readonly JsonValue[] => {
  const known = knownOf(exchange.body);
  let dropping = false;
  return thinkingBlocksOf(exchange.body).flatMap((found) => {
    const facts = open(exchange, found.seal);
    if (facts === undefined) return [];
    const why = mismatch(exchange, facts, found, known) ?? (dropping ? "prefix" : undefined);
    if (why === undefined) return [];
    // After the first block of another conversation, all later blocks are dropped as well.
    dropping ||= why === "prefix";
    const path = `messages.${found.message}.content.${found.index}`;
    return [{ type: "thinking_dropped", path, reason: `${why}_binding_mismatch` }];
  });
};

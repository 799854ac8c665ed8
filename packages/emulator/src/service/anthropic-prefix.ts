import { isJsonObject } from "mull/wire";
import type { JsonObject, JsonValue } from "mull";

import { shortHash } from "../seal/sha256.ts";
import { quickHash } from "../world/quick-hash.ts";
import { listIn, textIn } from "./service.ts";

/** JSON with sorted keys and without `cache_control`, which may move from block to block. */
export const canonical = (value: JsonValue | undefined): string => {
  if (Array.isArray(value)) {
    return `[${(value as readonly JsonValue[]).map((item) => canonical(item)).join(",")}]`;
  }
  if (!isJsonObject(value)) return JSON.stringify(value ?? null);
  const fields = Object.keys(value)
    .filter((key) => key !== "cache_control" && value[key] !== undefined)
    .toSorted()
    .map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`);
  return `{${fields.join(",")}}`;
};

export const blocksOf = (content: JsonValue | undefined): readonly JsonValue[] =>
  typeof content === "string" ? [{ type: "text", text: content }] : listIn(content);

const isThinking = (block: JsonValue): boolean =>
  isJsonObject(block) && (block["type"] === "thinking" || block["type"] === "redacted_thinking");

/** The hash of a text behind another hash. */
export type PrefixHash = (text: string, before: string) => string;

const quickMark = "q";

const quick: PrefixHash = (text, before) =>
  quickMark + String(quickHash(text, Number(before.slice(quickMark.length))));

/** Made the seals of 0.1.0, and takes ten times as long. */
const slow: PrefixHash = (text, before) => shortHash(before + text);

/** The hash that made a prefix. */
export const hashOf = (prefix: string): PrefixHash => (prefix.startsWith(quickMark) ? quick : slow);

const startOf = (body: JsonObject, hash: PrefixHash): string => {
  const tools = listIn(body["tools"]).map((tool) => canonical(tool));
  const system = blocksOf(body["system"]).map((block) => canonical(block));
  return hash(JSON.stringify([system, tools.toSorted()]), "");
};

/**
 * Hashes of the conversation before each message, each built on the one before, so that a history
 * is hashed once. Same-role neighbours count as one message, thinking and its removal do not count.
 */
export const prefixesOf = (
  body: JsonObject,
  hash: PrefixHash = quick,
): { readonly before: readonly ReadonlySet<string>[]; readonly whole: string } => {
  let prefix = startOf(body, hash);
  const before = listIn(body["messages"]).map((message) => {
    const seen = new Set([prefix]);
    if (!isJsonObject(message)) return seen;
    for (const block of blocksOf(message["content"])) {
      if (isThinking(block)) continue;
      prefix = hash(`${textIn(message["role"])}${canonical(block)}`, prefix);
      seen.add(prefix);
    }
    return seen;
  });
  return { before, whole: prefix };
};

/** A thinking block in a request, and its place. */
export interface SealedBlock {
  readonly block: JsonObject;
  readonly message: number;
  readonly index: number;
  readonly seal: string;
}

export const thinkingBlocksOf = (body: JsonObject): readonly SealedBlock[] =>
  listIn(body["messages"]).flatMap((message, m) => {
    if (!isJsonObject(message) || message["role"] !== "assistant") return [];
    return blocksOf(message["content"]).flatMap((block, index) => {
      if (!isJsonObject(block) || !isThinking(block)) return [];
      const seal = textIn(block["type"] === "thinking" ? block["signature"] : block["data"]);
      return [{ block, message: m, index, seal }];
    });
  });

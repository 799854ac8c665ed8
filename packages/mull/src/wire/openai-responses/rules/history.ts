import type { JsonObject } from "../../../types/json.ts";
import type { Rule, RuleInput } from "../../../types/rule.ts";
import { findAll } from "../../common/rule-view.ts";
import { asText } from "../client/parts.ts";
import {
  continuesStored,
  type Hit,
  itemsIn,
  makeRule,
  omit,
  type PlacedItem,
  withItems,
} from "./make-rule.ts";
import { tooLong } from "./structure.ts";

const isAnswer = ({ type, item }: PlacedItem): boolean =>
  type === "message"
    ? item["role"] === "assistant"
    : !type.endsWith("_output") && type !== "configuration_update";

/**
 * What a thought led to stands behind it. The service finds it by id, so that a message without one
 * does not count; calls are found by their call id. The o-series does not check.
 */
function lacksFollower(
  placed: PlacedItem,
  next: PlacedItem | undefined,
  input: RuleInput,
): boolean {
  if (placed.type !== "reasoning" || placed.id === undefined || input.model.generation === "o")
    return false;
  if (next === undefined || !isAnswer(next)) return true;
  return next.type === "message" && next.id === undefined && input.body["store"] !== false;
}

const loneThoughts = (input: RuleInput): readonly PlacedItem[] => {
  const items = itemsIn(input);
  return items.filter((placed, at) => lacksFollower(placed, items[at + 1], input));
};

const findLone = (input: RuleInput): readonly Hit[] =>
  loneThoughts(input).map(({ at, id }) => ({
    path: `input[${at}]`,
    message: `Item '${id}' of type 'reasoning' was provided without its required following item.`,
    param: "input",
  }));

/** Items with an id in an answer that has no thought in front of them. */
function orphans(input: RuleInput): readonly PlacedItem[] {
  if (input.model.thinking.kind === "none") return [];
  let hasThought = false;
  return itemsIn(input).filter((placed) => {
    // Results stand between the steps of one answer.
    if (placed.type === "message" && !isAnswer(placed)) hasThought = false;
    if (placed.type === "reasoning") hasThought = true;
    const isBound = placed.type === "function_call" || placed.type === "message";
    return isBound && isAnswer(placed) && placed.id !== undefined && !hasThought;
  });
}

/** Only who made the id knows whether it was made with a thought; else it may have been. */
function findOrphans(input: RuleInput): readonly Hit[] {
  if (continuesStored(input.body)) return [];
  return orphans(input).flatMap(({ at, type, id = "" }): readonly Hit[] => {
    const verdict = input.verifySeal?.(id, `input[${at}].id`, type) ?? "unknown";
    if (verdict === "ok") return [];
    const thought = `rs_${id.replace(/^[a-z]+_/, "")}`;
    return [
      {
        path: `input[${at}]`,
        message: `Item '${id}' of type '${type}' was provided without its required 'reasoning' item: '${thought}'.`,
        param: "input",
        severity: verdict === "unknown" ? "warning" : "error",
      },
    ];
  });
}

const findSeals = (input: RuleInput): readonly Hit[] =>
  findAll(itemsIn(input), ({ item, at, type, id }): readonly Hit[] => {
    const sealed = asText(item["encrypted_content"]);
    if (type !== "reasoning" || sealed === undefined || input.verifySeal === undefined) return [];
    const path = `input[${at}].encrypted_content`;
    if (input.verifySeal(sealed, path, type) !== "invalid") return [];
    const name =
      id === undefined ? `${sealed.slice(0, 4)}...${sealed.slice(-4)}` : `for item ${id}`;
    const message = `The encrypted content ${name} could not be verified. Reason: Encrypted content could not be decrypted or parsed.`;
    return [{ path, message, code: "invalid_encrypted_content", param: null }];
  });

function isUnstored({ item, type, id }: PlacedItem, body: JsonObject): boolean {
  if (body["store"] !== false || id === undefined) return false;
  return (
    type === "item_reference" ||
    (type === "reasoning" &&
      asText(item["encrypted_content"]) === undefined &&
      item["content"] === undefined)
  );
}

const findUnstored = (input: RuleInput): readonly Hit[] =>
  findAll(itemsIn(input), (placed): readonly Hit[] =>
    isUnstored(placed, input.body)
      ? [
          {
            path: `input[${placed.at}]`,
            message: `Item with id '${placed.id}' not found. Items are not persisted when \`store\` is set to false. Try again with \`store\` set to true, or remove this item from your input.`,
            param: "input",
            status: 404,
          },
        ]
      : [],
  );

const prefixes = new Map([
  ["reasoning", "rs"],
  ["message", "msg"],
  ["function_call", "fc"],
  ["custom_tool_call", "ctc"],
]);
const longest = 64;

function findIds(input: RuleInput): readonly Hit[] {
  const seen = new Set<string>();
  return findAll(itemsIn(input), ({ item, at, type }): readonly Hit[] => {
    const id = item["id"];
    const prefix = typeof id === "string" ? prefixes.get(type) : undefined;
    if (typeof id !== "string" || prefix === undefined) return [];
    const path = `input[${at}].id`;
    if (!/^[\w-]+$/.test(id)) {
      const message = `Invalid '${path}': '${id}'. Expected an ID that contains letters, numbers, underscores, or dashes, but this value contained additional characters.`;
      return [{ path, message, code: "invalid_value" }];
    }
    if (id.length > longest) return [tooLong(path, longest, id.length)];
    if (!id.startsWith(prefix)) {
      const message = `Invalid '${path}': '${id}'. Expected an ID that begins with '${prefix}'.`;
      // Copilot writes ids of its own on its sealed thoughts, and takes them back.
      const isOthers = type === "reasoning" && item["encrypted_content"] !== undefined;
      return [{ path, message, code: "invalid_value", severity: isOthers ? "warning" : "error" }];
    }
    if (seen.has(id)) {
      const message = `Duplicate item found with id ${id}. Remove duplicate items from your input and try again.`;
      return [{ path: `input[${at}]`, message, param: "input" }];
    }
    seen.add(id);
    return [];
  });
}

const findCallIds = (input: RuleInput): readonly Hit[] =>
  findAll(itemsIn(input), ({ item, at }): readonly Hit[] => {
    const id = asText(item["call_id"]) ?? "";
    return id.length > longest ? [tooLong(`input[${at}].call_id`, longest, id.length)] : [];
  });

/** The head of the id and a hash of the whole: long ids that differ stay different. */
function shorten(id: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < id.length; at++) hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193);
  const tail = (hash >>> 0).toString(36);
  return `${id.slice(0, longest - tail.length - 1)}_${tail}`;
}

function findUpdates(input: RuleInput): readonly Hit[] {
  const items = itemsIn(input);
  return findAll(items, ({ at, type }): readonly Hit[] => {
    if (type !== "configuration_update") return [];
    const path = `input[${at}].type`;
    if (input.model.effortUpdates !== true) {
      const message = "The 'configuration_update' item type is not supported with this model.";
      return [{ path, message, code: "unsupported_value" }];
    }
    if (items[at - 1]?.type !== "configuration_update") return [];
    return [
      {
        path,
        message: "Two 'configuration_update' items stand side by side.",
        severity: "warning",
      },
    ];
  });
}

const withoutIds = (body: JsonObject, isMeant: (placed: PlacedItem) => boolean): JsonObject =>
  withItems(body, (placed) => (isMeant(placed) ? omit(placed.item, "id") : placed.item));

/** Drops the thoughts that are meant, and the ids of the whole conversation, which they vouch for. */
const withoutThoughts = (body: JsonObject, isMeant: (placed: PlacedItem) => boolean): JsonObject =>
  withItems(body, (placed) =>
    isMeant(placed)
      ? undefined
      : isAnswer(placed) && placed.type !== "reasoning"
        ? omit(placed.item, "id")
        : placed.item,
  );

export const historyRules = (): readonly Rule[] => [
  makeRule({
    id: "openai/reasoning-follower",
    summary: "A reasoning item is followed at once by the item it led to.",
    repairSummary: "Leaves the reasoning item out.",
    find: findLone,
    repair: (body, input) => {
      const lone = new Set(loneThoughts(input).map(({ at }) => at));
      return withItems(body, ({ item, at }) => (lone.has(at) ? undefined : item));
    },
    preflight: true,
  }),
  makeRule({
    id: "openai/reasoning-of-item",
    summary: "An item that was made with a thought keeps its id only together with the thought.",
    severity: "warning",
    repairSummary: "Leaves the id out.",
    find: findOrphans,
    repair: (body, input) => {
      const lone = new Set(orphans(input).map(({ at }) => at));
      return withoutIds(body, ({ at }) => lone.has(at));
    },
    preflight: true,
  }),
  makeRule({
    id: "openai/encrypted-content",
    summary:
      "Encrypted content opens only where it was made: same backend, organisation and model.",
    repairSummary: "Leaves the thoughts out, and the ids they vouch for.",
    find: findSeals,
    repair: (body) => withoutThoughts(body, ({ type }) => type === "reasoning"),
  }),
  makeRule({
    id: "openai/stored-item",
    summary:
      "Without storage a thought needs its encrypted content, and nothing can be referred to.",
    repairSummary: "Leaves the item out, and the ids it vouches for.",
    find: findUnstored,
    repair: (body) => withoutThoughts(body, (placed) => isUnstored(placed, body)),
    preflight: true,
  }),
  makeRule({
    id: "openai/item-id",
    summary:
      "Item ids begin with the prefix of their type, have at most 64 plain characters and appear once.",
    repairSummary: "Leaves the ids out.",
    find: findIds,
    repair: (body) => withoutIds(body, isAnswer),
    preflight: true,
  }),
  makeRule({
    id: "openai/call-id-length",
    summary: "A call id has at most 64 characters.",
    repairSummary: "Shortens the id, alike on the call and on its output.",
    find: findCallIds,
    repair: (body) =>
      withItems(body, ({ item }) => {
        const id = asText(item["call_id"]) ?? "";
        return id.length > longest ? { ...item, call_id: shorten(id) } : item;
      }),
    preflight: true,
  }),
  makeRule({
    id: "openai/configuration-update",
    summary:
      "Only GPT-6 and later take a change of effort inside the conversation, and never two at once.",
    repairSummary: "Leaves the updates out.",
    find: findUpdates,
    repair: (body) =>
      withItems(body, ({ item, type }) => (type === "configuration_update" ? undefined : item)),
    preflight: true,
  }),
];

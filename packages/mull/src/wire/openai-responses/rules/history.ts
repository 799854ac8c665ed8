import type { JsonObject } from "../../../types/json.ts";
import type { RuleInput } from "../../../types/rule.ts";
import { fitCallName } from "../../common/call-name.ts";
import { badName, tooLong } from "../../common/rules/openai-words.ts";
import { effortInForce } from "../../common/effort-in-body.ts";
import { asText, without } from "../../common/json-reading.ts";
import {
  cheap,
  fitId,
  isSpoken,
  type RuleFault,
  type RuleFound,
  type RuleTable,
} from "../../common/rules/define-rule.ts";
import { itemsOf, mapItems, continuesStored, withReasoning, type PlacedItem } from "./view.ts";

const callTypes: ReadonlySet<string> = new Set(["function_call", "custom_tool_call"]);

const nameOf = ({ item }: Pick<PlacedItem, "item">): string => asText(item["name"]);

const isNamedCall = ({ type, item }: Pick<PlacedItem, "type" | "item">): boolean =>
  callTypes.has(type) && typeof item["name"] === "string";

const isAnswer = ({ type, item }: PlacedItem): boolean =>
  type === "message"
    ? item["role"] === "assistant"
    : !type.endsWith("_output") && type !== "configuration_update";

/**
 * The item that a thought led to must follow it. The service finds it by id, so a message without id
 * does not count. Calls are found by their call id. The o-series is not checked.
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

const loneThoughts = (input: RuleInput): readonly PlacedItem[] =>
  itemsOf(input).filter((placed, at, items) => lacksFollower(placed, items[at + 1], input));

const findLone = (input: RuleInput): RuleFound =>
  loneThoughts(input).map(({ path, id }) => ({
    path,
    message: `Item '${id}' of type 'reasoning' was provided without its required following item.`,
    param: "input",
  }));

/** Items with an id in an answer that has no thought in front of them. */
function orphans(input: RuleInput): readonly PlacedItem[] {
  if (input.model.thinking.kind === "none") return [];
  let hasThought = false;
  return itemsOf(input).filter((placed) => {
    // Results stand between the steps of one answer.
    if (placed.type === "message" && !isAnswer(placed)) hasThought = false;
    if (placed.type === "reasoning") hasThought = true;
    const isBound = placed.type === "function_call" || placed.type === "message";
    return isBound && isAnswer(placed) && placed.id !== undefined && !hasThought;
  });
}

/** Only the service that made an id knows whether a thought belongs to it: for all others this is a warning. */
function findOrphans(input: RuleInput): RuleFound {
  if (continuesStored(input.body)) return [];
  return orphans(input).map(({ path, type, id = "" }) => {
    const verdict = input.verifySeal?.(id, `${path}.id`, type) ?? "unknown";
    const thought = `rs_${id.replace(/^[a-z]+_/, "")}`;
    const message = `Item '${id}' of type '${type}' was provided without its required 'reasoning' item: '${thought}'.`;
    const severity = verdict === "unknown" ? "warning" : "error";
    return verdict !== "ok" && { path, message, param: "input", severity };
  });
}

const findSeals = (input: RuleInput): RuleFound =>
  itemsOf(input).map(({ item, path: place, type, id }) => {
    const sealed = asText(item["encrypted_content"]);
    const path = `${place}.encrypted_content`;
    if (type !== "reasoning" || sealed === "") return [];
    const name =
      id === undefined ? `${sealed.slice(0, 4)}...${sealed.slice(-4)}` : `for item ${id}`;
    const message = `The encrypted content ${name} could not be verified. Reason: Encrypted content could not be decrypted or parsed.`;
    const isBad = input.verifySeal?.(sealed, path, type) === "invalid";
    return isBad && { path, message, code: "invalid_encrypted_content", param: null };
  });

function isUnstored({ item, type, id }: PlacedItem, body: JsonObject): boolean {
  if (body["store"] !== false || id === undefined) return false;
  return (
    type === "item_reference" ||
    (type === "reasoning" &&
      asText(item["encrypted_content"]) === "" &&
      item["content"] === undefined)
  );
}

const findUnstored = (input: RuleInput): RuleFound =>
  itemsOf(input)
    .filter((placed) => isUnstored(placed, input.body))
    .map(({ path, id }) => ({
      path,
      message: `Item with id '${id}' not found. Items are not persisted when \`store\` is set to false. Try again with \`store\` set to true, or remove this item from your input.`,
      param: "input",
      status: 404,
    }));

const prefixes = new Map([
  ["reasoning", "rs"],
  ["message", "msg"],
  ["function_call", "fc"],
  ["custom_tool_call", "ctc"],
]);
const longest = 64;

function findIds(input: RuleInput): RuleFound {
  const seen = new Set<string>();
  return itemsOf(input).map(({ item, path: place, type }) => {
    const id = item["id"];
    const prefix = prefixes.get(type);
    if (typeof id !== "string" || prefix === undefined) return [];
    const path = `${place}.id`;
    const bad = (words: string): RuleFault => ({
      path,
      message: `Invalid '${path}': '${id}'. Expected an ID that ${words}`,
      code: "invalid_value",
    });
    if (!/^[\w-]+$/.test(id)) {
      return bad(
        "contains letters, numbers, underscores, or dashes, but this value contained additional characters.",
      );
    }
    if (id.length > longest) return tooLong(path, longest, id.length);
    if (!id.startsWith(prefix)) {
      // Copilot writes ids of its own on its sealed thoughts, and takes them back.
      const isOthers = type === "reasoning" && item["encrypted_content"] !== undefined;
      return { ...bad(`begins with '${prefix}'.`), severity: isOthers ? "warning" : "error" };
    }
    const message = `Duplicate item found with id ${id}. Remove duplicate items from your input and try again.`;
    const isTwice = seen.has(id);
    seen.add(id);
    return isTwice && { path: place, message, param: "input" };
  });
}

const findCallIds = (input: RuleInput): RuleFound =>
  itemsOf(input).map(({ item, path }) => {
    const { length } = asText(item["call_id"]);
    return length > longest && tooLong(`${path}.call_id`, longest, length);
  });

/** Without the updates the effort at the top counts again, so the last update is put there. */
function withoutUpdates(input: RuleInput): JsonObject {
  const effort = effortInForce(input.body);
  const body = mapItems(input, ({ item, type }) =>
    type === "configuration_update" ? undefined : item,
  );
  return effort === undefined || input.model.thinking.kind === "none"
    ? body
    : withReasoning(body, { effort });
}

const findUpdates = (input: RuleInput): RuleFound =>
  itemsOf(input).map(({ path: place, type }, at, items) => {
    if (type !== "configuration_update") return [];
    const path = `${place}.type`;
    if (input.model.effortUpdates !== true) {
      const message = "The 'configuration_update' item type is not supported with this model.";
      return { path, message, code: "unsupported_value" };
    }
    const message = "Two 'configuration_update' items are next to each other.";
    return items[at - 1]?.type === type && { path, message, severity: "warning" };
  });

/** Drops these thoughts, and the ids of all other items: an id is refused without its thought. */
const withoutThoughts = (
  input: RuleInput,
  isMeant: (placed: PlacedItem) => boolean = ({ type }) => type === "reasoning",
): JsonObject =>
  mapItems(input, (placed) => {
    if (isMeant(placed)) return undefined;
    const keepsId = placed.type === "reasoning" || placed.type === "item_reference";
    return keepsId ? placed.item : without(placed.item, "id");
  });

/** After one refusal no thought of the request is sent again, and no id that depends on one. */
const dropsThoughts = {
  refusesSeals: true,
  repairSummary:
    "Leave the thoughts out, and the ids that depend on them. They stay in the history.",
} as const;

/** Leaves out a field that no item of this type has. The trap: `content` of a message holds what was said, so it goes from thoughts only. */
function withoutField(input: RuleInput, [, at, field = ""]: RegExpExecArray): JsonObject {
  const type = itemsOf(input)[Number(at)]?.type;
  const isSaid = type !== "reasoning" && isSpoken(field);
  return mapItems(input, (placed) =>
    isSaid || placed.type !== (type ?? placed.type) ? placed.item : without(placed.item, field),
  );
}

/** Reasoning items with what belongs to them. */
export const historyRules: RuleTable = {
  "openai/reasoning-follower": cheap({
    summary: "A reasoning item is directly followed by the item that it led to.",
    ...dropsThoughts,
    repairSummary: "Leave the reasoning item out.",
    refusal: /was provided without its required following item/,
    find: findLone,
    repair: (input, refused) => {
      const lone = new Set(loneThoughts(input).map(({ at }) => at));
      return refused
        ? withoutThoughts(input)
        : mapItems(input, ({ item, at }) => (lone.has(at) ? undefined : item));
    },
  }),
  "openai/reasoning-of-item": cheap({
    summary: "An item that was made with a thought keeps its id only if the thought is there, too.",
    severity: "warning",
    ...dropsThoughts,
    repairSummary: "Leave the id out.",
    refusal: /was provided without its required 'reasoning' item/,
    find: findOrphans,
    repair: (input, refused) => {
      const lone = new Set(orphans(input).map(({ at }) => at));
      return refused
        ? withoutThoughts(input)
        : mapItems(input, ({ item, at }) => (lone.has(at) ? without(item, "id") : item));
    },
  }),
  "openai/encrypted-content": {
    summary:
      "Encrypted content opens only where it was made: same backend, organisation and model.",
    ...dropsThoughts,
    refusal:
      /[Ee]ncrypted content .*could not be verified|encrypted reasoning was created for a different/,
    find: findSeals,
    repair: (input) => withoutThoughts(input),
  },
  "openai/stored-item": cheap({
    summary:
      "Without storage, a thought needs its encrypted content, and items can't be referred to.",
    ...dropsThoughts,
    repairSummary: "Leave the item out, and the ids that depend on it.",
    refusal: /Item with id '[^']+' not found\. Items are not persisted/,
    find: findUnstored,
    repair: (input, refused) =>
      refused
        ? withoutThoughts(input)
        : withoutThoughts(input, (placed) => isUnstored(placed, input.body)),
  }),
  "openai/item-not-found": {
    summary: "An item named by its id is still in the store. Only the service can tell.",
    ...dropsThoughts,
    refusal: /Item with id '[^']+' not found/,
    repair: (input) => withoutThoughts(input),
  },
  "openai/item-id": cheap({
    summary:
      "Item ids start with the prefix of their type, have at most 64 plain characters, and appear once.",
    repairSummary: "Leave the ids out.",
    refusal: /Invalid 'input\[\d+\]\.id'|Duplicate item found with id/,
    find: findIds,
    repair: (input, refused) =>
      refused
        ? withoutThoughts(input)
        : mapItems(input, (placed) =>
            isAnswer(placed) ? without(placed.item, "id") : placed.item,
          ),
  }),
  "openai/call-id-length": cheap({
    summary: "A call id has at most 64 characters.",
    repairSummary: "Shorten the id, the same way on the call and on its output.",
    find: findCallIds,
    repair: (input) =>
      mapItems(input, ({ item }) => {
        const id = asText(item["call_id"]);
        return id.length > longest ? { ...item, call_id: fitId(id, longest) } : item;
      }),
  }),
  "openai/call-name": cheap({
    summary: "Names of calls have at most 64 letters, digits, dashes and underscores.",
    repairSummary: "Replace other characters of the name by underscores.",
    refusal: /Invalid 'input\[\d+\]\.name'/,
    find: (input) =>
      itemsOf(input).map(
        (placed) => isNamedCall(placed) && badName(`${placed.path}.name`, nameOf(placed)),
      ),
    repair: (input) =>
      mapItems(input, (placed) =>
        isNamedCall(placed) ? { ...placed.item, name: fitCallName(nameOf(placed)) } : placed.item,
      ),
  }),
  "openai/configuration-update": cheap({
    summary:
      "Only GPT-6 and later take a change of effort inside the conversation, and never two at once.",
    repairSummary: "Leave the updates out, and set the last effort at the top.",
    refusal: /'configuration_update' item type is not supported/,
    find: findUpdates,
    repair: withoutUpdates,
  }),
  "openai/item-field-unknown": {
    summary: "Items have only the fields of their type. Only the service can tell.",
    repairSummary: "Leave the unknown field out of the items.",
    refusal: /Unknown parameter: 'input\[(\d+)\]\.((?!status)\w+)'/,
    repair: (input, refused) => withoutField(input, refused!),
  },
};

import type { JsonObject } from "../../../types/json.ts";
import type { Rule, RuleInput } from "../../../types/rule.ts";
import { asText } from "../parts.ts";
import {
  continuesStored,
  type Hit,
  itemsIn,
  itemsOf,
  makeRule,
  type PlacedItem,
  withItems,
} from "./make-rule.ts";

const outputOf = new Map([
  ["function_call", "function_call_output"],
  ["custom_tool_call", "custom_tool_call_output"],
]);
const callIdOf = ({ item }: PlacedItem): string => asText(item["call_id"]) ?? "";
const isCall = ({ type }: PlacedItem): boolean => outputOf.has(type);
const isOutput = ({ type }: PlacedItem): boolean =>
  type === "function_call_output" || type === "custom_tool_call_output";

/** The call ids of the items that are meant, without lists in between. */
function idsOf(
  items: readonly PlacedItem[],
  isMeant: (placed: PlacedItem) => boolean,
): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const placed of items) if (isMeant(placed)) ids.add(callIdOf(placed));
  return ids;
}

/** A program's calls are answered by the service itself. */
const isClients = ({ item }: PlacedItem): boolean => item["caller"] === undefined;

function findUnanswered(input: RuleInput): readonly Hit[] {
  const items = itemsIn(input);
  if (!items.some(isCall)) return [];
  const answered = idsOf(items, isOutput);
  return items
    .filter((placed) => isCall(placed) && isClients(placed) && !answered.has(callIdOf(placed)))
    .map((placed) => ({
      path: `input[${placed.at}]`,
      message: `No tool output found for function call ${callIdOf(placed)}.`,
      param: "input",
    }));
}

function findUncalled(input: RuleInput): readonly Hit[] {
  if (continuesStored(input.body)) return [];
  const items = itemsIn(input);
  if (!items.some(isOutput)) return [];
  const called = idsOf(items, isCall);
  const hasReference = items.some(({ type }) => type === "item_reference");
  return items
    .filter((placed) => isOutput(placed) && !hasReference && !called.has(callIdOf(placed)))
    .map((placed) => ({
      path: `input[${placed.at}]`,
      message: `No tool call found for function call output with call_id ${callIdOf(placed)}.`,
      param: "input",
    }));
}

/** DeepSeek reads the items as chat messages: outputs stand directly behind the calls they answer. */
function findScattered(input: RuleInput): readonly Hit[] {
  if (!input.model.id.startsWith("deepseek")) return [];
  const hits: Hit[] = [];
  let open = new Map<string, number>();
  for (const placed of [...itemsIn(input), undefined]) {
    if (placed !== undefined && isCall(placed)) open.set(callIdOf(placed), placed.at);
    else if (placed !== undefined && isOutput(placed)) open.delete(callIdOf(placed));
    else {
      for (const [id, at] of open) {
        hits.push({
          path: `input[${at}]`,
          message: `No tool output found for tool call ${id}.`,
          code: "invalid_request_error",
          param: null,
        });
      }
      open = new Map();
    }
  }
  return hits;
}

const lostOutput = "The result of this call was lost.";

function withOutputs(body: JsonObject): JsonObject {
  const items = itemsOf(body);
  const answered = idsOf(items, isOutput);
  const input = items.flatMap((placed): readonly JsonObject[] => {
    const type = outputOf.get(placed.type);
    if (type === undefined || !isClients(placed) || answered.has(callIdOf(placed)))
      return [placed.item];
    return [placed.item, { type, call_id: callIdOf(placed), output: lostOutput }];
  });
  return { ...body, input };
}

/** Where nothing else would be left, the words of the outputs go as a person's: no input is refused too. */
function withoutUncalled(body: JsonObject): JsonObject {
  const items = itemsOf(body);
  const called = idsOf(items, isCall);
  const isUncalled = (placed: PlacedItem): boolean =>
    isOutput(placed) && !called.has(callIdOf(placed));
  return withItems(body, (placed) =>
    isUncalled(placed)
      ? items.every(isUncalled)
        ? { role: "user", content: placed.item["output"] ?? "" }
        : undefined
      : placed.item,
  );
}

/** Each output directly behind its call; what stood between moves behind the outputs. */
function withGatheredOutputs(body: JsonObject): JsonObject {
  const items = itemsOf(body);
  const outputs = new Map(items.filter(isOutput).map((placed) => [callIdOf(placed), placed.item]));
  const input = items.flatMap((placed): readonly JsonObject[] => {
    if (isOutput(placed)) return [];
    const output = isCall(placed) ? outputs.get(callIdOf(placed)) : undefined;
    return output === undefined ? [placed.item] : [placed.item, output];
  });
  return { ...body, input };
}

export const pairingRules = (): readonly Rule[] => [
  makeRule({
    id: "openai/call-answered",
    summary: "Every call has an output with its call id.",
    repairSummary: "Answers the call with a note that its result was lost.",
    everywhere: true,
    find: findUnanswered,
    repair: withOutputs,
    preflight: true,
  }),
  makeRule({
    id: "openai/output-called",
    summary: "Every output has a call with its call id.",
    repairSummary:
      "Leaves the output out, or sends it as the user's words where it is all there is.",
    everywhere: true,
    find: findUncalled,
    repair: withoutUncalled,
    preflight: true,
  }),
  makeRule({
    id: "deepseek/output-directly-after-call",
    summary: "DeepSeek wants the outputs directly behind the calls they answer.",
    repairSummary: "Moves every output behind its call.",
    everywhere: true,
    find: findScattered,
    repair: withGatheredOutputs,
    preflight: true,
  }),
];

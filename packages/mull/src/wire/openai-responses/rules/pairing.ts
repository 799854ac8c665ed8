import type { JsonObject } from "../../../types/json.ts";
import type { RuleInput } from "../../../types/rule.ts";
import { quoteContent } from "../../common/quoted-result.ts";
import { asText } from "../../common/json-reading.ts";
import {
  cheap,
  type RuleFault,
  type RuleFound,
  type RuleTable,
} from "../../common/rules/define-rule.ts";
import { everywhere, itemsOf, mapItems, continuesStored, type PlacedItem } from "./view.ts";

const outputOf = new Map([
  ["function_call", "function_call_output"],
  ["custom_tool_call", "custom_tool_call_output"],
]);
const callIdOf = ({ item }: PlacedItem): string => asText(item["call_id"]);
const isCall = ({ type }: PlacedItem): boolean => outputOf.has(type);
/** A search for tools that the client runs is answered by a `function_call_output` as well. */
const isAnswerable = (placed: PlacedItem): boolean =>
  isCall(placed) || placed.type === "tool_search_call";
const isOutput = ({ type }: PlacedItem): boolean =>
  type === "function_call_output" || type === "custom_tool_call_output";

const idsOf = (
  items: readonly PlacedItem[],
  isMeant: (placed: PlacedItem) => boolean,
): ReadonlySet<string> => new Set(items.filter(isMeant).map(callIdOf));

/** Whether the client answers the call. Calls of a program are answered by the service itself. */
const isClients = ({ item }: PlacedItem): boolean => item["caller"] === undefined;

function findUnanswered(input: RuleInput): RuleFound {
  const items = itemsOf(input);
  if (!items.some(isCall)) return [];
  const answered = idsOf(items, isOutput);
  return items
    .filter((placed) => isCall(placed) && isClients(placed) && !answered.has(callIdOf(placed)))
    .map((placed) => ({
      path: placed.path,
      message: `No tool output found for function call ${callIdOf(placed)}.`,
      param: "input",
    }));
}

function findUncalled(input: RuleInput): RuleFound {
  if (continuesStored(input.body)) return [];
  const items = itemsOf(input);
  if (!items.some(isOutput)) return [];
  const called = idsOf(items, isAnswerable);
  const hasReference = items.some(({ type }) => type === "item_reference");
  return items
    .filter((placed) => isOutput(placed) && !hasReference && !called.has(callIdOf(placed)))
    .map((placed) => ({
      path: placed.path,
      message: `No tool call found for function call output with call_id ${callIdOf(placed)}.`,
      param: "input",
    }));
}

/** DeepSeek reads the items as chat messages: outputs come directly after the calls they answer. */
function findScattered(input: RuleInput): RuleFound {
  if (!input.model.id.startsWith("deepseek")) return [];
  const hits: RuleFault[] = [];
  let open = new Map<string, number>();
  for (const placed of [...itemsOf(input), undefined]) {
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

function withOutputs(input: RuleInput): JsonObject {
  const answered = idsOf(itemsOf(input), isOutput);
  return mapItems(input, (placed) => {
    const type = outputOf.get(placed.type);
    if (type === undefined || !isClients(placed) || answered.has(callIdOf(placed)))
      return placed.item;
    return [placed.item, { type, call_id: callIdOf(placed), output: lostOutput }];
  });
}

/** Outputs whose call is missing become text of the user, so nothing that a tool returned is lost. */
function withQuotedOutputs(input: RuleInput): JsonObject {
  const called = idsOf(itemsOf(input), isAnswerable);
  return mapItems(input, (placed) =>
    isOutput(placed) && !called.has(callIdOf(placed)) ? quoted(placed) : placed.item,
  );
}

function quoted(placed: PlacedItem): JsonObject {
  const tool = { callId: callIdOf(placed) };
  const content = quoteContent(tool, placed.item["output"], "input_text", ({ type, text }) =>
    type === "input_text" || type === "output_text" ? asText(text) : undefined,
  );
  return { role: "user", content };
}

function withGatheredOutputs(input: RuleInput): JsonObject {
  const items = itemsOf(input);
  const called = idsOf(items, isCall);
  const isGathered = (placed: PlacedItem): boolean =>
    isOutput(placed) && called.has(callIdOf(placed));
  return mapItems(input, (placed) => {
    if (isGathered(placed)) return undefined;
    if (!isCall(placed)) return placed.item;
    const id = callIdOf(placed);
    const isFirst = items.find((each) => isCall(each) && callIdOf(each) === id)?.at === placed.at;
    const outputs = items.filter((each) => isFirst && isGathered(each) && callIdOf(each) === id);
    return [placed.item, ...outputs.map(({ item }) => item)];
  });
}

export const pairingRules: RuleTable = {
  "openai/call-answered": cheap({
    summary: "Every call has an output with its call id.",
    repairSummary: "Answer the call with a note that its result was lost.",
    when: everywhere,
    find: findUnanswered,
    repair: withOutputs,
  }),
  "openai/output-called": cheap({
    summary: "Every output has a call with its call id.",
    repairSummary: "Send the output as quoted text of the user.",
    when: everywhere,
    find: findUncalled,
    repair: withQuotedOutputs,
  }),
  "deepseek/output-directly-after-call": cheap({
    summary: "DeepSeek wants the outputs directly after the calls that they answer.",
    repairSummary: "Put every output directly after its call.",
    when: everywhere,
    find: findScattered,
    repair: withGatheredOutputs,
  }),
};

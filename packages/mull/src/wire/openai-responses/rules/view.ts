import type { JsonObject } from "../../../types/json.ts";
import type { RuleInput } from "../../../types/rule.ts";
import { asObject, asObjects, asText } from "../../common/json-reading.ts";
import { mapObjectsIn, viewOnce, withIn } from "../../common/rules/define-rule.ts";

/** Holds for every server of this wire. */
export const everywhere = (): boolean => true;

/** An item of `input` and where it stands in the body. */
export interface PlacedItem {
  readonly item: JsonObject;
  readonly at: number;
  readonly path: string;
  readonly type: string;
  readonly id: string | undefined;
}

export const itemsOf: (input: RuleInput) => readonly PlacedItem[] = viewOnce(({ input }) =>
  asObjects(input).map((item, at) => ({
    item,
    at,
    path: `input[${at}]`,
    type: asText(item["type"]) || "message",
    id: asText(item["id"]) || undefined,
  })),
);

/** The body with every item run through `change`; `undefined` drops it. */
export function mapItems(
  input: RuleInput,
  change: (placed: PlacedItem) => JsonObject | readonly JsonObject[] | undefined,
): JsonObject {
  const items = itemsOf(input);
  return { ...input.body, input: mapObjectsIn(input.body["input"], (_, at) => change(items[at]!)) };
}

export const reasoningOf = (body: JsonObject): JsonObject => asObject(body["reasoning"]);

export const withReasoning = (body: JsonObject, fields: JsonObject): JsonObject =>
  withIn(body, "reasoning", fields);

/** The request continues a conversation that the service stores, so earlier items cannot be checked here. */
export const continuesStored = (body: JsonObject): boolean =>
  body["previous_response_id"] != null || body["conversation"] != null;

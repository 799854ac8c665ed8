import type { JsonObject } from "../../../types/json.ts";
import { asObject } from "../../common/json-reading.ts";
import { withIn, type RuleTable } from "../../common/rules/define-rule.ts";
import { schemaDrafts } from "../../common/rules/openai-schemas.ts";
import { continuesStored } from "./view.ts";

const isFunction = ({ type }: JsonObject): boolean => type === "function";
const formatOf = (body: JsonObject): JsonObject => asObject(asObject(body["text"])["format"]);

export function schemaRules(): RuleTable {
  const schemas = schemaDrafts({
    functionOf: (tool) => (isFunction(tool) ? tool : {}),
    withFunction: (tool, changed) => (isFunction(tool) ? changed : tool),
    path: "parameters",
    formatOf,
    withFormat: (body, format) => withIn(body, "text", { format }),
    formatFault: { path: "text.format.schema", code: "invalid_json_schema" },
  });
  return {
    "openai/tool-schema": schemas.objects,
    "openai/schema-items": schemas.items,
    "openai/strict-schema": schemas.strict,
    "openai/json-word": {
      summary: "JSON mode needs the word JSON in a message.",
      says: "Response input messages must contain the word 'json' in some form to use 'text.format' of type 'json_object'.",
      find: ({ body }) =>
        formatOf(body)["type"] === "json_object" &&
        !/json/i.test(JSON.stringify([body["input"], body["instructions"]])) &&
        !continuesStored(body) &&
        "input",
    },
  };
}

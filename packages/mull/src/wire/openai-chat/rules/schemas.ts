import { asObject } from "../../common/json-reading.ts";
import { withIn, type RuleTable } from "../../common/rules/define-rule.ts";
import { schemaDrafts } from "../../common/rules/openai-schemas.ts";
import { openais } from "./view.ts";

export function schemaRules(): RuleTable {
  const schemas = schemaDrafts({
    functionOf: (tool) => asObject(tool["function"]),
    withFunction: (tool, changed) => withIn(tool, "function", changed),
    path: "function.parameters",
    formatOf: (body) => asObject(asObject(body["response_format"])["json_schema"]),
    withFormat: (body, changed) => withIn(body, "response_format", { json_schema: changed }),
    formatFault: { path: "response_format" },
  });
  return {
    "openai-chat/tool-schema": openais(schemas.objects),
    "openai-chat/schema-items": openais(schemas.items),
    "openai-chat/strict-schema": openais(schemas.strict),
  };
}

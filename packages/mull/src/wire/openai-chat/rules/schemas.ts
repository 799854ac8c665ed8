import { asObject } from "../../common/json-reading.ts";
import { withIn, type RuleTable } from "../../common/rules/define-rule.ts";
import { schemaRepairs } from "../../common/rules/openai-schemas.ts";
import { openais } from "./view.ts";

export function schemaRules(): RuleTable {
  const schemas = schemaRepairs({
    functionOf: (tool) => asObject(tool["function"]),
    withFunction: (tool, changed) => withIn(tool, "function", changed),
    path: "function.parameters",
    formatOf: (body) => asObject(asObject(body["response_format"])["json_schema"]),
    withFormat: (body, changed) => withIn(body, "response_format", { json_schema: changed }),
    formatFault: { path: "response_format" },
  });
  return {
    "openai-chat/tool-schema": openais({
      summary: "The arguments of a function are an object whose properties are named.",
      fix: 'Give `parameters` the type "object" and `properties`, or leave `parameters` out.',
      repairSummary: "Add empty `properties` to an object without them.",
      ...schemas.objects,
    }),
    "openai-chat/strict-schema": openais({
      summary: "Strict schemas hold no `oneOf`, close every object and require every property.",
      fix: "Set `additionalProperties` to false, require every property and use `anyOf`; or leave `strict` out.",
      repairSummary: "Set `strict` to false.",
      ...schemas.strict,
    }),
  };
}

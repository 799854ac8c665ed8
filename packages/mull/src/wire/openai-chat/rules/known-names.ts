import type { Rule, RuleInput } from "../../../types/rule.ts";
import {
  bracketPath,
  findStrays,
  readNames,
  withoutStrays,
  type Stray,
} from "../../common/known-names.ts";
import { viewOnce } from "../../common/rule-view.ts";
import { defineRule, listValues, type Violation } from "./define.ts";

/**
 * What a request may name: the parameter types of OpenAI's SDK, everything seen accepted, and what the SDK's
 * own streams add to an answer (`parsed`, `parsed_arguments`) and hand back with it.
 */
const namesText = `body messages:message model audio frequency_penalty function_call functions logit_bias logprobs max_completion_tokens max_tokens metadata modalities moderation n parallel_tool_calls prediction presence_penalty prompt_cache_key prompt_cache_options:cache prompt_cache_retention reasoning_effort response_format:format safety_identifier seed service_tier stop store stream stream_options:stream temperature tool_choice tools:tool top_logprobs top_p user verbosity web_search_options
message role content:part name tool_calls:call tool_call_id audio refusal function_call annotations parsed
part text refusal type image_url:image input_audio:audio file:file prompt_cache_breakpoint
image url detail
audio data format
file file_data file_id filename
call/function id function:called
call/custom id custom:input
called arguments name parsed_arguments
input input name
tool/function function:definition
tool/custom custom:custom
definition name description parameters strict
custom name description format
format type json_schema:schema
schema name description schema strict
cache mode ttl
stream include_obfuscation include_usage`;

/** Azure and the servers like it have fields of their own. */
const judged: ReadonlySet<string> = new Set(["openai", "openai-chat"]);

const isAtTop = ({ path }: Stray): boolean => path.length === 0;

function violationOf({ path, field, tag = "", tags }: Stray): Violation {
  const place = bracketPath(path);
  if (field === undefined) {
    const message = `Invalid value: '${tag}'. Supported values are: ${listValues(tags)}.`;
    return { path: `${place}.type`, message, code: "invalid_value" };
  }
  const at = `${place}.${field}`;
  return { path: at, message: `Unknown parameter: '${at}'.`, code: "unknown_parameter" };
}

/** All of them at once, as the service names them. */
function violationsAtTop(strays: readonly Stray[]): readonly Violation[] {
  const fields = strays.map(({ field }) => field);
  const [first] = fields;
  if (first === undefined) return [];
  const words = fields.length > 1 ? "arguments" : "argument";
  const message = `Unrecognized request ${words} supplied: ${fields.join(", ")}`;
  return [{ path: first, param: null, message }];
}

export function nameRules(): readonly Rule[] {
  const names = readNames(namesText);
  const allStrays = viewOnce((body) => findStrays(names, body));
  const straysIn = (input: RuleInput): readonly Stray[] =>
    judged.has(input.model.provider) ? allStrays(input) : [];
  const fieldsAtTop = (input: RuleInput): readonly Stray[] => straysIn(input).filter(isAtTop);
  const fieldsBelow = (input: RuleInput): readonly Stray[] =>
    straysIn(input).filter((stray) => stray.field !== undefined && !isAtTop(stray));
  return [
    defineRule({
      id: "openai-chat/foreign-field",
      summary: "OpenAI takes no fields of other APIs, and none it does not know.",
      fix: "Leave the field out.",
      repairSummary: "The fields are left out.",
      isSlow: true,
      find: (input) => violationsAtTop(fieldsAtTop(input)),
      repair: (input) => withoutStrays(input.body, fieldsAtTop(input)),
    }),
    defineRule({
      id: "openai-chat/unknown-type",
      summary: "Tools and calls are functions or custom tools on OpenAI.",
      fix: "Use one of the types listed.",
      isSlow: true,
      find: (input) =>
        straysIn(input)
          .filter(({ field }) => field === undefined)
          .map(violationOf),
    }),
    defineRule({
      id: "openai-chat/unknown-name",
      summary: "Messages, content parts, calls and tools have no field that OpenAI does not know.",
      fix: "Leave the field out.",
      repairSummary: "The fields are left out.",
      isSlow: true,
      find: (input) => fieldsBelow(input).map(violationOf),
      repair: (input) => withoutStrays(input.body, fieldsBelow(input)),
    }),
  ];
}

import { type RuleFault, type RuleTable } from "../../common/rules/define-rule.ts";
import {
  bracketPath,
  leavingOut,
  makeNameFinder,
  type Stray,
} from "../../common/rules/known-names.ts";
import { invalidValue, unknownParameter } from "../../common/rules/openai-words.ts";

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

const faultOf = ({ path, field, tag, tags }: Stray): RuleFault =>
  field === undefined
    ? invalidValue(`${bracketPath(path)}.type`, tag, tags)
    : unknownParameter(`${bracketPath(path)}.${field}`);

export function nameRules(): RuleTable {
  const names = makeNameFinder(namesText, {}, ({ model }) => judged.has(model.provider));
  return {
    "openai-chat/foreign-field": {
      summary: "OpenAI takes only fields that it knows, and none of other APIs.",
      repairSummary: "Leave the fields out.",
      ...leavingOut(names.fieldsAtTop, faultOf),
      // All of them at once, as the service names them.
      find: (input) => {
        const [first, ...more] = names.fieldsAtTop(input).map(({ field = "" }) => field);
        const words = more.length > 0 ? "arguments" : "argument";
        const message = `Unrecognized request ${words} supplied: ${[first, ...more].join(", ")}`;
        return first !== undefined && { path: first, param: null, message };
      },
    },
    "openai-chat/unknown-type": {
      summary: "Tools and calls are functions or custom tools on OpenAI.",
      fix: "Use one of the types listed.",
      find: (input) => names.types(input).map(faultOf),
    },
    "openai-chat/unknown-name": {
      summary: "Messages, content parts, calls and tools have only fields that OpenAI knows.",
      repairSummary: "Leave the fields out.",
      ...leavingOut(names.fieldsBelow, faultOf),
    },
  };
}

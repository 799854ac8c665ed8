import type { JsonObject } from "../../../types/json.ts";
import type { RuleInput } from "../../../types/rule.ts";
import {
  bracketPath,
  leavingOut,
  makeNameFinder,
  type Stray,
} from "../../common/rules/known-names.ts";
import { invalidValue, unknownParameter } from "../../common/rules/openai-words.ts";
import { chatTypes, isForeign } from "./structure.ts";
import { type RuleFault, type RuleTable } from "../../common/rules/define-rule.ts";

/** What every item may have: `agent` comes with a beta, the long one from Codex. */
const any = "id agent internal_chat_message_metadata_passthrough";
const call = `${any} call_id status caller`;

/**
 * What a request may name: the parameter types of OpenAI's SDK, everything seen accepted, and what the SDK's
 * own streams add to an answer (`parsed`, `parsed_arguments`) and hand back with it.
 */
const namesText = `body access_programs background client_metadata context_management:management conversation image include input:item instructions max_output_tokens max_tool_calls metadata model moderation multi_agent parallel_tool_calls previous_response_id prompt prompt_cache_key prompt_cache_options:cache prompt_cache_retention reasoning:reasoning safety_identifier service_tier store stream stream_options:stream temperature text:text tool_choice tools:tool top_logprobs top_p truncation user
reasoning context effort generate_summary mode summary
text format:format verbosity
format/text,json_object
format/json_schema name schema description strict
cache comparison_response_id mode prewarm ttl
stream include_obfuscation
management type compact_threshold
item/message ${any} role content:part status phase
item/reasoning ${any} summary:thought content:thought encrypted_content status
item/function_call ${call} arguments name async namespace parsed_arguments
item/function_call_output ${call} output:part name namespace
item/custom_tool_call ${call} input name async namespace
item/custom_tool_call_output ${call} output:part name namespace
item/tool_search_call ${call} arguments execution
item/tool_search_output ${call} tools:tool execution
item/additional_tools ${any} role tools:tool
item/configuration_update ${any} reasoning:update text
item/compaction ${any} encrypted_content created_by
item/compaction_trigger ${any}
item/item_reference ${any}
item/agent_message,multi_agent_call,multi_agent_call_output ${call} action arguments author content encrypted_content input message name output recipient role
item/program ${call} code fingerprint
item/program_output ${call} result
item/file_search_call ${any} queries status results
item/web_search_call ${any} action status
item/computer_call ${call} pending_safety_checks action actions
item/computer_call_output ${call} output acknowledged_safety_checks
item/image_generation_call ${any} result status action background error output_format quality revised_prompt size svg_usage
item/code_interpreter_call ${any} code container_id outputs status
item/local_shell_call ${call} action
item/local_shell_call_output ${call} output
item/shell_call ${call} action environment
item/shell_call_output ${call} output max_output_length
item/apply_patch_call ${call} operation
item/apply_patch_call_output ${call} output
item/mcp_list_tools ${any} server_label tools error
item/mcp_approval_request ${any} arguments name server_label
item/mcp_approval_response ${any} approval_request_id approve reason
item/mcp_call ${any} arguments name server_label approval_request_id error output status
update effort
thought/summary_text,reasoning_text text
part/input_text text prompt_cache_breakpoint
part/input_image detail file_id image_url prompt_cache_breakpoint
part/input_file detail file_data file_id file_url filename prompt_cache_breakpoint
part/output_text text annotations logprobs parsed
part/refusal refusal
part/summary_text text
part/computer_screenshot file_id image_url
part/encrypted_content encrypted_content
tool/function name description parameters strict allowed_callers async defer_loading output_schema
tool/custom name description format allowed_callers async defer_loading
tool/namespace name description tools:tool
tool/web_search,web_search_2025_08_26,web_search_preview,web_search_preview_2025_03_11 external_web_access filters search_content_types search_context_size user_location
tool/file_search vector_store_ids filters max_num_results ranking_options
tool/tool_search description execution parameters
tool/mcp server_label allowed_callers allowed_tools authorization connector_id defer_loading headers require_approval server_description server_url tunnel_id
tool/code_interpreter container allowed_callers
tool/image_generation action background complexity frame_count frame_duration_ms input_fidelity input_image_mask model moderation output_compression output_format partial_images quality size svg
tool/computer_use_preview display_height display_width environment
tool/shell allowed_callers environment
tool/apply_patch allowed_callers
tool/computer,programmatic_tool_calling,local_shell`;

/** A message may go without its type; anything else without one is not an item. */
const tagOf = ({ type, role }: JsonObject, union: string): string => {
  if (typeof type === "string") return type;
  return union === "item" && type === undefined && role !== undefined ? "message" : "";
};

const isSaidElsewhere = ({ path, field, tag = "" }: Stray): boolean =>
  field === undefined ? chatTypes.has(tag) : path.length === 0 && isForeign(field);

function faultOf({ path, field, tag, tags }: Stray): RuleFault {
  const place = bracketPath(path);
  if (field === undefined) return { ...invalidValue(`${place}.type`, tag, tags), param: place };
  return unknownParameter(place === "" ? field : `${place}.${field}`);
}

export function nameRules(): RuleTable {
  const names = makeNameFinder(namesText, { tagOf });
  const fieldsIn = (input: RuleInput): readonly Stray[] =>
    names.fields(input).filter((stray) => !isSaidElsewhere(stray));
  return {
    "openai/unknown-type": {
      summary: "Items, content parts and tools have a type that the Responses API knows.",
      find: (input) =>
        names
          .types(input)
          .filter((stray) => !isSaidElsewhere(stray))
          .map(faultOf),
    },
    "openai/unknown-name": {
      summary: "The body, items, content parts and tools have only fields that the service knows.",
      repairSummary: "Leave the unknown fields out.",
      ...leavingOut(fieldsIn, faultOf),
    },
  };
}

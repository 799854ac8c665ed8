import type { JsonObject } from "../../../types/json.ts";
import type { RuleInput } from "../../../types/rule.ts";
import {
  leavingOut,
  makeNameFinder,
  type PathStep,
  type Stray,
} from "../../common/rules/known-names.ts";
import { hasUnknownBeta } from "./betas.ts";
import { cheap, type RuleFault, type RuleTable } from "../../common/rules/define-rule.ts";
import { betasOf } from "./view.ts";

/** Every field a request may have, betas included. */
const bodyFields =
  "model max_tokens messages:message system:system tools:tool tool_choice:choice thinking output_config:output temperature top_p top_k stop_sequences stream metadata:metadata service_tier compaction container context_management:management mcp_servers:server output_format speed fallbacks fallback_credit_token inference_geo cache_control:cache diagnostics:diagnostics billing_policy:billing thread anthropic_version anthropic_beta";

const cached = "cache_control:cache";
const onTool = `allowed_callers ${cached} defer_loading strict`;
const result = `tool_use_id content ${cached}`;

/** The names a request may have: the parameter types of Anthropic's SDK, and what the service was seen to accept. */
const namesText = `body ${bodyFields}
message role content:block output_config clear_at
system/text text ${cached} citations
block/text text ${cached} citations
block/image source:source ${cached} transformations
block/document source:source ${cached} citations context title
block/search_result content:system source title ${cached} citations
block/thinking thinking signature cache_control
block/redacted_thinking data cache_control
block/tool_use id input name ${cached} caller toolset_name
block/tool_result tool_use_id content:inner ${cached} is_error toolset_name
block/server_tool_use id input name ${cached} caller
block/web_search_tool_result,web_fetch_tool_result ${result} caller
block/advisor_tool_result,code_execution_tool_result,bash_code_execution_tool_result,text_editor_code_execution_tool_result,tool_search_tool_result ${result}
block/mcp_tool_use id input name server_name ${cached}
block/mcp_tool_result ${result} is_error
block/container_upload file_id ${cached}
block/compaction ${cached} content encrypted_content signature tool_changes
block/tool_addition,tool_removal tool ${cached}
block/mcp_tool_listing mcp_server_name tools
block/fallback from to trigger
inner/text text ${cached} citations
inner/image source:source ${cached} transformations
inner/search_result content:system source title ${cached} citations
inner/document source:source ${cached} citations context title
inner/tool_reference tool_name ${cached}
inner/browser_state tabs ${cached} state_changes
source/base64,text data media_type
source/url url
source/file file_id
source/content content
cache/ephemeral ttl
tool/custom name description input_schema eager_input_streaming input_examples ${onTool}
tool/bash_20241022,bash_20250124,memory_20250818,text_editor_20241022,text_editor_20250124,text_editor_20250429 name input_examples ${onTool}
tool/text_editor_20250728 name input_examples max_characters ${onTool}
tool/code_execution_20250522,code_execution_20250825,code_execution_20260120,code_execution_20260521 name ${onTool}
tool/tool_search_tool_bm25_20251119,tool_search_tool_bm25,tool_search_tool_regex_20251119,tool_search_tool_regex name ${onTool}
tool/computer_20241022,computer_20250124 name display_height_px display_width_px display_number input_examples ${onTool}
tool/computer_20251124 name display_height_px display_width_px display_number enable_zoom input_examples ${onTool}
tool/browser_toolset_20260801,computer_toolset_20260801 configs ${cached}
tool/web_search_20250305,web_search_20260209 name allowed_domains blocked_domains max_uses user_location ${onTool}
tool/web_search_20260318 name allowed_domains blocked_domains max_uses user_location response_inclusion ${onTool}
tool/web_fetch_20250910,web_fetch_20260209 name allowed_domains blocked_domains citations max_content_tokens max_uses url_sources ${onTool}
tool/web_fetch_20260309 name allowed_domains blocked_domains citations max_content_tokens max_uses url_sources use_cache ${onTool}
tool/web_fetch_20260318 name allowed_domains blocked_domains citations max_content_tokens max_uses url_sources use_cache response_inclusion ${onTool}
tool/advisor_20260301 name model caching max_tokens max_uses ${onTool}
tool/mcp_toolset mcp_server_name configs default_config tools ${cached}
choice/auto,any disable_parallel_tool_use
choice/tool name disable_parallel_tool_use
choice/none
output effort format task_budget
metadata user_id
management edits:edit
edit/clear_tool_uses_20250919 clear_at_least clear_tool_inputs exclude_tools keep trigger
edit/clear_thinking_20251015 keep
edit/compact_20260112 instructions pause_after_compaction trigger
server/url name url authorization_token tool_configuration
diagnostics previous_message_id
billing/billing_policy bill_to`;

const tagOf = ({ type }: JsonObject, union: string): string =>
  typeof type === "string" ? type : union === "tool" ? "custom" : "";

/** Other hosts of this wire have fields of their own, and so may betas that are not listed. */
const isJudged = (input: RuleInput): boolean =>
  input.model.provider === "anthropic" && !hasUnknownBeta(betasOf(input));

/** `messages.0.content.1.text`: the service names the variant too. */
const dotted = (path: readonly PathStep[]): string =>
  path.map((step) => String(Object.values(step)[0])).join(".");

function faultOf({ path, field, tag, tags }: Stray): RuleFault {
  const place = dotted(path);
  if (field !== undefined) {
    const at = place === "" ? field : `${place}.${field}`;
    return { path: at, message: `${at}: Extra inputs are not permitted` };
  }
  if (tag === "") return { path: place, message: `${place}.type: Field required` };
  const list = tags.map((each) => `'${each}'`).join(", ");
  const message = `${place}: Input tag '${tag}' found using 'type' does not match any of the expected tags: ${list}`;
  return { path: place, message };
}

export function nameRules(): RuleTable {
  const names = makeNameFinder(namesText, { tagOf }, isJudged);
  return {
    "anthropic/unknown-field": cheap({
      summary: "The body has only fields that the service knows.",
      repairSummary: "Remove the unknown fields.",
      ...leavingOut(names.fieldsAtTop, faultOf),
    }),
    "anthropic/unknown-type": {
      summary: "Blocks, tools and sources have a type that the Messages API knows.",
      fix: "Write it as one of the types listed.",
      find: (input) => names.types(input).map(faultOf),
    },
    "anthropic/unknown-name": {
      summary: "Messages, blocks, tools and settings have only fields that the service knows.",
      repairSummary: "Remove the unknown fields.",
      ...leavingOut(names.fieldsBelow, faultOf),
    },
  };
}

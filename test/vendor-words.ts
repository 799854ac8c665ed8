import { BlockedReason, FinishReason as GoogleFinishReason } from "@google/genai";
import { providers, type FinishReason } from "mull";

import { fieldsOf, membersOf, readVendorTypes, type VendorTypes } from "./vendor-types.ts";

/** What a part of an answer becomes. */
export type PartKind = "text" | "thinking" | "tool-call" | "opaque";

/** What becomes of an event: read, left to a later event that says it all, or a beat and nothing more. */
export type EventUse = "read" | "said again" | "progress";

const words = <T>(meaning: T, text: string): readonly (readonly [string, T])[] =>
  text.split(/\s+/).map((word) => [word, meaning]);

const stop = (meaning: FinishReason, text: string): readonly (readonly [string, FinishReason])[] =>
  words(meaning, text);
const part = (meaning: PartKind, text: string): readonly (readonly [string, PartKind])[] =>
  words(meaning, text);
const use = (meaning: EventUse, text: string): readonly (readonly [string, EventUse])[] =>
  words(meaning, text);

/** Every kind of block, reason and event that the SDKs know, and what becomes of it. */
export const known = {
  anthropicBlocks: new Map([
    ...part("text", "text"),
    ...part("thinking", "thinking redacted_thinking"),
    ...part("tool-call", "tool_use"),
    ...part(
      "opaque",
      "server_tool_use web_search_tool_result web_fetch_tool_result tool_search_tool_result code_execution_tool_result bash_code_execution_tool_result text_editor_code_execution_tool_result advisor_tool_result container_upload compaction fallback mcp_tool_listing mcp_tool_use mcp_tool_result",
    ),
  ]),
  anthropicStops: new Map([
    ...stop("stop", "end_turn stop_sequence"),
    ...stop("tool-calls", "tool_use"),
    ...stop("length", "max_tokens model_context_window_exceeded"),
    ...stop("pause", "pause_turn compaction"),
    ...stop("refusal", "refusal"),
  ]),
  anthropicEvents: new Map(
    use(
      "read",
      "message_start content_block_start content_block_delta content_block_stop message_delta message_stop",
    ),
  ),
  anthropicDeltas: new Map(
    use(
      "read",
      "text_delta thinking_delta signature_delta input_json_delta citations_delta compaction_delta",
    ),
  ),
  responsesItems: new Map([
    ...part("text", "message"),
    ...part("thinking", "reasoning"),
    ...part("tool-call", "function_call custom_tool_call"),
    ...part(
      "opaque",
      "function_call_output custom_tool_call_output tool_search_call tool_search_output additional_tools compaction program program_output file_search_call web_search_call computer_call computer_call_output image_generation_call code_interpreter_call local_shell_call local_shell_call_output shell_call shell_call_output apply_patch_call apply_patch_call_output mcp_list_tools mcp_approval_request mcp_approval_response mcp_call agent_message multi_agent_call multi_agent_call_output",
    ),
  ]),
  responsesStops: new Map([
    ...stop("length", "max_output_tokens max_messages"),
    ...stop("content-filter", "content_filter"),
    ...stop("pause", "steered"),
  ]),
  responsesEvents: new Map([
    ...use(
      "read",
      "error response.created response.in_progress response.queued response.completed response.incomplete response.failed response.output_item.added response.output_item.done response.content_part.added response.output_text.delta response.refusal.delta response.reasoning_summary_text.delta response.reasoning_text.delta response.function_call_arguments.delta response.custom_tool_call_input.delta",
    ),
    ...use(
      "said again",
      "response.content_part.done response.output_text.done response.output_text.annotation.added response.refusal.done response.reasoning_summary_part.added response.reasoning_summary_part.done response.reasoning_summary_text.done response.reasoning_text.done response.function_call_arguments.done response.custom_tool_call_input.done response.code_interpreter_call_code.delta response.code_interpreter_call_code.done response.mcp_call_arguments.delta response.mcp_call_arguments.done response.shell_call_command.added response.shell_call_command.delta response.shell_call_command.done response.shell_call_output_content.delta response.shell_call_output_content.done response.image_generation_call.partial_image response.audio.delta response.audio.done response.audio.transcript.delta response.audio.transcript.done",
    ),
    ...use(
      "progress",
      "response.compaction.compacting response.code_interpreter_call.in_progress response.code_interpreter_call.interpreting response.code_interpreter_call.completed response.file_search_call.in_progress response.file_search_call.searching response.file_search_call.completed response.image_generation_call.in_progress response.image_generation_call.generating response.image_generation_call.completed response.mcp_call.in_progress response.mcp_call.completed response.mcp_call.failed response.mcp_list_tools.in_progress response.mcp_list_tools.completed response.mcp_list_tools.failed response.web_search_call.in_progress response.web_search_call.searching response.web_search_call.completed",
    ),
  ]),
  chatStops: new Map([
    ...stop("stop", "stop"),
    ...stop("length", "length"),
    ...stop("tool-calls", "tool_calls function_call"),
    ...stop("content-filter", "content_filter"),
  ]),
  googleStops: new Map([
    ...stop("stop", "FINISH_REASON_UNSPECIFIED STOP OTHER"),
    ...stop("length", "MAX_TOKENS CONTINUATION"),
    ...stop(
      "content-filter",
      "SAFETY RECITATION LANGUAGE BLOCKLIST PROHIBITED_CONTENT SPII IMAGE_SAFETY IMAGE_PROHIBITED_CONTENT IMAGE_RECITATION",
    ),
    ...stop(
      "error",
      "MALFORMED_FUNCTION_CALL UNEXPECTED_TOOL_CALL TOO_MANY_TOOL_CALLS MISSING_THOUGHT_SIGNATURE MALFORMED_RESPONSE NO_IMAGE IMAGE_OTHER",
    ),
  ]),
  googleBlocks: new Map(
    stop(
      "content-filter",
      "SAFETY OTHER BLOCKLIST PROHIBITED_CONTENT IMAGE_SAFETY MODEL_ARMOR JAILBREAK",
    ),
  ),
} as const;

type WordKind = keyof typeof known;

/** The words of the `type` fields of a union's members. */
const tagsOf = (types: VendorTypes, ...names: readonly string[]): readonly string[] =>
  names.flatMap((name) =>
    membersOf(types, name, "").interfaces.flatMap(
      (each) => membersOf(types, fieldsOf(types, each).get("type") ?? "", each).words,
    ),
  );

const wordsOf = (types: VendorTypes, name: string, field: string): readonly string[] =>
  membersOf(types, fieldsOf(types, name).get(field) ?? "", name).words;

/** The same words, as the installed SDKs have them. */
export function sdkWords(): Readonly<Record<WordKind, ReadonlySet<string>>> {
  const shared = "resources/shared.d.ts";
  const ga = readVendorTypes("@anthropic-ai/sdk", "resources/messages/messages.d.ts");
  const beta = readVendorTypes("@anthropic-ai/sdk", "resources/beta/messages/messages.d.ts");
  const responses = readVendorTypes("openai", "resources/responses/responses.d.ts", shared);
  const later = readVendorTypes("openai", "resources/beta/responses/responses.d.ts", shared);
  const chat = readVendorTypes("openai", "resources/chat/completions/completions.d.ts", shared);
  const anthropic = (name: string): ReadonlySet<string> =>
    new Set([...tagsOf(ga, name), ...tagsOf(beta, name.replace(/^(Raw)?/, "Beta$1"))]);
  const openai = (name: string): ReadonlySet<string> =>
    new Set([...tagsOf(responses, name), ...tagsOf(later, `Beta${name}`)]);
  return {
    anthropicBlocks: anthropic("ContentBlock"),
    anthropicStops: new Set([
      ...membersOf(ga, "StopReason", "").words,
      ...membersOf(beta, "BetaStopReason", "").words,
    ]),
    anthropicEvents: anthropic("RawMessageStreamEvent"),
    anthropicDeltas: anthropic("RawContentBlockDelta"),
    responsesItems: openai("ResponseOutputItem"),
    responsesStops: new Set(wordsOf(responses, "Response.IncompleteDetails", "reason")),
    responsesEvents: openai("ResponseStreamEvent"),
    chatStops: new Set(wordsOf(chat, "ChatCompletion.Choice", "finish_reason")),
    googleStops: new Set(Object.values(GoogleFinishReason)),
    googleBlocks: new Set(
      Object.values(BlockedReason).filter((word) => !word.endsWith("_UNSPECIFIED")),
    ),
  };
}

/** Words of the SDKs that the tables above do not name, by table. */
export function unnamedWords(): readonly (readonly [table: string, word: string])[] {
  return Object.entries(sdkWords()).flatMap(([table, found]) =>
    [...found]
      .filter((word) => !known[table as WordKind].has(word))
      .map((word) => [table, word] as const),
  );
}

const undated = (id: string): string => id.replace(/-(?:\d{4}-\d{2}-\d{2}|\d{8}|\d{4})$/, "");

/** Models the SDKs name that the catalogue has no row for; a dated id has the row of its model. */
export function unnamedModels(): readonly string[] {
  const openai = readVendorTypes("openai", "resources/shared.d.ts");
  const anthropic = readVendorTypes("@anthropic-ai/sdk", "resources/messages/messages.d.ts");
  const rows = new Set(providers.flatMap(({ models }) => models.map(({ id }) => id)));
  const asked = [
    ...membersOf(openai, "ResponsesModel", "").words,
    ...membersOf(anthropic, "Model", "").words,
  ];
  return [...new Set(asked)].filter((id) => !rows.has(id) && !rows.has(undated(id)));
}

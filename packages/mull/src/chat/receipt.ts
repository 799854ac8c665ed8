import { estimateRequest, estimateTokens } from "../history/estimate.ts";
import { costOf } from "../catalogue/cost.ts";
import { grouped } from "../dial/words.ts";
import { type AnswerHeaders, isFromEmulator, requestIdOf } from "../transport/answer.ts";
import { invalidArgument } from "../types/error.ts";
import type { Reply } from "../types/event.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../types/json.ts";
import type { AssistantPart } from "../types/message.ts";
import type { Model } from "../types/model.ts";
import {
  info,
  warning,
  type Attempt,
  type Note,
  type Receipt,
  type Repair,
  type ServiceReport,
  type ThinkingPlan,
} from "../types/plan.ts";
import type { WireRequest } from "../types/request.ts";
import type { Usage } from "../types/usage.ts";
import { updateIn } from "../wire/common/effort-in-body.ts";
import { readCount } from "../wire/common/json-reading.ts";
import type { ChatResult } from "./chat.ts";
import type { Composed } from "./compose.ts";

/** What is known about a request so far. */
export interface KnownSoFar {
  readonly composed: Composed;
  readonly model: Model;
  /** As sent. */
  readonly body: JsonObject;
  readonly repairs: readonly Repair[];
  readonly attempts: readonly Attempt[];
  /** The caller's own. */
  readonly notes: readonly Note[];
  readonly headers: AnswerHeaders | undefined;
  /** The whole answer. */
  readonly reply: Reply | undefined;
  /** What came of it so far. */
  readonly partial: Reply | undefined;
}

export function receiptOf(known: KnownSoFar): Receipt {
  const { composed, headers, reply, partial } = known;
  const { plan, prepared, notes } = composed;
  const requestId = headers && requestIdOf(headers);
  const reported = reportsOf(partial?.metadata);
  return {
    plan,
    sent: thinkingFieldsOf(known.body),
    withheld: prepared.withheld,
    changes: prepared.changes,
    repairs: known.repairs,
    attempts: known.attempts,
    notes: [
      ...notes.filter((note) => stillHolds(note, known.body)),
      ...known.notes,
      ...exhaustedNotes(reply, plan),
      ...reportNotes(reported),
    ],
    ...(reported.length > 0 && { reported }),
    ...(reply?.echo !== undefined && { echo: reply.echo }),
    ...(reply?.servedModel !== undefined && { servedModel: reply.servedModel }),
    ...(requestId !== undefined && { requestId }),
    ...spentOf(known),
    ...(headers !== undefined && isFromEmulator(headers) && { simulated: true as const }),
  };
}

const thinkingFields = [
  "thinking",
  "output_config",
  "reasoning",
  "reasoning_effort",
  "enable_thinking",
  "thinking_budget",
  "chat_template_kwargs",
  "max_tokens",
  "max_completion_tokens",
  "max_output_tokens",
  "generationConfig",
] as const;

/**
 * The fields of a request body about thinking and the output cap, for the receipt. An effort that
 * is sent inside the conversation replaces the one at the top.
 */
export function thinkingFieldsOf(body: JsonObject): JsonObject {
  if (!isJsonObject(body)) throw invalidArgument("body", body, "a JSON object");
  const update = updateIn(body);
  return Object.fromEntries(
    thinkingFields.flatMap((field) => {
      const [top, updated] = [body[field], update?.[field]];
      if (isJsonObject(updated)) return [[field, { ...(isJsonObject(top) && top), ...updated }]];
      return top === undefined ? [] : [[field, top]];
    }),
  );
}

/** Where a service refuses a change of effort inside the conversation, a repair puts it at the top: then the note is wrong. */
const stillHolds = ({ code }: Note, body: JsonObject): boolean =>
  code !== "effort-update" || updateIn(body) !== undefined;

function spentOf(known: KnownSoFar): Pick<Receipt, "usage" | "cost" | "unfinished"> {
  const { partial, reply, model, composed } = known;
  if (partial === undefined || !hasBegun(partial)) return {};
  const { raw: _, ...usage } = reply?.usage ?? spentSoFar(partial, composed.request);
  const cost = costOf(usage, model);
  return { usage, ...(cost && { cost }), ...(reply === undefined && { unfinished: true }) };
}

/** Makes the result of a request from its reply and receipt. */
export function summarise(
  reply: Reply,
  receipt: Receipt,
  timing: ChatResult["timing"],
): ChatResult {
  const { parts } = reply.message;
  const said = (isRefusal: boolean): string =>
    parts
      .map((part) =>
        part.type === "text" && (part.refusal ?? false) === isRefusal ? part.text : "",
      )
      .join("");
  const refusal = said(true);
  const { cost } = receipt;
  return {
    ...reply,
    text: said(false),
    thinking: parts
      .flatMap((part) => (part.type === "thinking" && part.text !== "" ? [part.text] : []))
      .join("\n\n"),
    ...(refusal !== "" && { refusal }),
    toolCalls: parts.filter((part) => part.type === "tool-call"),
    receipt,
    ...(cost !== undefined && { cost }),
    timing,
  };
}

/**
 * The output limit was reached before the answer began: everything went into thinking. It is a
 * success by its status and looks like an empty answer, so it is said with the numbers.
 */
function exhaustedNotes(reply: Reply | undefined, plan: ThinkingPlan): readonly Note[] {
  if (reply?.finish.reason !== "length" || reply.message.parts.some(isAnswer)) return [];
  const { thinking, output } = reply.usage;
  const spent = thinking ?? output;
  const cap = plan.maxOutputTokens;
  const numbers = [
    ...(spent === undefined ? [] : [`: ${grouped(spent)} tokens`]),
    ...(cap === undefined ? [] : [` of ${grouped(cap)}`]),
  ].join("");
  const message = `Thinking used up the output limit before the answer began${numbers}. Raise maxOutputTokens or lower the level.`;
  return [warning("thinking-exhausted-output", message)];
}

const isAnswer = (part: Reply["message"]["parts"][number]): boolean =>
  part.type !== "thinking" && !(part.type === "text" && part.text === "");

/** Nothing is billed before that. A model that thinks in secret has begun, though no part has come. */
const hasBegun = ({ id, message, usage }: Reply): boolean =>
  id !== undefined || message.parts.length > 0 || usage.input !== undefined;

/**
 * What an answer that is not whole took at least. Services count at the end: of a stopped answer
 * Anthropic has told the input, Google the tokens so far, OpenAI nothing. What they have not told is
 * estimated from what was sent and what came.
 */
function spentSoFar({ message, usage }: Reply, request: WireRequest): Usage {
  const { raw: _, warning: __, ...known } = usage;
  const { cacheRead = 0, cacheWrite = 0 } = known;
  const input = known.input ?? estimateRequest(request);
  const output = more(
    known.output,
    message.parts.filter((part) => !isThought(part)),
  );
  const thought = more(known.thinking, message.parts.filter(isThought));
  const thinking = thought === 0 ? known.thinking : thought;
  return {
    ...known,
    input,
    output,
    ...(thinking !== undefined && { thinking }),
    ...(thinking !== known.thinking && { thinkingSource: "estimated" }),
    total: input + cacheRead + cacheWrite + output + (thinking ?? 0),
    estimated: true,
  };
}

const isThought = ({ type }: AssistantPart): boolean => type === "thinking";

/** A count that came early stands for less than what has come since. */
const more = (counted: number | undefined, parts: readonly AssistantPart[]): number =>
  Math.max(counted ?? 0, estimateTokens([{ role: "assistant", parts }]));

/** Why a thought did not fit, as Anthropic names it, in words. */
const bindings: ReadonlyMap<string, string> = new Map([
  ["model_binding_mismatch", "this model may not read the reasoning of the model that wrote it"],
  ["prefix_binding_mismatch", "the conversation before it has changed since it was written"],
  ["organization_binding_mismatch", "it was written under another organization"],
  ["end_user_binding_mismatch", "it was written for another end user"],
]);

/** Why a prompt cache was missed, as Anthropic and OpenAI name it, in words. */
const misses: ReadonlyMap<string, string> = new Map([
  ["model_changed", "the model has changed"],
  ["system_changed", "the system prompt has changed"],
  ["tools_changed", "the tools have changed"],
  ["messages_changed", "an earlier message has changed"],
  ["input_changed", "an earlier part of the input has changed"],
  ["prompt_cache_key_changed", "the cache key has changed"],
  ["text_format_changed", "the output format has changed"],
  ["reasoning_effort_changed", "the effort has changed"],
  ["verbosity_changed", "the verbosity has changed"],
  ["context_compacted", "the context was compacted"],
  ["service_tier_changed", "the service tier has changed"],
  ["previous_message_not_found", "the service no longer has the answer to compare with"],
  ["comparison_response_not_found", "the service no longer has the answer to compare with"],
]);

/** What a service says it changed in a request, or missed in its cache. */
function reportsOf(metadata: JsonObject | undefined): readonly ServiceReport[] {
  const { input_transformations: changes, diagnostics, prompt_cache_diagnostics } = metadata ?? {};
  const missed = isJsonObject(diagnostics) ? diagnostics["cache_miss_reason"] : undefined;
  return [
    ...(Array.isArray(changes) ? changes : []).filter(isJsonObject).map(readChange),
    ...[missed, prompt_cache_diagnostics].flatMap(readMiss),
  ];
}

function readChange(raw: JsonObject): ServiceReport {
  const { type, path, reason } = raw;
  return {
    type: typeof type === "string" ? type : "unknown",
    ...(typeof reason === "string" && { reason }),
    ...(typeof path === "string" && { path }),
    raw,
  };
}

/** A hit needs no word, and `unavailable` says nothing. */
function readMiss(raw: JsonValue | undefined): readonly ServiceReport[] {
  if (!isJsonObject(raw)) return [];
  const { type, reason = type } = raw;
  if (type === "cache_hit" || type === "unavailable" || typeof reason !== "string") return [];
  const tokens = readCount(raw["cache_missed_input_tokens"] ?? raw["cache_missed_tokens"]);
  return [{ type: "cache_miss", reason, ...(tokens !== undefined && { tokens }), raw }];
}

/** The same in plain words, one note for what happened several times for one reason. */
function reportNotes(reports: readonly ServiceReport[]): readonly Note[] {
  const groups = new Map<string, ServiceReport[]>();
  for (const report of reports) {
    const key = `${report.type} ${report.reason ?? ""}`;
    groups.set(key, [...(groups.get(key) ?? []), report]);
  }
  return [...groups.values()].map(describe);
}

function describe(group: readonly ServiceReport[]): Note {
  const { type, reason = "", tokens } = group[0]!;
  const thoughts = group.length === 1 ? "a thinking block" : `${group.length} thinking blocks`;
  const why = bindings.get(reason) ?? misses.get(reason) ?? reason.replaceAll("_", " ");
  const because = why === "" ? "." : `: ${why}.`;
  switch (type) {
    case "thinking_dropped":
      return warning(
        "service-thinking-dropped",
        `The service left out ${thoughts} of the history${because}`,
      );
    case "thinking_mismatch_allowed":
      return info(
        "service-thinking-allowed",
        `The service showed the model ${thoughts} anyway${because}`,
      );
    case "cache_miss": {
      const lost = tokens === undefined ? "" : ` for about ${grouped(tokens)} tokens`;
      return info("service-cache-miss", `The prompt cache was missed${lost}${because}`);
    }
    default:
      return info("service-change", `The service changed the request (${type})${because}`);
  }
}

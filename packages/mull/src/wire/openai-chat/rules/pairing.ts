import type { JsonObject } from "../../../types/json.ts";
import type { RuleInput } from "../../../types/rule.ts";
import { quoteContent } from "../../common/quoted-result.ts";
import { tooLong } from "../../common/rules/openai-words.ts";
import { asText } from "../../common/json-reading.ts";
import { cheap, fitId, type RuleFound, type RuleTable } from "../../common/rules/define-rule.ts";
import { messagesOf, callsOf, mapMessages, isOpenai } from "./view.ts";

const idOf = (call: JsonObject): string => asText(call["id"]);

const noIds: ReadonlySet<string> = new Set();

/** Indexes of tool messages that answer no call of the assistant message before them. */
function orphans(messages: readonly JsonObject[]): readonly number[] {
  let open = noIds;
  return messages.flatMap((message, index) => {
    if (message["role"] !== "tool") {
      const calls = callsOf(message);
      open = calls.length === 0 ? noIds : new Set(calls.map(idOf));
      return [];
    }
    return open.has(asText(message["tool_call_id"])) ? [] : [index];
  });
}

/** The messages whose calls the next tool messages leave open, and the ids of these calls. */
function unanswered(messages: readonly JsonObject[]): ReadonlyMap<JsonObject, readonly string[]> {
  const open = new Map<JsonObject, readonly string[]>();
  messages.forEach((message, index) => {
    const calls = callsOf(message);
    if (calls.length === 0) return;
    const answered = new Set<string>();
    for (let at = index + 1; messages[at]?.["role"] === "tool"; at++) {
      answered.add(asText(messages[at]?.["tool_call_id"]));
    }
    const left = calls.map(idOf).filter((id) => !answered.has(id));
    if (left.length > 0) open.set(message, left);
  });
  return open;
}

function quoted({ content, name, tool_call_id }: JsonObject): JsonObject {
  const tool = { name: asText(name), callId: asText(tool_call_id) };
  const parts = quoteContent(tool, content, "text", (part) =>
    part["type"] === "text" ? asText(part["text"]) : undefined,
  );
  return { role: "user", content: parts.length === 1 ? asText(parts[0]?.["text"]) : parts };
}

const answers = (message: JsonObject, id: string): boolean =>
  message["role"] === "tool" && asText(message["tool_call_id"]) === id;

/** Late results move up to their calls; calls without a result get an error result. */
function answerOpenCalls(input: RuleInput): JsonObject {
  const messages = messagesOf(input);
  const open = unanswered(messages);
  const late = new Set<JsonObject>();
  const behind = new Map<JsonObject, readonly JsonObject[]>();
  messages.forEach((message, index) => {
    const ids = open.get(message);
    if (ids === undefined) return;
    const later = messages.slice(index + 1);
    const next = later.findIndex(({ role }) => role === "assistant");
    const reach = later.slice(0, next < 0 ? later.length : next);
    const end = reach.findIndex(({ role }) => role !== "tool");
    const results = ids.map((id) => {
      const found = reach.find((each) => answers(each, id));
      if (found !== undefined) late.add(found);
      return found ?? { role: "tool", tool_call_id: id, content: "The tool was not run." };
    });
    // Insert after the results that are in the right place.
    const last = (end < 0 ? reach.at(-1) : reach[end - 1]) ?? message;
    behind.set(last, results);
  });
  return mapMessages(input, (message) => [
    ...(late.has(message) ? [] : [message]),
    ...(behind.get(message) ?? []),
  ]);
}

const maxIdLength = 40;

const shortId = (id: string): string => (id.length > maxIdLength ? fitId(id, maxIdLength) : id);

const longAt = (path: string, id: unknown): RuleFound =>
  asText(id).length > maxIdLength && tooLong(path, maxIdLength, asText(id).length);

const findLongIds = (message: JsonObject, index: number): RuleFound => [
  callsOf(message).map((call, at) => longAt(`messages[${index}].tool_calls[${at}].id`, call["id"])),
  longAt(`messages[${index}].tool_call_id`, message["tool_call_id"]),
];

export const pairingRules: RuleTable = {
  "openai-chat/orphan-result": cheap({
    summary: "A tool message answers a call of the assistant message before it.",
    fix: "Remove the result, or bring back its call.",
    repairSummary: "Send the result as quoted text of the user.",
    find: (input) =>
      orphans(messagesOf(input)).map((index) => ({
        path: `messages[${index}].role`,
        param: `messages.[${index}].role`,
        message:
          "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
      })),
    repair: (input) => {
      const lost = new Set(orphans(messagesOf(input)));
      return mapMessages(input, (message, index) => (lost.has(index) ? quoted(message) : message));
    },
  }),
  "openai-chat/open-call": cheap({
    summary: "Every tool call is answered by a tool message directly after its message.",
    fix: "Add a tool message for each call.",
    repairSummary: "Give open calls an error result.",
    find: (input) => {
      const messages = messagesOf(input);
      return [...unanswered(messages)].map(([message, ids]) => {
        const index = messages.indexOf(message);
        return {
          path: `messages[${index}].tool_calls`,
          param: `messages.[${index + 1}].role`,
          message:
            "An assistant message with 'tool_calls' must be followed by tool messages responding to each " +
            `'tool_call_id'. The following tool_call_ids did not have response messages: ${ids.join(", ")}`,
        };
      });
    },
    repair: answerOpenCalls,
  }),
  "openai-chat/call-id": cheap({
    summary: "On OpenAI, ids of tool calls have at most 40 characters.",
    repairSummary: "Shorten long ids, the same way on call and result.",
    when: ({ model }) => isOpenai(model),
    find: (input) => messagesOf(input).map(findLongIds),
    repair: (input) =>
      mapMessages(input, (message) => ({
        ...message,
        ...(callsOf(message).length > 0 && {
          tool_calls: callsOf(message).map((call) => ({
            ...call,
            id: shortId(idOf(call)),
          })),
        }),
        ...("tool_call_id" in message && {
          tool_call_id: shortId(asText(message["tool_call_id"])),
        }),
      })),
  }),
};

import type { JsonObject } from "../../../types/json.ts";
import type { Rule, RuleInput } from "../../../types/rule.ts";
import { quoteResult } from "../../common/quoted-result.ts";
import { findAll } from "../../common/rule-view.ts";
import {
  callsOf,
  defineRule,
  isOpenai,
  mapMessages,
  messagesOf,
  objectsOf,
  type Violation,
} from "./define.ts";

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

const idOf = (call: JsonObject): string => textOf(call["id"]);

const noIds: ReadonlySet<string> = new Set();

/** Indexes of tool messages that answer no call of the assistant message before them. */
function orphans(messages: readonly JsonObject[]): readonly number[] {
  let open = noIds;
  return findAll(messages, (message, index) => {
    if (message["role"] !== "tool") {
      const calls = callsOf(message);
      open = calls.length === 0 ? noIds : new Set(calls.map(idOf));
      return [];
    }
    return open.has(textOf(message["tool_call_id"])) ? [] : [index];
  });
}

/** The messages with calls that the tool messages behind them leave open, and the ids of these. */
function unanswered(messages: readonly JsonObject[]): ReadonlyMap<JsonObject, readonly string[]> {
  const open = new Map<JsonObject, readonly string[]>();
  messages.forEach((message, index) => {
    const calls = callsOf(message);
    if (calls.length === 0) return;
    const answered = new Set<string>();
    for (let at = index + 1; messages[at]?.["role"] === "tool"; at++) {
      answered.add(textOf(messages[at]?.["tool_call_id"]));
    }
    const left = calls.map(idOf).filter((id) => !answered.has(id));
    if (left.length > 0) open.set(message, left);
  });
  return open;
}

const orphanResult = (): Rule =>
  defineRule({
    id: "openai-chat/orphan-result",
    summary: "A tool message answers a call of the assistant message before it.",
    fix: "Remove the result, or bring back its call.",
    repairSummary: "The result goes as quoted words of the user.",
    find: (input) =>
      orphans(messagesOf(input)).map((index): Violation => ({
        path: `messages[${index}].role`,
        param: `messages.[${index}].role`,
        message:
          "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
      })),
    repair: (input) => {
      const lost = new Set(orphans(messagesOf(input)));
      return mapMessages(input, (message, index) => (lost.has(index) ? quoted(message) : message));
    },
  });

const isWords = ({ type }: JsonObject): boolean => type === "text";

/** Pictures in a result stay what they are. */
function quoted({ content, name, tool_call_id }: JsonObject): JsonObject {
  const parts =
    typeof content === "string" ? [{ type: "text", text: content }] : objectsOf(content);
  const words = parts.filter(isWords).map(({ text }) => textOf(text));
  const tool = { name: textOf(name), callId: textOf(tool_call_id) };
  const text = quoteResult(tool, words.join("\n"));
  const others = parts.filter((part) => !isWords(part));
  return {
    role: "user",
    content: others.length === 0 ? text : [{ type: "text", text }, ...others],
  };
}

const openCall = (): Rule =>
  defineRule({
    id: "openai-chat/open-call",
    summary: "Every tool call is answered by a tool message right behind its message.",
    fix: "Add a tool message for each call.",
    repairSummary: "Open calls get an error result.",
    find: (input) => {
      const messages = messagesOf(input);
      return [...unanswered(messages)].map(([message, ids]): Violation => {
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
  });

const answers = (message: JsonObject, id: string): boolean =>
  message["role"] === "tool" && textOf(message["tool_call_id"]) === id;

/** Results that came late move up behind their calls; what was never answered gets an error. */
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
    // Behind the results that do stand where they should.
    const last = (end < 0 ? reach.at(-1) : reach[end - 1]) ?? message;
    behind.set(last, results);
  });
  return mapMessages(input, (message) => [
    ...(late.has(message) ? [] : [message]),
    ...(behind.get(message) ?? []),
  ]);
}

const maxIdLength = 40;

const callId = (): Rule =>
  defineRule({
    id: "openai-chat/call-id",
    summary: "OpenAI takes ids of tool calls up to 40 characters.",
    fix: "Shorten the id, on the call and on its result.",
    repairSummary: "Long ids are shortened alike on call and result.",
    find: (input) => (isOpenai(input.model) ? findAll(messagesOf(input), findLongIds) : []),
    repair: (input) =>
      mapMessages(input, (message) => ({
        ...message,
        ...(callsOf(message).length > 0 && {
          tool_calls: callsOf(message).map((call): JsonObject => ({
            ...call,
            id: shorten(textOf(call["id"])),
          })),
        }),
        ...("tool_call_id" in message && {
          tool_call_id: shorten(textOf(message["tool_call_id"])),
        }),
      })),
  });

function findLongIds(message: JsonObject, index: number): readonly Violation[] {
  const ids = [
    ...callsOf(message).map(
      (call, at) => [`messages[${index}].tool_calls[${at}].id`, call["id"]] as const,
    ),
    [`messages[${index}].tool_call_id`, message["tool_call_id"]] as const,
  ];
  return ids.flatMap(([path, id]) => {
    const { length } = textOf(id);
    if (length <= maxIdLength) return [];
    const text = `Invalid '${path}': string too long. Expected a string with maximum length ${maxIdLength}, but got a string with length ${length} instead.`;
    return [{ path, message: text, code: "string_above_max_length" }];
  });
}

/** Keeps the beginning, and a hash of the whole so that two long ids stay two. */
function shorten(id: string): string {
  if (id.length <= maxIdLength) return id;
  let hash = 0xcbf29ce484222325n;
  for (let i = 0; i < id.length; i++) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(id.charCodeAt(i))) * 0x100000001b3n);
  }
  return `${id.slice(0, 23)}_${hash.toString(16).padStart(16, "0")}`;
}

export const pairingRules = (): readonly Rule[] => [orphanResult(), openCall(), callId()];

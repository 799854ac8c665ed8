import { invalidArgument, MullError } from "../types/error.ts";
import { isJsonObject } from "../types/json.ts";
import type { AssistantMessage, Message, ThinkingPart } from "../types/message.ts";
import type { Effort } from "../types/model.ts";
import { warning, type HistoryChange, type Note, type ThinkingSetting } from "../types/plan.ts";
import type { Quirks } from "../types/quirks.ts";
import type { AnyTool } from "../types/tool.ts";
import { traitsOf } from "../wire/traits.ts";
import { resultAsText } from "./answer-calls.ts";
import { compile, type Compiled } from "./compile.ts";
import { thoughtWithheld, type Reader } from "./fit-assistant.ts";

/**
 * What to do about an open tool loop on a model that insists on a leading thinking block if there
 * is none to send. `disable`: thinking off for the rest of the turn. `demote`: send the calls and
 * results of the loop as text. `warn`: send it anyway. `fail`: refuse. `synthetic`: add an unsigned
 * block, only for endpoints that do not check signatures.
 */
export type OpenLoopPolicy = (typeof openLoopPolicies)[number];
export const openLoopPolicies = ["disable", "demote", "warn", "fail", "synthetic"] as const;

/** What a history is prepared for: the reader, the thinking setting, system, tools and quirks. */
export interface PrepareTarget extends Reader {
  readonly setting: ThinkingSetting;
  readonly system?: string | undefined;
  readonly tools?: readonly AnyTool[] | undefined;
  readonly quirks?: Quirks | undefined;
  readonly openLoop?: OpenLoopPolicy | undefined;
  /** The efforts to send inside the conversation, by the answer each stands before. */
  readonly effortBefore?: ReadonlyMap<number, Effort> | undefined;
}

/** Messages prepared for one target, with everything that was withheld or changed. */
export interface Prepared {
  readonly messages: readonly Message[];
  /** The setting to send: the target's own, or off for the rest of an open turn. */
  readonly setting: ThinkingSetting;
  /** Thinking that stays in the history and is not sent to this target. */
  readonly withheld: readonly HistoryChange[];
  readonly changes: readonly HistoryChange[];
  readonly notes: readonly Note[];
  /** Fingerprint of everything before the answer, for models that bind their seals to it. */
  readonly prefix: string | undefined;
}

/**
 * Prepares a history for one target: leaves out what it cannot read, and repairs what it would
 * refuse. The history itself is not changed.
 */
export function prepare(messages: readonly Message[], target: PrepareTarget): Prepared {
  if (!Array.isArray(messages)) throw invalidArgument("messages", messages, "a list of messages");
  if (!isJsonObject(target?.model) || !isJsonObject(target.setting))
    throw invalidArgument("target", target, "a reader with model and setting");
  const compiled = compile(messages, target);
  const isUnled =
    traitsOf[target.wire].loopsBeginWithThought &&
    target.setting.type === "budget" &&
    hasUnledOpenLoop(compiled.messages);
  return isUnled
    ? settleOpenLoop(messages, target, compiled)
    : { setting: target.setting, notes: [], ...compiled };
}

function settleOpenLoop(
  messages: readonly Message[],
  target: PrepareTarget,
  compiled: Compiled,
): Prepared {
  const policy = target.openLoop ?? "disable";
  const began = beganOn(messages);
  const missing = `the turn began on ${began ?? "another model"}, so the leading thought ${target.model.id} insists on is missing`;
  const settled = (made: Compiled, what: string, setting = target.setting): Prepared => ({
    ...made,
    setting,
    notes: [warning("open-loop", `${missing}: ${what}`)],
  });
  switch (policy) {
    case "disable": {
      const off: ThinkingSetting = { type: "off", form: "disabled" };
      const again = compile(messages, { ...target, setting: off });
      return settled(again, "thinking is off until the turn ends", off);
    }
    case "demote": {
      const demoted = demoteOpenLoop(compiled.messages);
      const withheld = [...compiled.withheld, ...leftOut(messages, compiled.messages, demoted)];
      const made = { ...compiled, messages: demoted, withheld };
      return settled(made, "its tool calls and results are sent as text");
    }
    case "warn":
      return settled(compiled, "the service may refuse");
    case "synthetic":
      if (target.quirks?.unsignedThinking !== true) {
        throw refusal(
          `${target.provider} checks signatures, so a synthetic thought would be refused. Use openLoop: "disable".`,
        );
      }
      return settled(
        { ...compiled, messages: leadWithThought(compiled.messages) },
        "an unsigned thought takes its place",
      );
    case "fail":
      throw refusal(
        `${missing}. Finish the turn on the model that began it, or use openLoop: "disable".`,
      );
    default:
      policy satisfies never;
      throw invalidArgument("openLoop", policy, openLoopPolicies);
  }
}

/** The thoughts that went on the way, by their places in the history given. */
function leftOut(
  messages: readonly Message[],
  before: readonly Message[],
  after: readonly Message[],
): readonly HistoryChange[] {
  const sent = thoughtsIn(before);
  const left = thoughtsIn(after);
  return messages.flatMap(({ parts }, at) =>
    parts.flatMap((part, i) =>
      part.type === "thinking" && sent.has(part) && !left.has(part)
        ? [thoughtWithheld(at, i, "the tool loop it belongs to is sent as text", part)]
        : [],
    ),
  );
}

const thoughtsIn = (messages: readonly Message[]): ReadonlySet<ThinkingPart> =>
  new Set(
    messages.flatMap((message) =>
      message.role === "assistant" ? message.parts.filter((part) => part.type === "thinking") : [],
    ),
  );

const beganOn = (messages: readonly Message[]): string | undefined =>
  messages.findLast(
    (message): message is AssistantMessage =>
      message.role === "assistant" && message.origin !== undefined,
  )?.origin?.model;

const refusal = (message: string): MullError =>
  new MullError(message, {
    category: "invalid_argument",
    code: "open_loop",
    rule: "anthropic/leading-thinking",
    fix: 'openLoop: "disable" sends this turn with thinking off',
  });

/**
 * True when the last thing that happened is a tool call answered, and neither the assistant turn
 * that made it nor the first of its loop begins with thinking. Budget-thinking Claude refuses that.
 * Assistant messages next to each other are one turn to the service.
 */
function hasUnledOpenLoop(messages: readonly Message[]): boolean {
  const last = lastAssistant(messages);
  return (
    messages[last]?.parts.some((part) => part.type === "tool-call") === true &&
    !startsThinking(messages[startOfTurn(messages, last)]) &&
    !startsThinking(messages[firstOfLoop(messages, last)])
  );
}

const lastAssistant = (messages: readonly Message[]): number =>
  messages.findLastIndex((message) => message.role === "assistant");

const startsThinking = (message: Message | undefined): boolean =>
  message?.role === "assistant" && message.parts[0]?.type === "thinking";

function startOfTurn(messages: readonly Message[], at: number): number {
  let start = at;
  while (messages[start - 1]?.role === "assistant") start--;
  return start;
}

function firstOfLoop(messages: readonly Message[], last: number): number {
  let first = startOfTurn(messages, last);
  for (;;) {
    let before = first - 1;
    let hasResults = false;
    for (; before >= 0 && messages[before]?.role !== "assistant"; before--)
      hasResults ||= messages[before]?.role === "tool";
    if (before < 0 || !hasResults) return first;
    first = startOfTurn(messages, before);
  }
}

function demoteOpenLoop(messages: readonly Message[]): readonly Message[] {
  const first = firstOfLoop(messages, lastAssistant(messages));
  return messages.map((message, index) => (index < first ? message : asText(message)));
}

function asText(message: Message): Message {
  if (message.role === "assistant") {
    const parts = message.parts.flatMap((part) => {
      if (part.type === "thinking") return [];
      if (part.type !== "tool-call") return [part];
      return [
        { type: "text" as const, text: `[called ${part.name} with ${JSON.stringify(part.input)}]` },
      ];
    });
    return { ...message, parts };
  }
  if (message.role !== "tool") return message;
  return { role: "user", parts: message.parts.flatMap(resultAsText) };
}

function leadWithThought(messages: readonly Message[]): readonly Message[] {
  const last = lastAssistant(messages);
  return messages.map((message, index) =>
    index === last && message.role === "assistant"
      ? {
          ...message,
          parts: [
            {
              type: "thinking" as const,
              text: "Continuing the work of another model.",
              visibility: "full" as const,
            },
            ...message.parts,
          ],
        }
      : message,
  );
}

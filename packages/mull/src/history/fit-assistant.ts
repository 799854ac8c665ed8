import type { AssistantMessage, AssistantPart, ThinkingPart } from "../types/message.ts";
import type { ChangeLog } from "./change-log.ts";
import type { PrepareTarget } from "./prepare.ts";
import { whyUnreadable } from "./reader-rights.ts";

export interface FitContext {
  readonly log: ChangeLog;
  /** Position of the message in the history given. */
  readonly index: number;
  readonly inCurrentTurn: boolean;
  /** Fingerprint of what is sent before this message, where the target binds seals to it. */
  readonly prefix: (() => string) | undefined;
  /** A bound seal before this one no longer fits; later ones were made on top of it. */
  readonly prefixBroken: boolean;
}

export interface Fitted {
  /** `undefined` when nothing is left to send. */
  readonly message: AssistantMessage | undefined;
  readonly prefixBroken: boolean;
}

/** Keeps what the target may have of one answer, each part in its place. */
export function fitAssistant(
  message: AssistantMessage,
  target: PrepareTarget,
  context: FitContext,
): Fitted {
  let { prefixBroken } = context;
  // OpenAI ties the ids of items to the reasoning item before them: when it goes, they go.
  let idsGone = false;
  const { parts } = message;
  // A copy only when something goes: most answers stay whole.
  let kept: AssistantPart[] | undefined;
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index]!;
    let fitted: AssistantPart | undefined = part;
    if (part.type === "thinking") {
      if (isBoundElsewhere(part, context)) prefixBroken = true;
      const why = whyWithheld(part, message, target, context.inCurrentTurn, prefixBroken);
      if (why !== undefined) {
        fitted = undefined;
        withhold(context, index, why, part);
      }
      idsGone = why !== undefined && target.wire === "openai-responses";
    } else {
      fitted = fitPlain(part, message, target);
      if (idsGone && fitted !== undefined) fitted = unsealed(fitted);
    }
    if (fitted !== part) kept ??= parts.slice(0, index);
    if (fitted !== undefined) kept?.push(fitted);
  }
  if ((kept ?? parts).at(-1)?.type === "thinking")
    dropTrailingThinking((kept ??= [...parts]), message, target, context);
  if ((kept ?? parts).length === 0) {
    context.log.changes.push({
      code: "empty-message",
      message: context.index,
      detail: "nothing left to send",
    });
    return { message: undefined, prefixBroken };
  }
  return { message: kept === undefined ? message : { ...message, parts: kept }, prefixBroken };
}

const withhold = (
  context: FitContext,
  part: number,
  detail: string,
  thinking: ThinkingPart,
): void => {
  const by = thinking.seal === undefined ? "" : ` of ${thinking.seal.origin.model}`;
  context.log.withheld.push({
    code: "thinking-withheld",
    message: context.index,
    part,
    detail: `thought${by}: ${detail}`,
  });
};

const isBoundElsewhere = (part: ThinkingPart, context: FitContext): boolean =>
  context.prefix !== undefined &&
  part.seal?.prefix !== undefined &&
  part.seal.prefix !== context.prefix();

function whyWithheld(
  part: ThinkingPart,
  message: AssistantMessage,
  target: PrepareTarget,
  inCurrentTurn: boolean,
  prefixBroken: boolean,
): string | undefined {
  if (part.send === false) return part.cut ? "its stream was cut" : "marked never to be sent";
  if (part.seal === undefined) {
    return target.quirks?.unsignedThinking === true && target.wire === "anthropic-messages"
      ? undefined
      : "it carries no seal";
  }
  const unreadable = whyUnreadable(part.seal, target);
  if (unreadable !== undefined) return unreadable;
  if (target.wire === "anthropic-messages" && target.setting.type === "off") {
    return "thinking is off for this request";
  }
  if (prefixBroken && part.seal.prefix !== undefined) {
    return "what stood before it has changed since, and it is bound to that";
  }
  return whyNotReplayed(message, target, inCurrentTurn);
}

/** Servers with plain reasoning text differ in what they want back. */
function whyNotReplayed(
  message: AssistantMessage,
  target: PrepareTarget,
  inCurrentTurn: boolean,
): string | undefined {
  switch (target.model.replay) {
    case "forbidden":
      return `${target.model.id} refuses thinking in the history`;
    case "loop":
      return inCurrentTurn
        ? undefined
        : `${target.model.id} takes thinking of the running tool loop only`;
    case "tool-calls":
      return message.parts.some((part) => part.type === "tool-call")
        ? undefined
        : `${target.model.id} takes thinking of answers with tool calls only`;
    case "sealed":
    case "required":
    case "optional":
      return undefined;
    default:
      return target.model.replay satisfies never;
  }
}

function fitPlain(
  part: Exclude<AssistantPart, ThinkingPart>,
  message: AssistantMessage,
  target: PrepareTarget,
): AssistantPart | undefined {
  if (part.send === false) return undefined;
  if (part.type === "opaque") {
    const provider = message.origin?.provider ?? target.provider;
    return part.wire === target.wire && provider === target.provider ? part : undefined;
  }
  const readable = part.seal === undefined || whyUnreadable(part.seal, target) === undefined;
  if (part.type === "text" && part.text === "" && (part.seal === undefined || !readable))
    return undefined;
  return readable ? part : unsealed(part);
}

function unsealed<P extends AssistantPart>(part: P): P {
  if (part.seal === undefined) return part;
  const { seal: _, ...rest } = part;
  return rest as P;
}

/**
 * A thought with nothing behind it: Claude refuses a message that ends in one, and an OpenAI
 * reasoning item without the item it led to is refused as well.
 */
function dropTrailingThinking(
  kept: AssistantPart[],
  message: AssistantMessage,
  target: PrepareTarget,
  context: FitContext,
): void {
  if (target.wire !== "anthropic-messages" && target.wire !== "openai-responses") return;
  for (let last = kept.at(-1); last?.type === "thinking"; last = kept.at(-1)) {
    kept.pop();
    withhold(context, message.parts.indexOf(last), "nothing of its answer followed it", last);
  }
}

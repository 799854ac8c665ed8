import type { AssistantMessage, AssistantPart, ThinkingPart } from "../types/message.ts";
import type { HistoryChange } from "../types/plan.ts";
import type { Compilation } from "./compilation.ts";
import { isBlank } from "./is-blank.ts";
import { isPrefixValue } from "./fingerprint.ts";
import type { PrepareTarget } from "./prepare.ts";
import { whySimulatedSealStays, whyWithheldFrom } from "./reader-rights.ts";

/** Keeps what the target may have of one answer, each part in its place; `undefined` when nothing is left. */
export function fitAssistant(
  message: AssistantMessage,
  index: number,
  run: Compilation,
): AssistantMessage | undefined {
  const { parts } = message;
  const { target } = run;
  // OpenAI ties the ids of items to the reasoning item before them: when it goes, they go.
  let idsGone = false;
  // A copy only when something goes: most answers stay whole.
  let kept: AssistantPart[] | undefined;
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at]!;
    let fitted: AssistantPart | undefined = part;
    if (part.type === "thinking") {
      const why = whyWithheld(part, message, index > run.turnStart, run);
      if (why !== undefined) {
        fitted = undefined;
        withhold(run, index, at, why, part);
      }
      idsGone = why !== undefined && target.wire === "openai-responses";
    } else {
      fitted = fitPlain(part, message, target);
      if (fitted !== part) tellOfEmulator(part, index, at, run);
      if (idsGone && fitted !== undefined) fitted = unsealed(fitted);
    }
    if (fitted !== part) kept ??= parts.slice(0, at);
    if (fitted !== undefined) kept?.push(fitted);
  }
  if (target.wire === "anthropic-messages" && !(kept ?? parts).some(saysSomething))
    kept = (kept ?? parts).filter((part) => part.type === "thinking");
  if ((kept ?? parts).at(-1)?.type === "thinking")
    kept = dropTrailingThinking(kept ?? parts.slice(), message, index, run);
  if ((kept ?? parts).length === 0) {
    run.changes.push({ code: "empty-message", message: index, detail: "nothing left to send" });
    return undefined;
  }
  return kept === undefined ? message : { ...message, parts: kept };
}

/** Gemini's words carry a seal, too. Only a simulated one is worth telling: real ones stay as a matter of course. */
function tellOfEmulator(part: AssistantPart, message: number, at: number, run: Compilation): void {
  if (part.type === "opaque" || part.seal === undefined) return;
  const detail = whySimulatedSealStays(run.target, part.seal);
  if (detail !== undefined) {
    run.withheld.push({ code: "seal-withheld", message, part: at, detail: `seal: ${detail}` });
  }
}

/** Whether something but thoughts is sent of an answer. */
export const hasWords = (message: AssistantMessage, target: PrepareTarget): boolean =>
  message.parts.some(
    (part) =>
      part.type !== "thinking" &&
      saysSomething(part) &&
      fitPlain(part, message, target) !== undefined,
  );

/** Claude refuses answers that are nothing but space. */
const saysSomething = (part: AssistantPart): boolean =>
  part.type === "text" ? !isBlank(part.text) : part.type !== "thinking";

const withhold = (
  { withheld }: Compilation,
  message: number,
  part: number,
  why: string,
  thought: ThinkingPart,
): void => {
  withheld.push(thoughtWithheld(message, part, why, thought));
};

export const thoughtWithheld = (
  message: number,
  part: number,
  why: string,
  { seal }: ThinkingPart,
): HistoryChange => {
  const by = seal === undefined ? "" : ` of ${seal.origin.model}`;
  return { code: "thinking-withheld", message, part, detail: `thought${by}: ${why}` };
};

/** A seal that is bound to other words than those that stand before it now. */
const isBoundElsewhere = ({ seal }: ThinkingPart, { prefix }: Compilation): boolean =>
  prefix !== undefined && seal?.prefix !== undefined && !isPrefixValue(prefix, seal.prefix);

function whyWithheld(
  part: ThinkingPart,
  message: AssistantMessage,
  inCurrentTurn: boolean,
  run: Compilation,
): string | undefined {
  const { target } = run;
  if (isBoundElsewhere(part, run)) run.isPrefixBroken = true;
  if (part.send === false) return part.cut ? "its stream was cut" : "marked never to be sent";
  if (part.seal === undefined) {
    return target.quirks?.unsignedThinking === true && target.wire === "anthropic-messages"
      ? undefined
      : "it carries no seal";
  }
  const unreadable = whyWithheldFrom(target, part.seal);
  if (unreadable !== undefined) return unreadable;
  if (target.wire === "anthropic-messages" && target.setting.type === "off") {
    return "thinking is off for this request";
  }
  if (run.isPrefixBroken && part.seal.prefix !== undefined) {
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
      return message.parts.some((part) => part.type === "tool-call" && part.send !== false)
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
  const readable = part.seal === undefined || whyWithheldFrom(target, part.seal) === undefined;
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
  index: number,
  run: Compilation,
): AssistantPart[] {
  const { wire } = run.target;
  if (wire !== "anthropic-messages" && wire !== "openai-responses") return kept;
  for (let last = kept.at(-1); last?.type === "thinking"; last = kept.at(-1)) {
    kept.pop();
    const at = message.parts.indexOf(last);
    withhold(run, index, at, "nothing of its answer followed it", last);
  }
  return kept;
}

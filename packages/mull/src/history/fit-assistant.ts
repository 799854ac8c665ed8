import { invalidArgument } from "../types/error.ts";
import { isJsonObject } from "../types/json.ts";
import type {
  AssistantMessage,
  AssistantPart,
  Message,
  Origin,
  Seal,
  ThinkingPart,
  WireId,
} from "../types/message.ts";
import type { Model } from "../types/model.ts";
import type { HistoryChange } from "../types/plan.ts";
import { traitsOf } from "../wire/traits.ts";
import type { Compilation } from "./compile.ts";
import { prefixValue } from "./fingerprint.ts";
import type { PrepareTarget } from "./prepare.ts";

/** Keeps the parts of one answer that the target may have, in order; `undefined` if nothing is left. */
export function fitAssistant(
  message: AssistantMessage,
  index: number,
  run: Compilation,
): AssistantMessage | undefined {
  const { target, traits } = run;
  // OpenAI ties the ids of items to the reasoning item before them: when it goes, they go.
  let idsGone = false;
  const fitted: AssistantPart[] = [];
  // A loop: `flatMap` makes a list for each part, and a long conversation has ten thousand of them.
  for (const [at, part] of message.parts.entries()) {
    if (part.type === "thinking") {
      const why = whyWithheld(part, message, index > run.turnStart, run);
      idsGone = why !== undefined && traits.idsNeedThought === true;
      if (why === undefined) fitted.push(part);
      else run.withheld.push(thoughtWithheld(index, at, why, part));
      continue;
    }
    const kept = fitPlain(part, message, target);
    if (kept !== part) tellOfEmulator(part, index, at, run);
    if (kept !== undefined) fitted.push(idsGone ? unsealed(kept) : kept);
  }
  const isBlank = traits.refusesBlanks && !fitted.some(saysSomething);
  const parts = isBlank ? fitted.filter((part) => part.type === "thinking") : fitted;
  if (traits.refusesTrailingThought) dropTrailingThinking(parts, message, index, run);
  return parts.length === 0 ? tellOfEmpty(index, run) : keepIfSame(message, parts);
}

/** The same message if all of its parts stay, else a copy. */
export const keepIfSame = <M extends Message>(message: M, parts: M["parts"]): M =>
  parts.length === message.parts.length && parts.every((part, at) => part === message.parts[at])
    ? message
    : { ...message, parts };

export function tellOfEmpty(message: number, { changes }: Compilation): undefined {
  changes.push({ code: "empty-message", message, detail: "nothing left to send" });
}

/** Notes a seal that is left off a text or a call. Only emulators' seals are noted: leaving off another vendor's seal is normal. */
function tellOfEmulator(part: AssistantPart, message: number, at: number, run: Compilation): void {
  if (part.type === "opaque" || part.seal === undefined) return;
  const detail = whySimulatedSealStays(run.target, part.seal);
  if (detail !== undefined) {
    run.withheld.push({ code: "seal-withheld", message, part: at, detail: `seal: ${detail}` });
  }
}

/** Whether anything but thinking of an answer is sent. */
export const hasWords = (message: AssistantMessage, target: PrepareTarget): boolean =>
  message.parts.some(
    (part) =>
      part.type !== "thinking" &&
      saysSomething(part) &&
      fitPlain(part, message, target) !== undefined,
  );

/** Claude refuses answers that are nothing but space. */
const saysSomething = (part: AssistantPart): boolean =>
  part.type === "text" ? /\S/.test(part.text) : part.type !== "thinking";

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
  prefix !== undefined && seal?.prefix !== undefined && seal.prefix !== prefixValue(prefix);

function whyWithheld(
  part: ThinkingPart,
  message: AssistantMessage,
  inCurrentTurn: boolean,
  run: Compilation,
): string | undefined {
  const { target, traits } = run;
  if (part.send === false) return part.cut ? "its stream was cut" : "marked never to be sent";
  if (part.seal === undefined) {
    return target.quirks?.unsignedThinking === true ? undefined : "it carries no seal";
  }
  const unreadable = whyWithheldFrom(target, part.seal);
  if (unreadable !== undefined) return unreadable;
  if (traits.noThoughtsWhileOff && target.setting.type === "off")
    return "thinking is off for this request";
  if (isBoundElsewhere(part, run)) {
    return "it is bound to everything before it, which has changed";
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
 * A thought at the end of a message: Claude refuses such a message, and an OpenAI
 * reasoning item without the item it led to is refused as well.
 */
function dropTrailingThinking(
  kept: AssistantPart[],
  message: AssistantMessage,
  index: number,
  { withheld }: Compilation,
): void {
  for (let last = kept.at(-1); last?.type === "thinking"; last = kept.at(-1)) {
    kept.pop();
    const at = message.parts.indexOf(last);
    withheld.push(thoughtWithheld(index, at, "nothing followed it in its answer", last));
  }
}

/** The model, provider and account that a history is prepared for. */
export interface Reader {
  readonly model: Model;
  readonly provider: string;
  readonly wire: WireId;
  readonly endpoint?: string | undefined;
  readonly account?: string | undefined;
  /** The reader is an emulator. */
  readonly simulated?: boolean | undefined;
  /** The row of a model that sealed something, for what its seals are bound to. */
  readonly modelOf: (id: string) => Model | undefined;
}

/** Why a reader cannot use a seal, in words for the receipt; `undefined` if it can. */
export function whyUnreadable(seal: Seal, reader: Reader): string | undefined {
  if (!isJsonObject(seal?.origin) || !isJsonObject(reader?.model))
    throw invalidArgument("seal", seal, "the seal of a part, and its reader");
  return whyWithheldFrom(reader, seal);
}

/** `whyUnreadable` without checking its arguments, for the many seals of a long history. */
function whyWithheldFrom(reader: Reader, seal: Seal): string | undefined {
  const { origin } = seal;
  if (seal.refused) return "the service refused it when it was last sent";
  const simulated = whySimulatedSealStays(reader, seal);
  if (simulated !== undefined) return simulated;
  if (origin.wire !== reader.wire) return `made on ${origin.wire}, not readable on ${reader.wire}`;
  const maker = reader.modelOf(origin.model);
  const rights = reader.model.seals;
  const made = maker?.row ?? maker?.id ?? origin.model;
  // The catalogue may know a host's model by another name than the host.
  const own = origin.model === reader.model.id || made === (reader.model.row ?? reader.model.id);
  if (!own && rights?.reads.some((pattern) => matches(pattern, made)) !== true) {
    return `${reader.model.id} cannot read thinking of ${origin.model}`;
  }
  if (!travels(seal, reader, maker)) return `made at ${origin.provider}, bound to that endpoint`;
  if (maker?.seals?.accountBound && origin.account !== reader.account) {
    return `${origin.model} binds its thinking to the account that made it`;
  }
  return undefined;
}

/** Why an emulator's seal is not sent to a service; `undefined` for other seals and readers. */
const whySimulatedSealStays = (reader: Reader, { origin }: Seal): string | undefined =>
  origin.simulated && !isEmulated(reader, origin)
    ? "the emulator made it, and no service can open it"
    : undefined;

const loopback = /^https?:\/\/(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::|$)/;

/** In process an emulator answers under the service's own address; by itself it has one on this machine. */
const isEmulated = ({ simulated, endpoint = "" }: Reader, origin: Origin): boolean =>
  simulated === true || (origin.endpoint === endpoint && loopback.test(endpoint));

/**
 * Anthropic's seals are good on every host that serves the model. Elsewhere a seal belongs to the
 * provider that made it, and if the model says so, to the very endpoint.
 */
function travels(seal: Seal, reader: Reader, maker: Model | undefined): boolean {
  const { origin } = seal;
  if (maker?.seals?.endpointBound && origin.endpoint !== reader.endpoint) return false;
  return origin.provider === reader.provider || traitsOf[origin.wire].sealsTravel === true;
}

const matches = (pattern: string, name: string): boolean =>
  pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
